import { expect, it } from 'vitest'
import { show } from './show.ts'

const narrowing = (scope: number) => ({ agent: `agent ${scope}`, app: null })

it('tells moments and scopes as callers know them, however deep, and metadata as it came', () => {
  const given = {
    scope: 3,
    text: 'I moved.',
    memories: [{ memory: { scope: 4, validFrom: 0, validUntil: null, metadata: { at: 1, scope: 2 } } }],
    round: 5,
  }
  expect(show(given, narrowing)).toEqual({
    agent: 'agent 3',
    app: null,
    text: 'I moved.',
    memories: [
      {
        memory: {
          agent: 'agent 4',
          app: null,
          validFrom: '1970-01-01T00:00:00.000Z',
          validUntil: null,
          metadata: { at: 1, scope: 2 },
        },
      },
    ],
    round: 5,
  })
})

it('copies nothing that goes out as it is, and changes nothing that it was given', () => {
  const parts = { lexical: 0.5, semantic: 0.25 }
  const given = { at: 1_000, parts, origin: { preset: 'keepsake', model: null } }
  const shown = show(given, narrowing)
  expect(shown.parts).toBe(parts)
  expect(shown.origin).toBe(given.origin)
  expect(given.at).toBe(1_000)
  expect(shown.at).toBe('1970-01-01T00:00:01.000Z')
})

it('tells each moment as it is, however many were told before', () => {
  const moments = Array.from({ length: 20_000 }, (_, index) => index * 7_919_123)
  const tell = () => moments.map((at) => show({ at }, narrowing).at)
  const dates = moments.map((at) => new Date(at).toISOString())
  expect(tell()).toEqual(dates)
  expect(tell()).toEqual(dates)
  expect(() => show({ at: Number.NaN }, narrowing)).toThrow(RangeError)
})
