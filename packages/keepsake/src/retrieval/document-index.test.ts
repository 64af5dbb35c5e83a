import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { analyseText, findTerms } from '@keepsake/text'
import { DocumentIndex } from './document-index.ts'
import type { IndexedDocument } from './indexed-document.ts'
import { KNOWN_FROM, measureConfidence, readConfidenceTraits } from './measure-confidence.ts'
import { BM25_ONLY, HYBRID, RETRIEVAL_PARTS, withoutParts, type RetrievalRecipe } from './retrieval-recipe.ts'
import type { SearchOptions, SearchResult } from './search-types.ts'

const DAY = 86_400_000
const now = Date.UTC(2024, 5, 15, 12)

function turn(id: string, text: string, more: Partial<IndexedDocument> = {}): IndexedDocument {
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
  more: Partial<IndexedDocument> = {},
): IndexedDocument[] {
  return lines.map(([speaker, text], position) =>
    turn(`${more.session ?? 's1'}-${position}`, text, { speaker, position, ...more }),
  )
}

function fill(documents: readonly IndexedDocument[]): DocumentIndex {
  const index = new DocumentIndex()
  for (const document of documents) index.upsert(document)
  return index
}

function ask(
  index: DocumentIndex,
  question: string,
  recipe: RetrievalRecipe = HYBRID,
  options: Partial<SearchOptions> = {},
): SearchResult {
  const read = index.readQuestion(question, { now })
  return index.search({ read, vector: null }, recipe, { limit: 100, now, ...options })
}

/** How sure a search is, where documents tell their own words. */
function confidence(
  index: DocumentIndex,
  question: string,
  texts: Readonly<Record<string, string>> = {},
): number {
  const { evidence } = ask(index, question)
  const textOf = (id: string): string => texts[id] ?? ''
  const holds = (word: string): boolean => index.turnsWith(word).length > 0
  return measureConfidence(readConfidenceTraits(question, evidence, { textOf, holds }))
}

const ids = (result: SearchResult): string[] => result.hits.map((hit) => hit.id)

it('asks who judges documents of those alone that may be found, and finds what asking of all would', () => {
  const index = fill(
    Array.from({ length: 2_000 }, (_, position) =>
      turn(`t${position}`, `${'cello '.repeat(1 + ((position * 7) % 11))}lesson ${position}`, { position }),
    ),
  )
  const judged: string[] = []
  const isEven = (id: string): boolean => Number(id.slice(1)) % 2 === 0
  const accepts = (id: string): boolean => judged.push(id) > 0 && isEven(id)
  const { hits, sessions } = ask(index, 'cello', HYBRID, { accepts, limit: 5 })
  const all = ask(index, 'cello', HYBRID, { limit: 2_000 }).hits.filter(({ id }) => isEven(id))
  expect(hits.map(({ id }) => id)).toEqual(all.slice(0, 5).map(({ id }) => id))
  expect(sessions).toHaveLength(1)
  expect(judged.length).toBeLessThan(400)
})

it.each([
  ['every second', (place: number) => place % 2 === 0],
  ['few', (place: number) => place % 97 === 0],
  ['fewer than are wanted', (place: number) => place > 1_997],
  ['none', () => false],
])('finds the hits of a search where it is asked for hits alone and %s passes', (_, passes) => {
  const index = fill(
    Array.from({ length: 2_000 }, (_text, position) => {
      const kind = position % 3 === 0 ? 'turn' : 'memory'
      return turn(`t${position}`, `${'cello '.repeat(1 + ((position * 7) % 11))}lesson`, { position, kind })
    }),
  )
  let judged = 0
  const accepts = (id: string): boolean => (judged += 1) > 0 && passes(Number(id.slice(1)))
  for (const kind of ['memory', 'turn', undefined] as const)
    for (const limit of [0, 1, 4, 40]) {
      const options = { limit, now, accepts, ...(kind === undefined ? {} : { kind }) }
      const question = { read: index.readQuestion('cello', { now }), vector: null }
      const { hits } = index.search(question, BM25_ONLY, options)
      judged = 0
      expect(index.findEach([question], BM25_ONLY, options)).toEqual([hits])
      expect(judged).toBeLessThan(2_200)
    }
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
      turn('a', '我推荐你看《边城》这本书', { session: 'b', role: 'agent' }),
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
    expect(confidence(new DocumentIndex(), 'Anything?')).toBe(0)
  })
})

