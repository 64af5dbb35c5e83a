import * as fc from 'fast-check'
import { findPreset } from '@keepsake/papers'
import { describe, expect, it } from 'vitest'
import { countedForms, itemsOf, splitStatements } from './counted-memories.ts'

describe('what counts as a memory of a preset', () => {
  it.each([
    ['keepsake', ['fact'], ['fact']],
    ['moom', ['fact', 'story'], ['fact', 'story']],
    ['mmm', ['fact'], ['fact']],
    ['comedy', ['portrait'], ['summary']],
    ['resum', ['portrait'], ['summary']],
    ['memochat', ['summary'], ['summary']],
    ['lufy', ['utterance', 'summary', 'portrait'], ['utterance', 'summary']],
    ['naive-rag', ['utterance'], ['utterance']],
    ['first-in-first-out', ['utterance'], ['utterance']],
  ] as const)('%s', (name, standing, dialogue) => {
    expect(countedForms(findPreset(name))).toEqual({ standing, dialogue })
  })

  it('of resum with a model is what is new in the portrait, since it makes no session memories', () => {
    const preset = findPreset('resum', { model: true })
    expect(countedForms(preset)).toEqual({ standing: ['portrait'], dialogue: ['portrait'] })
  })

  it('of memory-bank with a model is the portrait as well, and its pairs and summaries of a dialogue', () => {
    expect(countedForms(findPreset('memory-bank', { model: true }))).toEqual({
      standing: ['utterance', 'summary', 'portrait'],
      dialogue: ['utterance', 'summary'],
    })
  })
})

describe('the statements of a compressed memory', () => {
  it('are its sentences and lines, without bullets', () => {
    const text =
      '- Nadia tunes pianos. She lives in Halifax.\n\n* Her father is Sami!\n---\n她住在苏州。他是老师。'
    expect(splitStatements(text).map((one) => one.text)).toEqual([
      'Nadia tunes pianos.',
      'She lives in Halifax.',
      'Her father is Sami!',
      '她住在苏州。',
      '他是老师。',
    ])
  })

  it('stand in it where they say, in order, and leave out nothing that says something', () => {
    const text = fc.array(fc.constantFrom('Ana', ' ', '. ', '\n', '- ', '。', '好', '1', '!', '…'), {
      maxLength: 40,
    })
    fc.assert(
      fc.property(text, (pieces) => {
        const whole = pieces.join('')
        const found = splitStatements(whole)
        for (const { text: told, start, end } of found) expect(whole.slice(start, end)).toBe(told)
        for (const [i, one] of found.entries())
          expect(one.start).toBeGreaterThanOrEqual(found[i - 1]?.end ?? 0)
        const letters = (of: string): string => of.replaceAll(/[^\p{L}\p{N}]/gu, '')
        expect(letters(found.map(({ text: told }) => told).join(''))).toBe(letters(whole))
      }),
    )
  })
})

it('says of a fact that is over until when it held', () => {
  const fact = { id: 'm1', form: 'fact', text: 'Ana lives in Lyon.', evidence: [{ turn: 't1', quote: null }] }
  const over = { ...fact, validUntil: Date.UTC(2026, 4, 3) } as unknown as Parameters<typeof itemsOf>[0]
  expect(itemsOf(over)).toEqual([
    { id: 'm1', text: 'Ana lives in Lyon. (no longer current as of 2026-05-03)', turns: ['t1'] },
  ])
  const chinese = { ...over, text: '安娜住在里昂。' }
  expect(itemsOf(chinese)).toMatchObject([{ text: '安娜住在里昂。（截至2026-05-03已不是最新情况）' }])
})
