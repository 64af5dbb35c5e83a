import { expect, it } from 'vitest'
import { answerWithSubject } from './answer-fragments.ts'

it.each([
  ['Do you have any pets?', 'Yes, two budgies', 'I have two budgies.'],
  ['Do you have kids?', 'three', 'I have three kids.'],
  ['Do you have siblings?', 'one brother', 'I have one brother.'],
  ['Which languages do you speak?', 'Czech and Polish', 'I speak Czech and Polish.'],
  ['Any dietary restrictions?', 'strict vegan', 'I am strict vegan.'],
  ['Are you married?', 'Yes, to Oskar', 'I am married to Oskar.'],
  ['Where did you grow up?', 'Tralee', 'I grew up in Tralee.'],
  ['Where were you born?', 'In Cork!', 'I was born in Cork.'],
  ['How old is your son?', '11', 'My son is 11.'],
  ["How old's your dog?", '3 years old', 'My dog is 3 years old.'],
  ['Do you live in Bristol?', 'No, Bath', 'I live in Bath.'],
  ['So, do you still work at Aldi?', 'Nope. Lidl!', 'I work at Lidl.'],
  ['Are you from Cork?', 'nah, Tralee', 'I am from Tralee.'],
  ['Is your name Anna?', 'No, Hannah', 'My name is Hannah.'],
  ['Are you a nurse?', 'No, a vet', 'I am a vet.'],
  ['What do you do?', 'unemployed at the moment', 'I am unemployed at the moment.'],
  ['What do you do?', 'nurse', 'I am a nurse.'],
  ['What do you do?', 'architect', 'I am an architect.'],
  ['Where do you live?', 'just outside York', 'I live outside York.'],
])('%s %s: %s', (question, answer, full) => {
  expect(answerWithSubject(question, answer)).toBe(full)
})

it.each([
  ['Do you live in Bristol?', 'No, thanks'],
  ['Do you live in Bristol?', 'No, not any more'],
  ['Do you live in Bristol?', 'No, I live in Bath'],
  ['Do you live in Bristol?', 'No, on a boat'],
  ['Do you work at Aldi?', 'No, never'],
  ['Are you a nurse?', 'No, a nurse would know'],
  ['Are you married?', 'to my job'],
  ['How is the diet?', 'awful'],
  ['How old is your son?', 'a teenager'],
  ['How old is the house?', '11'],
  ['Do you have any pets?', 'Yes, I do'],
  ['What is your name?', 'No, Anna'],
])('%s %s: no value', (question, answer) => {
  expect(answerWithSubject(question, answer)).toBeNull()
})