describe('what is not searchable', () => {
  const shown = talk([
    ['Nadia', 'The chain of my bicycle snapped'],
    ['Tom', 'Oh no, again?'],
    ['Nadia', 'It is the third time'],
  ])
  const hidden = talk([['Nadia', 'A bicycle chain for my bicycle, and a secret word: marzipan']], {
    session: 's9',
  })

  it('leaves no trace in any score', () => {
    const index = fill([...shown, ...hidden])
    index.setSearchable('s9-0', false)
    expect(ask(index, 'bicycle chain marzipan')).toEqual(ask(fill(shown), 'bicycle chain marzipan'))
    index.setSearchable('s9-0', true)
    expect(ids(ask(index, 'marzipan'))[0]).toBe('s9-0')
  })

  it('gives its neighbours nothing', () => {
    const index = fill(shown)
    const before = ask(index, 'bicycle').hits.find((hit) => hit.id === 's1-1')
    index.setSearchable('s1-0', false)
    const after = ask(index, 'bicycle').hits.find((hit) => hit.id === 's1-1')
    expect(before?.parts.neighbours).toBeGreaterThan(0)
    expect(after?.parts.neighbours).toBeUndefined()
  })

  it('stays hidden when it is written again', () => {
    const index = fill(shown)
    index.setSearchable('s1-0', false)
    index.upsert(shown[0] ?? turn('', ''))
    expect(ids(ask(index, 'bicycle'))).not.toContain('s1-0')
  })

  it('names nobody once all that a speaker said is hidden', () => {
    const index = fill(shown)
    index.setSearchable('s1-1', false)
    expect(index.readQuestion('What did Tom say?', { now }).named).toEqual([])
  })
})

it('reads who is asked about alike, in whatever order documents came', () => {
  const said = talk([['Ana', 'I moved to Lyon.']])
  const answered = talk([['Robin', 'How do you like it there?']], { role: 'agent', session: 's2' })
  const known = talk([['Robin', 'Robin recommended the market hall.']], { kind: 'memory', session: 's3' })
  const orders = [
    [...said, ...answered, ...known],
    [...known, ...said, ...answered],
    [...answered, ...known, ...said],
  ]
  const named = orders.map((order) => fill(order).readQuestion('Where did Ana move?', { now }).named)
  // Robin is the agent, whatever is known of them: Ana is the only person, and everything is about her.
  expect(named).toEqual([[], [], []])
})

describe('filters', () => {
  const index = fill([
    turn('a', 'green tea', { scope: 1, session: 'a', at: now - 3 * DAY }),
    turn('b', 'green tea', { scope: 2, session: 'b', at: now - 2 * DAY }),
    turn('m', 'likes green tea', { kind: 'memory', session: 'a', at: now - DAY }),
  ])

  it('narrow by scope, kind and judgement', () => {
    expect(ids(ask(index, 'tea', HYBRID, { scopes: new Set([2]) }))).toEqual(['b'])
    expect(ids(ask(index, 'tea', HYBRID, { kind: 'memory' }))).toEqual(['m'])
    expect(ids(ask(index, 'tea', HYBRID, { accepts: (id) => id === 'b' }))).toEqual(['b'])
  })

  it('answer as of a time as if nothing had been said since', () => {
    expect(ids(ask(index, 'tea', HYBRID, { asOf: now - 2 * DAY })).toSorted()).toEqual(['a', 'b'])
  })
})

