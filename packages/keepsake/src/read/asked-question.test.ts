import { InvalidInputError, estimateTokens } from '@keepsake/text'
import { describe, expect, it } from 'vitest'
import type { RecallOptions } from '../retrieval/recall-types.ts'
import { NOW, openEngine } from '../work/engine-fixture.ts'
import { MAX_QUESTION_LENGTH, readRecallQuery } from './query.ts'

async function read(options: RecallOptions = {}, question: unknown = 'Where do I live?') {
  const { engine } = await openEngine()
  return readRecallQuery(engine, question as string, options)
}

describe('a question', () => {
  it('has what the preset and the clock say where the caller says nothing', async () => {
    expect(await read()).toEqual({
      text: 'Where do I live?',
      limit: 10,
      tokens: 1_000,
      now: NOW,
      asOf: null,
      types: null,
      forms: null,
      timeZone: null,
      speaker: null,
      where: null,
      said: null,
      during: null,
      profile: true,
      blocks: true,
      shown: new Set(),
      shownTurns: new Set(),
      countTokens: estimateTokens,
    })
  })

  it('has what the caller says, with times read', async () => {
    const given = {
      limit: 3,
      tokens: 50,
      types: ['event'],
      forms: ['fact'],
      timeZone: 'Asia/Tokyo',
      speaker: 'Mia',
      where: { path: 'channel', is: 'web' },
      profile: false,
      blocks: false,
      countTokens: (text: string) => text.length,
    } as const
    expect(
      await read({
        ...given,
        excludeTexts: ['What\n now?'],
        now: '2024-03-04T10:00:00Z',
        asOf: new Date(5),
        said: { from: '2024-03' },
      }),
    ).toEqual({
      text: 'Where do I live?',
      ...given,
      said: { from: Date.UTC(2024, 1, 29, 15), to: Number.POSITIVE_INFINITY },
      during: null,
      now: Date.UTC(2024, 2, 4, 10),
      asOf: 5,
      shown: new Set(['What now?']),
      shownTurns: new Set(),
    })
  })

  it('is read to its first and last 2,000 characters where it is longer than both, and mended', async () => {
    const most = 'x'.repeat(MAX_QUESTION_LENGTH)
    expect((await read({}, most)).text).toBe(most)
    const long = await read({}, `Who is Ann?${' and'.repeat(30_000)}\nWhere is she?`)
    expect(long.text).toMatch(/^Who is Ann\?.*\nWhere is she\?$/s)
    expect(long.text).toHaveLength(MAX_QUESTION_LENGTH + 1)
    expect((await read({}, 'Who \ud800?')).text).toBe('Who \ufffd?')
  })

  it('must be a string', async () => {
    await expect(read({}, 7)).rejects.toThrow(
      new InvalidInputError('The question must be a string, but it is the number 7.'),
    )
  })

  it.each([
    ['limit', 1, 1_000],
    ['tokens', 1, 10_000_000],
  ] as const)('takes a %s from %d to %d', async (name, least, most) => {
    for (const count of [least, most]) expect(await read({ [name]: count })).toHaveProperty(name, count)
    for (const count of [least - 1, most + 1, 1.5, Number.NaN])
      await expect(read({ [name]: count })).rejects.toThrow(
        new InvalidInputError(
          `${name} must be a whole number from 1 to ${most}, but it is the number ${count}.`,
        ),
      )
  })

  it('may name forms that the preset recalls, and no others', async () => {
    expect((await read({ forms: ['utterance', 'fact'] })).forms).toEqual(['utterance', 'fact'])
    await expect(read({ forms: ['fact', 'story', 'portrait'] })).rejects.toThrow(
      new InvalidInputError(
        'forms names "story", but preset keepsake recalls utterance, fact, note and block. Others can be listed with memories() and story().',
      ),
    )
  })
})
