import { describe, expect, it } from 'vitest'
import { makeFact, makeMemory, type MemoryTraits } from '../memories/memory-fixture.ts'
import type { RecalledMemory } from '../retrieval/recall-types.ts'
import { estimateTokens } from '@keepsake/text'
import { AnalysedTexts } from '../user-state/analysed-text.ts'
import type { AnswerQuery } from './choose-lines.ts'
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

const ANSWERED: AnswerQuery = {
  question: 'Where do I live?',
  asks: 'user',
  isFilled: false,
  ahead: [],
  changed: new Map<string, number>(),
}

function answer(memories: readonly RecalledMemory[], traits: Partial<AnswerQuery> = {}, tokens = 1_000) {
  const answered = { ...ANSWERED, ...traits }
  return composeAnswer(memories, answered, { tokens, countTokens: estimateTokens })
}

describe('composeAnswer', () => {
  it('dates what several places answer by day, in order of time, under one line a day', () => {
    const on = (recalled: RecalledMemory, day: number): RecalledMemory => {
      const validFrom = AT + day * DAY
      return { ...recalled, memory: { ...recalled.memory, validFrom } }
    }
    const memories = [
      on(said('t3', 'I tried the ramen place by the station.', 3), 2),
      on(said('t1', 'We had pizza at Nino, burnt as ever.', 2.9), 0),
      on(said('t2', 'Nino closed, we went to the noodle bar.', 2.8), 2),
      fact('f1', 'The user likes ramen.', 2),
    ]
    const { text, tokens, shown } = answer(memories, {
      question: 'Which places have I tried?',
      isOfSeveral: true,
    })
    expect(text.split('\n')).toEqual([
      '- [since 2026-05-02] "The user likes ramen."',
      '[2026-05-02] user:',
      '- "We had pizza at Nino, burnt as ever."',
      '[2026-05-04] user:',
      '- "I tried the ramen place by the station."',
      '- "Nino closed, we went to the noodle bar."',
    ])
    expect(shown).toEqual(['f1', 'm-t1', 'm-t3', 'm-t2'])
    const few = answer(memories, { isOfSeveral: true }, tokens - 3)
    expect(few.tokens).toBeLessThanOrEqual(tokens - 3)
    expect(few.memories).toBeLessThan(4)
  })

  it('fills what is left with statements where they were written to be read alone, and with no more talk', () => {
    const memories = [
      said('t1', 'From my window I can see the whole harbour of the town.', 3),
      ...Array.from({ length: 30 }, (_, at) =>
        said(`u${at}`, `Then I talked of matter ${at} at length.`, 2.9),
      ),
      ...Array.from({ length: 30 }, (_, at) =>
        fact(`f${at}`, `The user owns boat number ${at}.`, 0.4 - at / 100),
      ),
    ]
    const spare = answer(memories)
    const filled = answer(memories, { isFilled: true }, 600)
    expect(spare.text).not.toContain('boat')
    expect(filled.tokens).toBeGreaterThan(550)
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
      '[2026-05-02] user:',
      '- "From my window I can see the whole harbour."',
    ])
    expect(shown).toEqual(['f', 'm-t1'])
  })

  it('quotes nothing ahead of what was found that this tells as well', () => {
    const lines = (words: string) =>
      answer([said('t1', 'I moved to "Lyon" last week.', 3)], {
        ahead: [{ text: `- [profile, home; 2026-05-02] user: ${JSON.stringify(words)}`, quoted: words }],
      }).text.split('\n')
    expect(lines('I moved to "Lyon" last week.')).toEqual([
      '[2026-05-02] user:',
      '- "I moved to \\"Lyon\\" last week."',
    ])
    expect(lines('I live by the river.')).toHaveLength(3)
  })

  it('says of words that something in them is no longer so, and since when', () => {
    const spoken = [said('t1', 'I live in Lyon with my cat.', 3), said('t2', 'The cat likes it here.', 2.9)]
    const { text } = answer(spoken, { changed: new Map([['m-t1', AT + DAY]]) })
    expect(text.split('\n')).toEqual([
      '[2026-05-02] user:',
      '- [no longer all current as of 2026-05-03] "I live in Lyon with my cat."',
      '- "The cat likes it here."',
    ])
  })

  it('shows whole turns, and of one that is too long whole sentences: those that bear on the question', () => {
    const walks = Array.from({ length: 40 }, (_, at) => `On day ${at} we walked to the mill and back.`)
    const long = [...walks.slice(0, 20), 'I live above the bakery.', ...walks.slice(20)].join(' ')
    const { text } = answer([said('t1', long, 3), said('t2', 'I live with a cat. She is old.', 2.9)])
    expect(text).toContain('On day 0 we walked to the mill and back.')
    expect(text).toContain('I live above the bakery. On day 20 we walked to the mill and back.')
    expect(text).toContain('"I live with a cat. She is old."')
    for (const shown of text.split('…').slice(1)) expect(shown).toMatch(/^(?: On day | I live |"\n)/)
  })

  it('shows the best whatever its turn states already', () => {
    const evidence = [{ turn: 't1', quote: null }]
    const states = fact('f', 'The user takes iron.', 2, { evidence })
    const words = 'I take iron for my blood. And nuts make my throat close up.'
    const ahead = [{ text: '- [profile, health] "takes iron"', quoted: null }]
    const { text } = answer([said('t1', words, 3), states], { question: 'Am I allergic to anything?', ahead })
    expect(text).toContain('nuts make my throat close up')
  })

  it('shows some of the best also where the budget is small', () => {
    const long = 'We walked and walked and walked along the river, as far as the weir. '.repeat(30)
    const { text, tokens } = answer([said('t1', `${long}I live at the weir.`, 3)], {}, 60)
    expect(text).toContain('I live at the weir.')
    expect(tokens).toBeLessThanOrEqual(60)
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

  it('leaves out what says nothing more than a better line, and keeps what differs in a number', () => {
    const lines = ['I ran 12 km on Sunday.', 'I ran on Sunday.', 'I ran 15 km on Sunday.']
    const { shown } = answer(lines.map((line, place) => said(`t${place}`, line, 3 - place / 10)))
    expect(shown).toEqual(['m-t0', 'm-t2'])
  })

  it('leaves out what is far below the best', () => {
    expect(
      answer([said('t1', 'I live in Lyon.', 4), said('t2', 'The soup was cold again.', 0.5)]).shown,
    ).toEqual(['m-t1'])
  })

  it('spends the budget, and shows a few lines only where so many are asked for', () => {
    const memories = Array.from({ length: 60 }, (_, place) =>
      said(
        `t${place}`,
        `Once upon a time I lived at number ${place}, with a garden and a view of the sea.`,
        3,
      ),
    )
    expect(answer(memories).tokens).toBeGreaterThan(950)
    const budget = { tokens: 1_000, countTokens: estimateTokens, lines: 4 }
    expect(composeAnswer(memories, ANSWERED, budget).memories).toBe(4)
  })

  it('leaves out what the agent alone stated, unless the question is about the agent', () => {
    const memories = [
      fact('own', 'The user lives in Lyon.', 3),
      fact('guess', 'The user lives by the river.', 2.9, { label: 'agent-stated' }),
    ]
    expect(answer(memories).shown).toEqual(['own'])
    expect(answer(memories, { asks: 'assistant' }).shown).toEqual(['own', 'guess'])
  })

  it('never costs more than the budget', () => {
    const memories = Array.from({ length: 9 }, (_, place) =>
      said(`t${place}`, `I live at number ${place}.`, 3),
    )
    expect(answer(memories, {}, 40).tokens).toBeLessThanOrEqual(40)
  })
})