describe('what is said for the first time', () => {
  const talk = [
    turn('first', 'The regatta starts at the lighthouse', { position: 0, session: 'a' }),
    turn('again', 'The regatta starts at the lighthouse', { position: 1, session: 'b' }),
  ]
  const novelty = (index: DocumentIndex, id: string): number =>
    ask(index, 'Where does the regatta start?').hits.find((hit) => hit.id === id)?.parts.novelty ?? 0

  it('is preferred to its repetition', () => {
    const index = fill(talk)
    expect(ids(ask(index, 'Where does the regatta start?'))).toEqual(['first', 'again'])
    expect(novelty(index, 'again')).toBe(0)
  })

  it('does not count what the question gives away', () => {
    const index = fill([turn('echo', 'regatta'), turn('tells', 'lighthouse', { position: 1 })])
    expect(novelty(index, 'echo')).toBe(0)
    expect(novelty(index, 'tells')).toBeGreaterThan(0)
  })

  it('passes to the next who said it once the first is hidden, and back', () => {
    const index = fill(talk)
    const before = novelty(index, 'first')
    index.setSearchable('first', false)
    expect(novelty(index, 'again')).toBeCloseTo(before, 6)
    index.setSearchable('first', true)
    expect(novelty(index, 'again')).toBe(0)
    expect(novelty(index, 'first')).toBeCloseTo(before, 6)
  })

  it('goes by the time it was said, not by when it was stored', () => {
    const index = fill([
      ...talk,
      turn('told late', 'The regatta starts at the lighthouse', { at: now - 9 * DAY }),
    ])
    expect(novelty(index, 'first')).toBe(0)
    expect(novelty(index, 'told late')).toBeGreaterThan(0)
  })
})

describe('misspelt words', () => {
  const index = fill([
    turn('a', 'We walked through the cathedral', { session: 'a' }),
    turn('b', 'We walked through the orchard', { session: 'b' }),
  ])

  it('find what they stand for, for less than the right word', () => {
    const ofOther = (question: string) =>
      ask(index, question, BM25_ONLY).hits.find(({ id }) => id === 'b')?.score ?? 0
    for (const slip of ['cathedrl', 'cathefral', 'catheddral', 'cathedarl']) {
      expect(ids(ask(index, slip))[0]).toBe('a')
    }
    expect(ids(ask(index, 'cathedral'))[0]).toBe('a')
    // Scores are relative to the best: the other gains where the best matches less.
    expect(ofOther('cathedrl walked')).toBeGreaterThan(ofOther('cathedral walked'))
  })

  it('are not looked for where two letters differ, or the word is short', () => {
    expect(ask(index, 'cxthxdral', BM25_ONLY).hits.every(({ score }) => score === 0)).toBe(true)
    expect(ask(fill([turn('a', 'a red boat')]), 'goat', BM25_ONLY).hits[0]?.score).toBe(0)
  })
})

it('covers a question by its words spread over an exchange, as a share of their rarity', () => {
  const index = fill(
    talkOf(['Which harbour did the schooner leave from?', 'From Bergen, in fog.', 'Nobody saw it again.']),
  )
  const coverage = (question: string) =>
    ask(index, question).hits.find(({ id }) => id === 't1')?.parts.coverage
  expect(coverage('schooner harbour Bergen')).toBeCloseTo(HYBRID.weights.coverage, 5)
  expect(coverage('schooner harbour Bergen submarine')).toBeLessThan(0.8 * HYBRID.weights.coverage)
})

function talkOf(lines: readonly string[]): IndexedDocument[] {
  return lines.map((text, position) => turn(`t${position}`, text, { position }))
}

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

const WORDS = ['tea', 'cat', 'boat', 'lamp', 'river', 'drum']
const documentArbitrary = fc.record({
  session: fc.constantFrom('x', 'y', 'z'),
  words: fc.array(fc.constantFrom(...WORDS), { maxLength: 8 }),
})

