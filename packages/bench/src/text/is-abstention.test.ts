import { expect, it } from 'vitest'
import { isAbstention } from './is-abstention.ts'

it.each([
  'I was not told her age.',
  'No age was told in the talk.',
  'Her age cannot be told from this.',
  'I do not know her age.',
])('takes as an abstention: %s', (answer) => expect(isAbstention(answer)).toBe(true))

it.each(['The film never ends.', 'She is 34.'])('takes as an answer: %s', (answer) =>
  expect(isAbstention(answer)).toBe(false),
)
