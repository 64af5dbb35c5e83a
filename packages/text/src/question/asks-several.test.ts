import { expect, it } from 'vitest'
import { asksSeveral } from './asks-several.ts'

it.each([
  'What classes has she taken her dogs to?',
  'Which places have they tried?',
  'What kinds of yoga has Maria practised?',
  'How many times have I been to the beach?',
  'How many months passed between the first and the second?',
  'What has Melanie painted?',
  'What do Jon and Gina have in common?',
  '我去过哪些地方？',
  '我一共搬了几次家？',
  '她看过什么书？',
  '两次旅行之间隔了多久？相差几个月？',
])('asks for several: %s', (question) => {
  expect(asksSeveral(question)).toBe(true)
})

it.each([
  'How old is her dog?',
  'Where does my sister live?',
  'What does Tom do?',
  'What is this called?',
  'What sets off my migraines?',
  'Which medicine gives me a rash?',
  'How many ewes do I keep?',
  '我妹妹住在哪里？',
  '我现在一天喝几杯咖啡？',
])('asks for one: %s', (question) => {
  expect(asksSeveral(question)).toBe(false)
})
