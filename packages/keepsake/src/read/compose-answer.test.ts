import { describe, expect, it } from 'vitest'
import { makeFact, makeMemory, type MemoryTraits } from '../memories/memory-fixture.ts'
import type { RecalledMemory } from '../retrieval/recall-types.ts'
import { estimateTokens } from '@keepsake/text'
import { AnalysedTexts } from '../user-state/analysed-text.ts'
import { readMayAnswer, tokensSpent, type AnswerQuery } from './choose-lines.ts'
import { composeAnswer } from './context.ts'

const DAY = 86_400_000
const AT = Date.UTC(2026, 4, 2)

function fact(id: string, text: string, score: number, traits: MemoryTraits = {}): RecalledMemory {
  const memory = makeFact({ id, text, validFrom: AT, evidence: [], ...traits })
  return { memory, score, parts: {}, evidence: [], pending: false }
}

function said(turn: string, text: string, score: number, session = turn): RecalledMemory {
  const evidence = [
    {
      turn,
      session,
      role: 'user' as const,
      speaker: null,
      at: AT,
      timeZone: null,
      text,
      metadata: null,
      score,
    },
  ]
  const memory = makeMemory({
    id: `m-${turn}`,
    form: 'utterance',
    session,
    validFrom: AT,
    evidence: [{ turn, quote: null }],
  })
  return { memory, score, parts: {}, evidence, pending: false }
}

const WORDS = ['my sister', 'a neighbour', 'the agency', 'our lawyer', 'the council', 'a friend']

const ANSWERED: AnswerQuery = {
  question: 'Where do I live?',
  confidence: 1,
  known: true,
  isWide: false,
  isFilled: false,
  ahead: [],
  stated: new Set<string>(),
  changed: new Map<string, number>(),
}

function answer(memories: readonly RecalledMemory[], traits: Partial<AnswerQuery> = {}, tokens = 1_000) {
  const answered = { ...ANSWERED, ...traits }
  return composeAnswer(memories, answered, { tokens, countTokens: estimateTokens })
}

