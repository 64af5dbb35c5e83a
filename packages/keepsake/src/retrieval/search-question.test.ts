import { BM25_ONLY, DocumentTrait, HYBRID, SearchIndex } from '@keepsake/search'
import type { RetrievalRecipe, SearchDocument, SearchOptions, SearchResult } from '@keepsake/search'
import { analyseText, findTerms, TextTrait } from '@keepsake/text'
import { describe, expect, it } from 'vitest'
import { AnalysedText } from '../user-state/analysed-text.ts'
import { readConfidenceTraits } from './confidence-traits.ts'
import { KNOWN_FROM, measureConfidence } from './measure-confidence.ts'
import { readQuestionFor, searchIndex, textsBeforeTurn } from './search-question.ts'

const DAY = 86_400_000
const now = Date.UTC(2024, 5, 15, 12)

function turn(id: string, text: string, more: Partial<SearchDocument> = {}): SearchDocument {
  const base = {
    kind: 'turn',
    scope: 1,
    session: 's1',
    position: 0,
    role: 'user',
    speaker: null,
    at: now - DAY,
  } as const
  return { id, ...base, vector: null, ...analyseText(text), ...more }
}

function talk(
  lines: readonly (readonly [string, string])[],
  more: Partial<SearchDocument> = {},
): SearchDocument[] {
  return lines.map(([speaker, text], position) =>
    turn(`${more.session ?? 's1'}-${position}`, text, { speaker, position, ...more }),
  )
}

function fill(documents: readonly SearchDocument[]): SearchIndex {
  const index = new SearchIndex()
  for (const document of documents) index.add(document)
  return index
}

function ask(
  index: SearchIndex,
  question: string,
  recipe: RetrievalRecipe = HYBRID,
  options: Partial<SearchOptions> = {},
): SearchResult {
  const read = readQuestionFor(index, question, { now })
  return searchIndex(index, { read, vector: null }, recipe, { limit: 100, now, ...options })
}

/** How sure a search is, where documents tell their own words. */
function confidence(
  index: SearchIndex,
  question: string,
  texts: Readonly<Record<string, string>> = {},
): number {
  const { evidence } = ask(index, question)
  const textOf = (id: string): string => texts[id] ?? ''
  const holds = (word: string): boolean => index.turnsWith(findTerms(word)).length > 0
  const statementsOf = (id: string) => new AnalysedText(textOf(id)).statements
  const { named } = readQuestionFor(index, question, { now })
  const textsBefore = (id: string): string[] => textsBeforeTurn(index, id, textOf)
  const read = { textOf, statementsOf, holds, textsBefore, otherNames: () => [], self: [] }
  return measureConfidence(readConfidenceTraits({ asked: question, named }, evidence, read))
}

const ids = (result: SearchResult): string[] => result.hits.map((hit) => hit.id)

it('gives traits the bits that the index reads', () => {
  expect(TextTrait).toMatchObject(DocumentTrait)
})

describe('golden rankings', () => {
  const twoPeople = fill([
    ...talk([
      ['Nadia', 'Hi Tom! How was your week?'],
      ['Tom', 'Busy. I started pottery lessons on Tuesday, the clay is a mess.'],
      ['Nadia', 'Lovely! I have been repairing my old bicycle.'],
      ['Tom', 'What is wrong with it?'],
      ['Nadia', 'The chain snapped near the canal.'],
    ]),
    ...talk(
      [
        ['Tom', 'My sister Ines is visiting from Porto.'],
        ['Nadia', 'How long will she stay?'],
        ['Tom', 'Nine days, she flies home on the 20th.'],
      ],
      { session: 's2', at: now },
    ),
  ])

  it('finds the turn by other forms of its words', () => {
    expect(ids(ask(twoPeople, 'Which lesson did Tom start?'))[0]).toBe('s1-1')
  })

  it('finds an answer that shares no word with the question through the question it follows', () => {
    expect(ids(ask(twoPeople, 'How long will Ines stay?')).slice(0, 2)).toContain('s2-2')
    expect(ids(ask(twoPeople, 'How long will Ines stay?', BM25_ONLY))).toContain('s2-1')
  })

  it('prefers the person asked about', () => {
    const index = fill(
      talk([
        ['Nadia', 'I adore jazz records.'],
        ['Tom', 'I adore jazz records.'],
      ]),
    )
    expect(ids(ask(index, 'What does Tom adore?'))[0]).toBe('s1-1')
    expect(ids(ask(index, 'What does Nadia adore?'))[0]).toBe('s1-0')
  })

  it('prefers the time asked about', () => {
    const index = fill([
      turn('may', 'I cooked a stew', { session: 'a', at: Date.UTC(2024, 4, 4, 12) }),
      turn('june', 'I cooked a stew', { session: 'b', at: Date.UTC(2024, 5, 14, 12) }),
    ])
    expect(ids(ask(index, 'What did I cook on May 4th?'))[0]).toBe('may')
    expect(ids(ask(index, 'What did I cook yesterday?'))[0]).toBe('june')
  })

  it('works in Chinese, where “I” is the user and “you” the agent', () => {
    const index = fill([
      turn('u', '我推荐你看《活着》这本书', { session: 'a', role: 'user' }),
      turn('a', '我推荐你看《边城》这本书', { session: 'b', role: 'assistant' }),
      turn('x', '今天天气很好', { session: 'c', role: 'user' }),
    ])
    expect(ids(ask(index, '你给我推荐过哪本书？'))[0]).toBe('a')
    expect(ids(ask(index, '我给你推荐过哪本书？'))[0]).toBe('u')
  })

  it('says which sessions bear on the question', () => {
    expect(ask(twoPeople, 'What happened to the bicycle chain?').sessions[0]?.session).toBe('s1')
    expect(ask(twoPeople, 'Where does the sister live?').sessions[0]?.session).toBe('s2')
  })

  it('is surer of what was said than of what was not', () => {
    const said = confidence(twoPeople, 'What is Nadia repairing?')
    const never = confidence(twoPeople, 'Which university did Nadia attend in Toronto?')
    expect(said).toBeGreaterThan(never)
    expect(confidence(new SearchIndex(), 'Anything?')).toBe(0)
  })
})

