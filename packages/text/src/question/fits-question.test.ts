import { expect, it } from 'vitest'
import { fitsQuestion } from './fits-question.ts'

it.each([
  ['Where does your sister live?', 'In Ghent.'],
  ['Where did you grow up?', 'Tromsø, mostly.'],
  ['Which city was it?', 'ghent'],
  ['Where did you go for your honeymoon?', 'Madeira. It rained.'],
  ['Why did you quit?', 'The pay was poor.'],
  ['How is your leg?', 'Better than last week, thanks!'],
  ['你妹妹住在哪里？', '南京。'],
  ['你为什么辞职？', '工资太低了。'],
])('%s “%s” may answer', (question, reply) => {
  expect(fitsQuestion(question, reply)).toBe(true)
})

it.each([
  ['Where does your sister live?', 'Never mind her.'],
  ['Where did you grow up?', 'what a tiring day it was'],
  ['Why did you quit?', 'Long story.'],
  ['Are you allergic to anything?', 'Good question, let us talk about food.'],
  ['When is your exam?', "I don't know."],
  ['你住在哪里？', '呵呵。'],
  ['你为什么辞职？', '别提了，说来话长。'],
])('%s “%s” is none', (question, reply) => {
  expect(fitsQuestion(question, reply)).toBe(false)
})
