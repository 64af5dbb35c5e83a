import { expect, it } from 'vitest'
import type { ScopedMemory } from 'keepsake'
import { openForTest } from './open-for-test.ts'

async function say(...texts: readonly string[]): Promise<ScopedMemory> {
  const keepsake = await openForTest()
  const user = keepsake.scope({ user: 'u' })
  const at = Date.UTC(2024, 0, 1, 18)
  for (const [place, text] of texts.entries())
    await user.remember({ role: 'user', text, id: `t${place}`, at: at + place * 60_000 })
  await keepsake.drain()
  return user
}

const values = async (user: ScopedMemory) => (await user.instructions()).map(({ value }) => value)

it.each([
  ['From now on, write to me in lower case.', 'lower case'],
  ['Answer briefly.', 'Answer briefly'],
  ['Never mention my stepfather.', 'stepfather'],
  ['Please stop calling me buddy.', 'buddy'],
  ['以后请用英文回答我。', '英文'],
  ['叫我小满就好。', '小满'],
  ['Antworte bitte immer auf Deutsch.', 'Deutsch'],
  ['Llámame Nando.', 'Nando'],
  ['could you please always reply in lower case?', 'lower case'],
  ["one rule: don't bring up Henrik. ever.", 'Henrik'],
  ["whenever I complain about work, don't give me advice, just listen", 'advice'],
  ["I'd prefer if you wrote to me in plain English", 'plain English'],
  ['use metric units with me, im european', 'metric'],
  ['going forward, answers in bullet points only', 'bullet points'],
  ['别再提我前男友了', '前男友'],
  ['每次给我推荐菜的时候都别放香菜', '香菜'],
  ['说话温柔一点嘛', '温柔'],
])('stands in every context: %s', async (text, part) => {
  const user = await say(text, 'It rained all day.')
  expect(await values(user)).toHaveLength(1)
  const { context } = await user.recall('How do whales breathe?')
  expect(context.text).toContain(part)
})

it.each([
  'I never use emojis.',
  'My boss always answers in German.',
  'Translate this: "Always answer in German."',
  'Answer the door.',
  'From now on I will run every day.',
  '以后我要多跑步。',
  'Give it to me.',
  'call me an ambulance haha',
  "don't ask me why but I cried at the vet",
  'stop saying sorry, I told my mum',
  'can you answer in French this time?',
  "don't mention it, happy to help",
  '叫我起床的闹钟坏了',
  '别提多开心了！',
])('is no instruction: %s', async (text) => {
  expect(await values(await say(text))).toEqual([])
})

it.each([
  ['Never use emojis with me.', 'You can use emojis again.'],
  ['Always answer in German.', "You don't have to answer in German anymore."],
  ['别用表情。', '可以用表情了。'],
  ['talk to me like a pirate from here on out lol', 'ok enough with the pirate talk'],
  ['以后别用表情符号', '算了，表情可以用了'],
])('is withdrawn by the user: %s – %s', async (asked, ended) => {
  const user = await say(asked, ended)
  expect(await values(user)).toEqual([])
  expect((await user.recall('Hello?')).context.text).not.toContain('asked:')
})

it('is forgotten and brought back like any memory', async () => {
  const user = await say('Always answer in German.')
  const [asked] = await user.instructions()
  const { id } = await user.forget(asked?.id ?? '')
  expect(await values(user)).toEqual([])
  await user.undo(id)
  expect(await values(user)).toEqual(['Always answer in German.'])
})
