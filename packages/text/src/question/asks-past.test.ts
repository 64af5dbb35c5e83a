import { describe, expect, it } from 'vitest'
import { asksChange, asksPast } from './asks-past.ts'

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

describe('asksChange', () => {
  it.each([
    'Where do I live now, and where did I live before?',
    'Which tablets did I take at first, and which do I take these days?',
    'How has my commute changed?',
    '我现在住哪儿，以前呢？',
    '我原来的班次现在变了没有？',
  ])('hears that “%s” asks for two states', (question) => {
    expect(asksChange(question)).toBe(true)
  })

  it.each(['Where do I live now?', 'What did I do before?', 'Who told me?', '我现在住哪儿？'])(
    'hears that “%s” asks for one',
    (question) => {
      expect(asksChange(question)).toBe(false)
    },
  )
})
