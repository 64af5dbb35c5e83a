import { expect, it } from 'vitest'
import { findNames } from './find-names.ts'

it.each([
  ['My sister Mia is allergic to peanuts.', ['Mia']],
  ['I live with Priya and our cat Bruno in Lyon.', ['Priya', 'Bruno', 'Lyon']],
  ['I work for Sanofi; my boss Oluwaseun Adeyemi yelled at me.', ['Sanofi', 'Oluwaseun Adeyemi']],
  ["I moved to Porto in March, to Joana's flat.", ['Porto', 'Joana']],
  ['My therapist Dr. Kowalczyk says rest.', ['Kowalczyk']],
  ['I’m Bo, and Xiaoyu and I speak French.', ['Bo', 'Xiaoyu']],
  ['May I go on Monday? My Mum drives. Call the TV shop.', []],
  ['Sourdough is fun. Work is hard.', []],
  ['我叫林小雨，王老师和小李都在。', ['林小雨', '小李', '王老师']],
  ['我是护士，在上海工作。', []],
])('in %s', (text, names) => {
  expect(findNames([text])).toEqual(names)
})