describe('composeAnswer', () => {
  it('fills what is left with statements where they were written to be read alone, and with no more talk', () => {
    const memories = [
      said('t1', 'From my window I can see the whole harbour of the town.', 3),
      ...Array.from({ length: 30 }, (_, at) =>
        said(`u${at}`, `Then I talked of matter ${at} at length.`, 2.9),
      ),
      ...Array.from({ length: 30 }, (_, at) =>
        fact(`f${at}`, `The user owns boat number ${at}.`, 1 - at / 100),
      ),
    ]
    const spare = answer(memories, { confidence: 0.1, known: false })
    const filled = answer(memories, { confidence: 0.1, known: false, isFilled: true }, 600)
    expect(spare.text).not.toContain('boat')
    expect(filled.tokens).toBeGreaterThan(560)
    const lines = filled.text.split('\n')
    expect(lines[0]).toContain('boat number 0')
    expect(lines.filter((line) => line.includes('boat')).length).toBeGreaterThan(lines.length / 2)
    const few = composeAnswer(
      memories,
      { ...ANSWERED, isFilled: true },
      { tokens: 1_000, countTokens: estimateTokens, lines: 5 },
    )
    expect(few.memories).toBe(5)
  })

  it('leaves out whatever says nothing more than what stands before it, whether or not these texts were told before', () => {
    const memories = [
      said('t1', 'We moved to Lyon in May with the cat and two bikes.', 3),
      said('t2', 'In May we moved to Lyon.', 2.9),
      said('t3', 'In June we moved to Lyon.', 2.8),
      said('t4', 'We did.', 2.7),
      fact('f', 'Moved to Lyon in May.', 2.6),
      fact('g', 'In May, moved to Lyon.', 2.5),
    ]
    const texts = new AnalysedTexts()
    const budget = { tokens: 1_000, countTokens: estimateTokens }
    const shown = [texts, texts, undefined].map(
      (known) => composeAnswer(memories, ANSWERED, { ...budget, texts: known }).shown,
    )
    expect(shown).toEqual([0, 1, 2].map(() => ['f', 'm-t1', 'm-t3', 'm-t4']))
  })

  it('states before it proves, what stands ahead first of all', () => {
    const { text, shown } = answer(
      [said('t1', 'From my window I can see the whole harbour.', 3), fact('f', 'The user lives in Lyon.', 2)],
      { ahead: [{ text: '- [profile, name] "name: Ana"', quoted: null }] },
    )
    expect(text.split('\n')).toEqual([
      '- [profile, name] "name: Ana"',
      '- [since 2026-05-02] "The user lives in Lyon."',
      '- [2026-05-02] user: "From my window I can see the whole harbour."',
    ])
    expect(shown).toEqual(['f', 'm-t1'])
  })

  it('quotes nothing ahead of what was found that this tells as well', () => {
    const lines = (words: string) =>
      answer([said('t1', 'I moved to "Lyon" last week.', 3)], {
        ahead: [{ text: `- [profile, home; 2026-05-02] user: ${JSON.stringify(words)}`, quoted: words }],
      }).text.split('\n')
    expect(lines('I moved to "Lyon" last week.')).toEqual([
      '- [2026-05-02] user: "I moved to \\"Lyon\\" last week."',
    ])
    expect(lines('I live by the river.')).toHaveLength(2)
  })

  it('says of words that something in them is no longer so, and since when', () => {
    const spoken = [said('t1', 'I live in Lyon with my cat.', 3), said('t2', 'The cat likes it here.', 2.9)]
    const { text } = answer(spoken, { changed: new Map([['m-t1', AT + DAY]]) })
    expect(text.split('\n')).toEqual([
      '- [2026-05-02, no longer all current as of 2026-05-03] user: "I live in Lyon with my cat."',
      '- [2026-05-02] user: "The cat likes it here."',
    ])
  })

  it('tells the first alone at length where it is not sure', () => {
    const long = `I live in Lyon. ${'We walked along the river for a while. '.repeat(9)}`
    const memories = ['one', 'two', 'three'].map((id) => said(id, `${id}: ${long}`, 3))
    const wholes = (confidence: number) =>
      answer(memories, { confidence })
        .text.split('\n')
        .filter((line) => !line.includes('…')).length
    expect(wholes(0.5)).toBe(1)
    expect(wholes(0.9)).toBe(3)
  })

  it('does not state again what stands ahead, unless it is asked for', () => {
    const memories = [fact('home', 'The user lives in Lyon.', 3), fact('pet', 'The user has a cat.', 2.9)]
    const stated = new Set(['home', 'pet'])
    expect(answer(memories, { stated, question: 'Where do I live?' }).shown).toEqual(['home'])
  })

  it('puts statements of one matter together, the older before the newer', () => {
    const traits = { subject: 'user', key: 'residence' }
    const { shown } = answer([
      fact('now', 'The user lives in Lyon.', 3, { ...traits, validFrom: AT + DAY }),
      fact('pet', 'The user has a cat that lives outside.', 2.9, { key: 'pets' }),
      fact('then', 'The user lives in Porto.', 2.8, { ...traits, validUntil: AT + DAY }),
    ])
    expect(shown).toEqual(['then', 'now', 'pet'])
  })

  it('does not prove a statement by the words that say no more, and does by those that do', () => {
    const evidence = [{ turn: 't1', quote: null }]
    const states = fact('f', 'The user lives in Lyon.', 2, { evidence })
    expect(answer([said('t1', 'I live in Lyon, by the way.', 3), states]).shown).toEqual(['f'])
    const over = fact('f', 'The user lived in Lyon.', 2, { evidence, validUntil: AT })
    expect(answer([said('t1', 'I lived in Lyon.', 3), over]).shown).toContain('m-t1')
    const question = 'Which street do I live in?'
    expect(
      answer([said('t1', 'I live in Lyon, in a street called Rue Dumont.', 3), states], { question }).shown,
    ).toEqual(['f', 'm-t1'])
  })

  it('leaves out what says nothing more than a better line, and keeps what differs in a number', () => {
    const lines = ['I ran 12 km on Sunday.', 'I ran on Sunday.', 'I ran 15 km on Sunday.']
    const { shown } = answer(lines.map((line, place) => said(`t${place}`, line, 3 - place / 10)))
    expect(shown).toEqual(['m-t0', 'm-t2'])
  })

  it('leaves out what is far below the best', () => {
    expect(
      answer([said('t1', 'I live in Lyon.', 4), said('t2', 'The soup was cold again.', 1)]).shown,
    ).toEqual(['m-t1'])
  })

  it('hears other sessions before one that has had its share', () => {
    const memories = Array.from({ length: 8 }, (_, place) =>
      said(`t${place}`, `I live at number ${place}.`, 3 - place / 10, 'one'),
    )
    const { shown } = answer([...memories, said('other', 'I live by the sea.', 2.1, 'two')])
    expect(shown.indexOf('m-other')).toBe(4)
  })

  it('spends what it is sure of, and little where most likely nothing is known', () => {
    const memories = Array.from({ length: 30 }, (_, place) =>
      said(
        `t${place}`,
        `Once upon a time I lived at number ${place}, with a garden and a view of the sea.`,
        3,
      ),
    )
    const spent = (traits: Partial<AnswerQuery>): number => answer(memories, traits).tokens
    expect(spent({ known: false, confidence: 0.1 })).toBeLessThanOrEqual(150)
    expect(spent({ known: true, confidence: 0.4 })).toBeGreaterThan(spent({ known: false, confidence: 0.3 }))
    expect(spent({ known: true, confidence: 0.9 })).toBeGreaterThan(spent({ known: true, confidence: 0.4 }))
  })

  it('of what is not known tells the less, the less sure it is', () => {
    const spent = (confidence: number): number =>
      tokensSpent(1_000, { known: false, confidence, isWide: false })
    expect(spent(0.05)).toBeLessThanOrEqual(60)
    expect(spent(0.3)).toBeGreaterThan(spent(0.2))
    expect(spent(0.44)).toBeGreaterThan(spent(0.3))
    expect(spent(0.44)).toBeLessThanOrEqual(120)
  })

  it('tells little of two states where neither is likely to be known', () => {
    expect(tokensSpent(1_000, { known: false, confidence: 0.1, isWide: true })).toBeLessThanOrEqual(60)
  })

  it('leaves out, after the first few, what can be seen to hold no answer', () => {
    const garden = Array.from({ length: 6 }, (_, at) =>
      said(`g${at}`, `The rent keeps us busy, ${WORDS[at]}.`, 3),
    )
    const memories = [...garden, said('sum', 'They want 740 euros for it each month.', 2.9)]
    const told = (question: string, traits: Partial<AnswerQuery> = {}) =>
      answer(memories, { question, ...traits }).shown
    expect(told('How much rent do I pay?')).toEqual(['m-g0', 'm-g1', 'm-g2', 'm-sum'])
    expect(told('Why does the rent keep us busy?')).toHaveLength(memories.length)
    expect(told('How much rent do I pay?', { isWide: true })).toHaveLength(memories.length)
    expect(told('How much rent do I pay?', { isFilled: true })).toHaveLength(memories.length)
  })

  it('never costs more than the budget, and spends a small one whole', () => {
    expect(tokensSpent(60, { known: false, confidence: 0, isWide: false })).toBe(60)
    expect(tokensSpent(200, { known: true, confidence: 0.5, isWide: false })).toBe(200)
    expect(tokensSpent(1_000, { known: false, confidence: 0.3, isWide: true })).toBeGreaterThanOrEqual(300)
    const memories = Array.from({ length: 9 }, (_, place) =>
      said(`t${place}`, `I live at number ${place}.`, 3),
    )
    expect(answer(memories, {}, 40).tokens).toBeLessThanOrEqual(40)
  })
})

function may(question: string, ...texts: string[]): boolean | undefined {
  return readMayAnswer(question)?.(texts.map((text) => ({ text })))
}

describe('readMayAnswer', () => {
  it.each([
    ['How much rent do I pay?', 'It is 740 euros.', 'The rent went up.'],
    ['How many cousins has she?', 'She has seven of them.', 'Her cousins came by.'],
    ['What colour is the door?', 'We painted the door green.', 'We painted the door.'],
    ['房租多少钱？', '房租要两千块。', '房租又涨了。'],
  ])('sees whether what %s wants can be there', (question, holds, lacks) => {
    expect(may(question, holds)).toBe(true)
    expect(may(question, lacks)).toBe(false)
    expect(may(question, lacks, holds)).toBe(true)
  })

  it('says nothing of what any words may answer', () => {
    expect(readMayAnswer('What did she think of it?')).toBeNull()
    expect(readMayAnswer('When did we move?')).toBeNull()
    expect(readMayAnswer('我弟弟叫什么名字？')).toBeNull()
  })

  it('reads no text beyond what is worth the time', () => {
    expect(may('How many cousins has she?', 'word '.repeat(2_000))).toBe(true)
  })
})
