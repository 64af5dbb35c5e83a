import { describe, expect, it } from 'vitest'
import type { SummarySource } from '../prompts/render-summary-sources.ts'
import { supportedSummary } from './summarise-by-model.ts'

const source = (turn: string, traits: Partial<SummarySource> = {}): SummarySource => {
  return { turn, text: turn, role: 'user', speaker: null, at: 1, ...traits }
}
const SOURCES = [source('t1'), source('t2'), source('t3')]
const told = (text: string, ...turns: number[]) => ({ text, turns })
const summary = (sentences: readonly ReturnType<typeof told>[], most = 500, sources = SOURCES) =>
  supportedSummary([{ label: null, sentences }], sources, most)

describe('what was told as a summary', () => {
  it('rests on the sources that its sentences name, in the order of these, each once', () => {
    expect(summary([told('They met.', 3, 1), told(' They parted.\n', 1)])).toEqual({
      text: 'They met. They parted.',
      evidence: [
        { turn: 't1', quote: null },
        { turn: 't3', quote: null },
      ],
    })
  })

  it('rests on what an earlier summary rests on where that is its source', () => {
    const evidence = [
      { turn: 't7', quote: 'we met' },
      { turn: 't1', quote: null },
    ]
    expect(
      summary([told('They met.', 1, 2)], 500, [source('t1'), source('s1', { evidence })])?.evidence,
    ).toEqual([{ turn: 't1', quote: null }, evidence[0]])
  })

  it('loses sentences that name no source that exists, and empty ones', () => {
    const sentences = [told('They met.', 4), told('They parted.', 0, 2), told('They sang.'), told(' ', 1)]
    expect(summary(sentences)).toEqual({ text: 'They parted.', evidence: [{ turn: 't2', quote: null }] })
    expect(summary([told('They met.', 9)])).toBeNull()
    expect(supportedSummary([], SOURCES, 500)).toBeNull()
  })

  it('loses sentences from the end until the rest fits, with a tenth to spare', () => {
    const sentences = [told('a'.repeat(10), 1), told('b'.repeat(10), 2), told('c'.repeat(10), 3)]
    expect(summary(sentences, 29)?.text).toHaveLength(32)
    expect(summary(sentences, 28)).toEqual({
      text: `${'a'.repeat(10)} ${'b'.repeat(10)}`,
      evidence: [
        { turn: 't1', quote: null },
        { turn: 't2', quote: null },
      ],
    })
  })

  it('is cut where the one sentence that is left is too long', () => {
    expect(summary([told('a'.repeat(100), 1)], 10)?.text).toBe('a'.repeat(11))
  })

  it('keeps its parts in lines after their labels, and the last sentence of all is the first to go', () => {
    const sections = [
      { label: 'Events: ', sentences: [told('They met.', 1)] },
      { label: 'User: ', sentences: [] },
      { label: 'Agent: ', sentences: [told('It helps.', 2), told('It sings.', 3)] },
    ]
    expect(supportedSummary(sections, SOURCES, 500)?.text).toBe(
      'Events: They met.\nAgent: It helps. It sings.',
    )
    expect(supportedSummary(sections, SOURCES, 33)?.text).toBe('Events: They met.\nAgent: It helps.')
    expect(supportedSummary(sections, SOURCES, 20)?.text).toBe('Events: They met.')
  })
})