function numbered(drawn: readonly { session: string; words: readonly string[] }[]): IndexedDocument[] {
  return drawn.map(({ session, words }, position) =>
    turn(`t${position}`, words.join(' '), { session, position, at: now }),
  )
}

/** BM25 with neighbours, by the definition and with no shortcut. */
function bruteForce(
  documents: readonly IndexedDocument[],
  question: readonly string[],
): Map<string, [number, number]> {
  const count = documents.length
  const average = documents.reduce((sum, d) => sum + d.terms.length, 0) / count || 1
  const bm25 = (d: IndexedDocument, term: string): number => {
    const held = documents.filter((other) => other.terms.includes(term)).length
    const times = d.terms.filter((other) => other === term).length
    const rarity = Math.log(1 + (count - held + 0.5) / (held + 0.5))
    return (rarity * times * 1.9) / (times + 0.9 * (0.25 + (0.75 * d.terms.length) / average))
  }
  const shares = new Map([
    [0, 1],
    [-1, 0.8],
    [-2, 0.6],
    [-3, 0.4],
    [-4, 0.3],
    [1, 0.5],
    [2, 0.3],
  ])
  const sums = documents.map((document): [string, [number, number]] => {
    const session = documents.filter((other) => other.session === document.session)
    const place = session.indexOf(document)
    let own = 0
    let window = 0
    for (const term of question) {
      own += bm25(document, term)
      let best = 0
      for (const [offset, share] of shares) {
        const other = session[place + offset]
        if (other !== undefined) best = Math.max(best, share * bm25(other, term))
      }
      window += best
    }
    return [document.id, [own, window]]
  })
  const top = Math.max(0, ...sums.map(([, [, window]]) => window)) || 1
  return new Map(sums.map(([id, [own, window]]) => [id, [own / top, (window - own) / top]]))
}

/** Whether any turn that lends to this one matches better by its own words, or as well but for the last digits: which of two alike leads is up to rounding. */
function isBesideABetter(
  documents: readonly IndexedDocument[],
  matches: ReadonlyMap<string, readonly [own: number, around: number]>,
  id: string,
): boolean {
  const document = documents.find((one) => one.id === id)
  const session = documents.filter((one) => one.session === document?.session)
  const place = session.findIndex((one) => one.id === id)
  const around = session.slice(Math.max(0, place - 4), place + 3)
  const ownOf = (one: string): number => matches.get(one)?.[0] ?? 0
  return around.some((one) => one.id !== id && ownOf(one.id) > ownOf(id) - 1e-9)
}

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

