import { expect, it } from 'vitest'
import { maskSecrets } from './mask-secrets.ts'

it.each([
  ['my password is m o o n 4 2', 'my password is [masked: password]'],
  ['wifi key: c-a-f-e-9-1', 'wifi key: [masked: password]'],
  ['My pin is nine zero three three, keep it safe', 'My pin is [masked: password], keep it safe'],
  ['the garage code is double two eight five', 'the garage code is [masked: password]'],
  ['the locker combination is six, one, six, two', 'the locker combination is [masked: password]'],
  ["r-u-s-t-5-5, that's my password", "[masked: password], that's my password"],
  ['my password is capital M o o n 4 2', 'my password is [masked: password]'],
  ['mein Passwort ist m o o n 4 2', 'mein Passwort ist [masked: password]'],
  ['mi clave es nueve cero tres tres', 'mi clave es [masked: password]'],
  ['密码是九零三三', '密码是[masked: password]'],
  ['支付密码改成了六一六二零零了', '支付密码改成了[masked: password]了'],
  ['我的密码是 m o o n 4 2', '我的密码是 [masked: password]'],
  ['九零三三是我的银行卡密码', '[masked: password]是我的银行卡密码'],
  ['门禁密码：六、一、六、二', '门禁密码：[masked: password]'],
])('masks a secret that is spelled out: %s', async (text, masked) => {
  expect((await maskSecrets(text)).text).toBe(masked)
})

it.each([
  [
    'My order number is nine zero three three. | Room six one six. | We won three one, then two nil. | Roll 1 2 3 4.',
  ],
  ['My pin is four digits long. | The password is two words long. | The passphrase is five random words.'],
  ['The error code was five zero three. | The exit code is one two seven. | The dress code is black tie.'],
  ['The most common pin is one two three four. | Her name is spelled R-o-s-a. | The chords are c g a f.'],
  ['My favourite combination is one, two, three, four. | The alarm is set for six, seven and eight.'],
  ['One, two, buckle my shoe; three, four, knock at the door. | On 4-2-2019 we met. | They play 4-4-2.'],
  ['密码是六位数字。 | 密码是三年前设的。 | 密码是四个字的成语。 | 验证码一分钟过期。 | 口令是一二一。'],
  [
    '一二三，木头人。 | 订单号是一二三四五六。 | 房间号是四二七一。 | 比分是四比二。 | 四五六是我的密码提示。',
  ],
])('leaves other numbers and spellings as they are: %s', async (texts) => {
  for (const text of texts.split(' | ')) expect((await maskSecrets(text)).text).toBe(text)
})

it('reads long runs of characters at once', async () => {
  const start = performance.now()
  await maskSecrets(`my password is ${'a b '.repeat(20_000)}`)
  await maskSecrets(`my pin is ${'one two '.repeat(20_000)}`)
  await maskSecrets(`密码是${'一二'.repeat(40_000)}`)
  expect(performance.now() - start).toBeLessThan(4_000)
})