it('names no speaker of whom all is hidden', () => {
  const index = fill(
    talk([
      ['Nadia', 'The chain of my bicycle snapped'],
      ['Tom', 'Oh no, again?'],
    ]),
  )
  index.setSearchable('s1-1', false)
  expect(readQuestionFor(index, 'What did Tom say?', { now }).named).toEqual([])
})

it('reads who is asked about alike, in whatever order documents came', () => {
  const said = talk([['Ana', 'I moved to Lyon.']])
  const answered = talk([['Robin', 'How do you like it there?']], { role: 'assistant', session: 's2' })
  const known = talk([['Robin', 'Robin recommended the market hall.']], { kind: 'memory', session: 's3' })
  const orders = [
    [...said, ...answered, ...known],
    [...known, ...said, ...answered],
    [...answered, ...known, ...said],
  ]
  const named = orders.map((order) => readQuestionFor(fill(order), 'Where did Ana move?', { now }).named)
  // Robin is the agent, whatever is known of them: Ana is the only person, and everything is about her.
  expect(named).toEqual([[], [], []])
})

describe('confidence in a memory of a few turns', () => {
  it.each([
    ['I work for a shipping company', 'Which company do I work for?', 'Which violin did the mayor purchase?'],
    ['我在一家银行工作', '我在哪里工作', '我姐姐住在哪里'],
  ])('is above the threshold for what was said: %s', (said, known, unknown) => {
    const other = 'Rain again, 下雨'
    const index = fill([turn('said', said), turn('other', other, { position: 1 })])
    expect(confidence(index, known, { said, other })).toBeGreaterThan(KNOWN_FROM)
    expect(confidence(index, unknown, { said, other })).toBeLessThan(KNOWN_FROM)
  })
})

describe('what a turn borrows from those around it', () => {
  const seat = [
    ['pilot', 'I am a pilot and I live in Turin.'],
    ['seat', 'I always take the window seat.'],
    ['soup', 'My soup is getting cold.'],
  ] as const
  const order = (lines: readonly (readonly [string, string])[], question: string) =>
    ids(ask(fill(lines.map(([id, text], position) => turn(id, text, { position }))), question))

  it('does not carry it past the turn that lends it', () => {
    expect(order(seat, 'Which seat?')[0]).toBe('seat')
    expect(order(seat.toReversed(), 'Which seat?')[0]).toBe('seat')
  })

  it('carries an answer past the question that it answers', () => {
    const said = [
      ['asked', 'What do you do for work?'],
      ['told', 'Carpentry, mostly kitchens in Malmö.'],
      ['rain', 'It rained all of Sunday.'],
    ] as const
    expect(order(said, 'What do I do for work?')[0]).toBe('told')
  })
})

describe('what is said in other words', () => {
  const lines = [
    'My manager sings.',
    'The soup was salty.',
    'I planted beans.',
    'Rain again today.',
    '我们领导又来了',
  ]
  const index = fill(lines.map((text, position) => turn(`t${position}`, text, { session: `s${position}` })))

  it.each([
    ['Who is my boss?', 't0'],
    ['老板来了没有', 't4'],
  ])('answers “%s”', (question, id) => expect(ids(ask(index, question))[0]).toBe(id))

  it('counts for less than the word itself', () => {
    const both = fill([
      turn('other', 'My manager sings.', { session: 'a' }),
      turn('itself', 'My boss sings.', { session: 'b' }),
      turn('none', 'The soup was salty.', { session: 'c' }),
    ])
    const { hits } = ask(both, 'my boss')
    const lexical = new Map(hits.map(({ id, parts }) => [id, parts.lexical ?? 0]))
    expect(lexical.get('itself')).toBeGreaterThan(lexical.get('other') ?? 0)
    expect(lexical.get('other')).toBeGreaterThan(0)
    expect(lexical.get('none')).toBe(0)
  })

  it('does not count for a recipe that reads the words alone', () => {
    expect(ask(index, 'Who is my boss?', BM25_ONLY).hits.every(({ score }) => score === 0)).toBe(true)
  })

  it('is not looked for in what is out of reach', () => {
    const { hits } = ask(index, 'Who is my boss?', HYBRID, { asOf: now - 2 * DAY })
    expect(hits).toEqual([])
  })
})

it('takes empty, huge and right-to-left texts', () => {
  const index = fill([
    turn('empty', ''),
    turn('huge', 'tea '.repeat(200_000), { session: 's2', position: 1 }),
    turn('rtl', 'שלום עולם', { session: 's3', position: 2 }),
  ])
  expect(ids(ask(index, 'שלום'))[0]).toBe('rtl')
  expect(ids(ask(index, 'tea'))[0]).toBe('huge')
  expect(ask(index, '').hits).toHaveLength(3)
})