describe('for any documents', () => {
  const wordsAndNeighbours = withoutParts(HYBRID, [
    'semantic',
    'coverage',
    'session',
    'speaker',
    'time',
    'expected',
    'exchange',
    'length',
    'novelty',
    'asking',
    'recency',
  ])

  it('scores words and neighbours as a plain reading of the formula does', () => {
    fc.assert(
      fc.property(
        fc.array(documentArbitrary, { minLength: 1, maxLength: 14 }),
        fc.uniqueArray(fc.constantFrom(...WORDS)),
        (drawn, asked) => {
          const documents = numbered(drawn)
          const expected = bruteForce(documents, findTerms(asked.join(' ')))
          for (const hit of ask(fill(documents), asked.join(' '), wordsAndNeighbours).hits) {
            const [ofWords = 0, ofNeighbours = 0] = expected.get(hit.id) ?? []
            const own = HYBRID.weights.lexical * ofWords
            const around = HYBRID.weights.neighbours * HYBRID.weights.lexical * ofNeighbours
            expect(hit.parts.lexical ?? 0).toBeCloseTo(own, 5)
            // Less where it would carry the turn past the one that lends it.
            expect(hit.parts.neighbours ?? 0).toBeLessThan(around + 1e-5)
            if (!isBesideABetter(documents, expected, hit.id))
              expect(hit.parts.neighbours ?? 0).toBeCloseTo(around, 5)
          }
        },
      ),
      { numRuns: 60 },
    )
  })

  it('orders by the sum of the parts it reports, whichever parts are on', () => {
    const off = fc.subarray([...RETRIEVAL_PARTS])
    fc.assert(
      fc.property(fc.array(documentArbitrary, { minLength: 2, maxLength: 14 }), off, (drawn, parts) => {
        const documents = numbered(drawn).map((d, i) => ({
          ...d,
          speaker: i % 2 === 0 ? 'Nadia' : 'Tom',
          vector: Float32Array.from([Math.sin(i), Math.cos(i), 0, 0]),
        }))
        const index = fill(documents)
        const read = index.readQuestion('When did Tom buy the tea lamp last week?', { now })
        const vector = Float32Array.from([0.6, 0.8, 0, 0])
        const { hits } = index.search({ read, vector }, withoutParts(HYBRID, parts), { limit: 99, now })
        index.free()
        for (const [i, hit] of hits.entries()) {
          expect(Object.values(hit.parts).reduce((sum, value) => sum + value, 0)).toBeCloseTo(hit.score, 6)
          expect(hit.score).toBeLessThanOrEqual((hits[i - 1]?.score ?? Number.POSITIVE_INFINITY) + 1e-5)
        }
      }),
      { numRuns: 60 },
    )
  })

  it('is the same after removals as if the removed had never been', () => {
    const drawn = fc.array(fc.tuple(documentArbitrary, fc.boolean()), { minLength: 1, maxLength: 16 })
    fc.assert(
      fc.property(drawn, (entries) => {
        const documents = numbered(entries.map(([document]) => document))
        const kept = documents.filter((_, i) => entries[i]?.[1] ?? false)
        const index = fill(documents)
        for (const document of documents) if (!kept.includes(document)) index.remove(document.id)
        const scores = (of: DocumentIndex) =>
          new Map(ask(of, 'tea cat boat').hits.map((hit) => [hit.id, hit.score]))
        // Sums in another order differ in the last bits: rounded, two that lie at an edge would fall apart.
        const expectSame = (other: DocumentIndex): void => {
          const found = scores(index)
          const expected = scores(other)
          expect(new Set(found.keys())).toEqual(new Set(expected.keys()))
          for (const [id, score] of expected) expect(found.get(id), id).toBeCloseTo(score, 4)
        }
        expectSame(fill(kept))
        // Freed rows are taken again, and the order of arrival no longer is that of the rows.
        for (const document of documents) if (!kept.includes(document)) index.upsert(document)
        expectSame(fill(documents))
      }),
      { numRuns: 60 },
    )
  })
})

describe('edges', () => {
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

  it('refuses a vector of another length and keeps what it had', () => {
    const index = fill([turn('a', 'tea', { vector: new Float32Array([1, 0]) })])
    expect(() =>
      index.upsert(turn('b', 'tea', { position: 1, vector: new Float32Array([1, 0, 0]) })),
    ).toThrow(/dimensions/)
    expect(ids(ask(index, 'tea'))).toEqual(['a'])
    index.upsert(turn('b', 'tea', { position: 1, vector: new Float32Array([0, 1]) }))
    expect(ids(ask(index, 'tea'))).toHaveLength(2)
    expect(index.bytes).toBeGreaterThan(0)
    index.free()
  })

  it('takes turns out of order', () => {
    const index = new DocumentIndex()
    for (const [id, position, text] of [
      ['c', 3, 'Nine days'],
      ['a', 1, 'My sister visits'],
      ['b', 2, 'How long will she stay?'],
    ] as const) {
      index.upsert(turn(id, text, { position }))
    }
    expect(ask(index, 'stay long').hits.find((hit) => hit.id === 'c')?.parts.neighbours).toBeGreaterThan(0)
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
