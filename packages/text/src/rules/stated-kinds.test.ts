import { expect, it } from 'vitest'
import { readPartOfLife, readStatedKind } from './stated-kinds.ts'

it.each([
  ['my weight', 'I weigh 92 kilos.', 'My mother weighs 60 kilos.'],
  ['salary', 'I make 4,000 a month.', 'I make 20 cakes a day.'],
  ['my address', 'I live at 22 Canal Street.', 'My aunt lives at 3 Mill Lane.'],
  ['where I live', 'I moved to Ghent.', 'Ghent is lovely.'],
  ['how old I am', 'I turned 47 in March.', "I'm 92 kg."],
  ['我的工资', '我每个月挣八千块。', '他每个月挣八千块。'],
  ['mein Gewicht', 'Ich wiege 92 Kilo.', 'Das Paket wiegt 9 Kilo.'],
  ['mi dirección', 'Vivo en la calle Mayor 8.', 'La calle Mayor es larga.'],
  ['나이', '나는 31살이야.', '언니는 31살이야.'],
])('finds how %s is stated', (about, said, other) => {
  expect(readStatedKind(about)?.states.test(said)).toBe(true)
  expect(readStatedKind(about)?.states.test(other)).toBe(false)
})

it('reads no kind in other topics', () => {
  for (const about of ["my mother's weight", 'the weight of the parcel', 'age of empires', 'Tom'])
    expect(readStatedKind(about)).toBeNull()
})

it.each([
  ['my religion', 'I go to mass at St Anne on Sundays.', 'I go to the gym on Sundays.'],
  ['the money thing', 'I owe the bank 9k.', 'I have nine cats.'],
  ['anything medical', 'They are operating in spring.', 'They are moving in spring.'],
  ['身体上的毛病', '我有甲状腺炎。', '我有一只猫。'],
  ['联系方式', '我微信号是abc。', '我姓周。'],
])('finds what may be said of %s', (about, said, other) => {
  expect(readPartOfLife(about)?.states.test(said)).toBe(true)
  expect(readPartOfLife(about)?.states.test(other)).toBe(false)
})
