import { describe, expect, it } from 'vitest'
import { asksPast } from './asks-past.ts'

describe('asksPast', () => {
  it.each([
    'Where did I live before?',
    'What was her job?',
    'Who used to be my boss?',
    '我以前住在哪里？',
    '他曾经养过什么？',
  ])('hears it in "%s"', (question) => {
    expect(asksPast(question)).toBe(true)
  })

  it.each(['Where do I live?', 'What is her job?', '我住在哪里？'])('does not in "%s"', (question) => {
    expect(asksPast(question)).toBe(false)
  })
})
