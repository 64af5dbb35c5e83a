import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  BM25_ONLY,
  COSINE_ONLY,
  HYBRID,
  RETRIEVAL_PARTS,
  withoutParts,
  type RetrievalPart,
} from './recipe.ts'
import { SearchIndex } from './search-index.ts'
import {
  DocumentTrait,
  type SearchDocument,
  type SearchHit,
  type SearchOptions,
  type SearchQuery,
} from './search-types.ts'

const DAY = 86_400_000
const now = Date.UTC(2024, 5, 15, 12)

/** Terms are the words of the text. */
function turn(id: string, text: string, more: Partial<SearchDocument> = {}): SearchDocument {
  return {
    id,
    kind: 'turn',
    scope: 1,
    session: 's1',
    position: Number(/\d+$/.exec(id)?.[0] ?? 0),
    role: 'user',
    speaker: null,
    at: now - DAY,
    terms: text.split(' ').filter((word) => word !== ''),
    traits: 0,
    vector: null,
    ...more,
  }
}

function fill(documents: readonly SearchDocument[]): SearchIndex {
  const index = new SearchIndex()
  for (const document of documents) index.add(document)
  return index
}

/** Turns of one session. */
function talk(...texts: readonly string[]): SearchIndex {
  return fill(texts.map((text, place) => turn(`t${place}`, text)))
}

function terms(text: string): SearchQuery {
  return { terms: [...new Set(text.split(' '))] }
}

const options: SearchOptions = { limit: 100, now }
const only = (...parts: readonly RetrievalPart[]) =>
  withoutParts(
    HYBRID,
    RETRIEVAL_PARTS.filter((part) => !parts.includes(part)),
  )
const ids = (hits: readonly SearchHit[]): string[] => hits.map(({ id }) => id)

/** One part of the score by document, as a share of its weight. */
function shares(
  index: SearchIndex,
  query: SearchQuery,
  part: RetrievalPart,
  more: Partial<SearchOptions> = {},
): Record<string, number> {
  const { hits } = index.search(query, HYBRID, { ...options, ...more })
  return Object.fromEntries(hits.map(({ id, parts }) => [id, (parts[part] ?? 0) / HYBRID.weights[part]]))
}

describe('the parts of a score', () => {
  it('lexical: BM25 of the document over the best window', () => {
    const index = fill([
      turn('a0', 'cello lesson'),
      turn('b0', 'cello', { session: 's2' }),
      turn('c0', 'rain', { session: 's3' }),
    ])
    // ln(1 + (3 − 2 + ½) / (2 + ½)) for both; lengths 2 and 1 of 4/3 on average (Robertson and Zaragoza 2009, 3.15).
    const saturated = (length: number) => 1.9 / (1 + 0.9 * (0.25 + (0.75 * length) / (4 / 3)))
    const lexical = shares(index, terms('cello'), 'lexical')
    expect(lexical['b0']).toBeCloseTo(1, 6)
    expect(lexical['a0']).toBeCloseTo(saturated(2) / saturated(1), 6)
    expect(lexical['c0']).toBe(0)
  })

  it('semantic: the cosine over the best, never below 0', () => {
    const index = fill([
      turn('a0', '', { vector: Float32Array.of(1, 0) }),
      turn('b0', '', { session: 's2', vector: Float32Array.of(1, 1) }),
      turn('c0', '', { session: 's3', vector: Float32Array.of(-1, 0) }),
    ])
    const semantic = shares(index, { terms: [], vector: Float32Array.of(1, 0) }, 'semantic')
    expect(semantic['a0']).toBeCloseTo(1, 2)
    expect(semantic['b0']).toBeCloseTo(Math.SQRT1_2, 2)
    expect(semantic['c0']).toBe(0)
  })

  it('neighbours: words reach four turns on and two back, meaning one', () => {
    const index = talk('', '', '', 'cello', '', '', '', '', '')
    const recipe = only('lexical', 'neighbours')
    const { hits } = index.search(terms('cello'), recipe, options)
    const lent = Object.fromEntries(hits.map(({ id, parts }) => [id, parts['neighbours'] ?? 0]))
    const whole = HYBRID.weights.neighbours * HYBRID.weights.lexical
    for (const [id, share] of [
      ['t0', 0],
      ['t1', 0.3],
      ['t2', 0.5],
      ['t4', 0.8],
      ['t5', 0.6],
      ['t6', 0.4],
      ['t7', 0.3],
      ['t8', 0],
    ] as const)
      expect(lent[id], id).toBeCloseTo(share * whole, 6)
  })

  it('neighbours: does not carry a turn past the one that lends to it, unless that asks', () => {
    const recipe = only('lexical', 'neighbours', 'length')
    const first = (more: Partial<SearchDocument>) => {
      const index = fill([turn('t0', 'cello', more), turn('t1', 'other words '.repeat(20))])
      return index.search(terms('cello'), recipe, options).hits[0]?.id
    }
    expect(first({})).toBe('t0')
    expect(first({ traits: DocumentTrait.asks })).toBe('t1')
  })

  it('coverage: share of the rarity that the turn or its neighbours hold', () => {
    const index = talk('schooner harbour', 'bergen', 'rain')
    expect(shares(index, terms('schooner harbour bergen'), 'coverage')['t1']).toBeCloseTo(1, 6)
    expect(shares(index, terms('schooner harbour bergen submarine'), 'coverage')['t1']).toBeLessThan(0.8)
  })

  it('session: BM25 of whole sessions, when there are several', () => {
    const near = turn('a9', 'rain', { position: 99 })
    const index = fill([turn('a0', 'cello'), near, turn('b0', 'rain', { session: 's2' })])
    const session = shares(index, terms('cello'), 'session')
    expect([session['a9'], session['b0']]).toEqual([1, 0])
    expect(shares(talk('cello', 'rain'), terms('cello'), 'session')['t1']).toBe(0)
  })

  it('speaker: by name, or by role with half for what the agent says about the user', () => {
    const index = fill([
      turn('a0', '', { speaker: 'Ana' }),
      turn('b0', '', { speaker: 'Bo' }),
      turn('c0', '', { role: 'assistant', speaker: 'Cy' }),
      turn('d0', '', { role: 'assistant', traits: DocumentTrait.firstPerson }),
    ])
    expect(shares(index, { terms: [], speakers: ['Bo'] }, 'speaker')).toEqual({ a0: 0, b0: 1, c0: 0, d0: 0 })
    expect(shares(index, { terms: [], role: 'user' }, 'speaker')).toEqual({ a0: 1, b0: 1, c0: 0.5, d0: 0 })
    expect(shares(index, { terms: [], role: 'assistant' }, 'speaker')).toEqual({ a0: 0, b0: 0, c0: 1, d0: 1 })
  })

  it('time: within a range, or three days before to ten days after it', () => {
    const days = [-4, -3, 0, 0.5, 1, 10, 11]
    const index = fill(days.map((day, place) => turn(`t${place}`, '', { at: now + day * DAY })))
    const query = { terms: [], timeRanges: [{ from: now, to: now + DAY }] }
    expect(Object.values(shares(index, query, 'time')).toSorted((one, other) => one - other)).toEqual([
      0, 0, 0.5, 0.5, 0.5, 1, 1,
    ])
  })

  it('expected: the traits of an answer, or of the other half of an exchange', () => {
    const index = fill([
      turn('t0', '', { role: 'assistant' }),
      turn('t1', '', { traits: 8 }),
      turn('t2', '', { role: 'assistant' }),
      turn('t3', ''),
    ])
    expect(shares(index, { terms: [], expectedTraits: 8 | 4 }, 'expected')).toEqual({
      t0: 0.4,
      t1: 1,
      t2: 0,
      t3: 0,
    })
  })

  it('exchange: it follows a question that resembles the query', () => {
    const asked = turn('t0', 'cello', { traits: DocumentTrait.asks })
    const index = fill([asked, turn('t1', 'tuesday')])
    expect(shares(index, terms('cello'), 'exchange')['t1']).toBeCloseTo(1, 6)
    expect(shares(talk('cello', 'tuesday'), terms('cello'), 'exchange')['t1']).toBe(0)
  })

  it('length: the logarithm of the number of terms, up to 50', () => {
    const length = shares(talk('', 'a b c', 'x '.repeat(50), 'y '.repeat(80)), { terms: [] }, 'length')
    expect(length).toEqual({ t0: 0, t1: expect.closeTo(Math.log(4) / Math.log(51)), t2: 1, t3: 1 })
  })

  it('novelty: terms said first, without those of the query; half for memories', () => {
    const index = fill([
      turn('t0', 'cello lesson tuesday'),
      turn('t1', 'lesson tuesday', { session: 's2' }),
      turn('m2', 'lesson', { kind: 'memory' }),
    ])
    const novelty = shares(index, terms('cello'), 'novelty')
    expect(novelty).toEqual({ t0: expect.closeTo(Math.log(3) / Math.log(16)), t1: 0, m2: 0.5 })
    index.setSearchable('t0', false)
    expect(shares(index, terms('cello'), 'novelty')['t1']).toBeCloseTo(Math.log(3) / Math.log(16), 6)
    index.add(turn('t3', 'tuesday', { at: now - 9 * DAY }))
    expect(shares(index, terms('cello'), 'novelty')['t1']).toBeCloseTo(Math.log(2) / Math.log(16), 6)
  })

  it('asking: counts against questions', () => {
    const index = fill([turn('t0', '', { traits: DocumentTrait.asks }), turn('t1', '')])
    expect(shares(index, { terms: [] }, 'asking')).toEqual({ t0: 1, t1: -0 })
  })

  it('recency: halves every 30 days, and is 0 from 1,000 days on', () => {
    const ages = [-5, 0, 30, 60, 1_000]
    const index = fill(ages.map((days, place) => turn(`t${place}`, '', { at: now - days * DAY })))
    const recency = shares(index, { terms: [] }, 'recency')
    for (const [id, share] of [
      ['t0', 1],
      ['t1', 1],
      ['t2', 0.5],
      ['t3', 0.25],
      ['t4', 0],
    ] as const)
      expect(recency[id]).toBeCloseTo(share, 6)
  })
})

describe('words', () => {
  it('that are misspelt find what they stand for, for less', () => {
    const index = fill([turn('a0', 'cathedral walk'), turn('b0', 'orchard walk', { session: 's2' })])
    for (const slip of ['cathedrl', 'cathefral', 'catheddral', 'cathedarl'])
      expect(index.search(terms(slip), BM25_ONLY, options).hits[0]).toMatchObject({
        id: 'a0',
        score: expect.closeTo(1),
      })
    expect(index.search(terms('cxthxdral'), BM25_ONLY, options).hits[0]?.score).toBe(0)
    const other = (query: string) =>
      index.search(terms(query), BM25_ONLY, options).hits.find(({ id }) => id === 'b0')?.score ?? 0
    expect(other('cathedrl walk')).toBeGreaterThan(other('cathedral walk'))
    index.remove('a0')
    expect(index.search(terms('cathedrl'), BM25_ONLY, options).hits[0]?.score).toBe(0)
  })

  const boss = {
    terms: ['boss'],
    relatedWords: [
      {
        terms: ['boss'],
        related: [
          { terms: ['manager'], weight: 0.9 },
          { terms: ['line', 'leader'], weight: 0.4 },
        ],
      },
    ],
  }

  it('count in other words, for less than the word itself, and only where the recipe reads them', () => {
    const index = fill([
      turn('itself0', 'boss sings'),
      turn('other0', 'manager sings', { session: 's2' }),
      turn('both0', 'line leader', { session: 's3' }),
      turn('half0', 'line', { session: 's4' }),
    ])
    const lexical = shares(index, boss, 'lexical')
    expect(lexical['itself0']).toBeCloseTo(1, 6)
    expect(lexical['other0']).toBeCloseTo(0.9, 6)
    expect(lexical['both0']).toBeCloseTo(0.4, 6)
    expect(lexical['half0']).toBe(0)
    expect(index.search(boss, BM25_ONLY, options).hits.filter(({ score }) => score > 0)).toHaveLength(1)
  })

  it('are evidence by their rarity; surely related words are no unheard terms', () => {
    const { evidence } = talk('manager sings').search(
      { ...boss, terms: ['boss', 'submarine', 'name'], optionalTerms: new Set(['name']) },
      HYBRID,
      options,
    )
    expect(evidence).toMatchObject({
      documents: 1,
      terms: [{ term: 'boss' }, { term: 'submarine' }],
      unheardTerms: new Set(['submarine', 'name']),
      nearest: expect.closeTo(0.25),
    })
    expect(evidence.likely).toEqual([{ id: 't0', held: [0.5, 0], asked: null, before: null }])
  })
})

it('measures how far the speaker asked about is ahead of others', () => {
  const index = fill([
    turn('a0', 'cello', { speaker: 'Ana' }),
    turn('b0', 'rain', { session: 's2', speaker: 'Bo' }),
    turn('c0', 'cello tuesday', { session: 's3', role: 'assistant', traits: DocumentTrait.firstPerson }),
  ])
  const ask = (more: Partial<SearchQuery>) =>
    index.search({ ...terms('cello'), ...more }, HYBRID, options).evidence
  expect(ask({ speakers: ['Ana'] }).aheadOfPeople).toBeGreaterThan(0)
  expect(ask({ speakers: ['Bo'] }).likely.map(({ id }) => id)).toEqual(['b0'])
  expect(ask({ role: 'user' }).aheadOfAgent).not.toBe(0)
  expect(ask({})).toMatchObject({ aheadOfPeople: 0, aheadOfAgent: 0 })
})

describe('filters', () => {
  const index = fill([
    turn('a0', 'green tea', { scope: 1, session: 'a', at: now - 3 * DAY }),
    turn('b1', 'green tea', { scope: 2, session: 'b', at: now - 2 * DAY }),
    turn('m2', 'likes green tea', { kind: 'memory', session: 'a', at: now - DAY }),
  ])
  const found = (more: Partial<SearchOptions>) =>
    ids(index.search(terms('tea'), HYBRID, { ...options, ...more }).hits).toSorted()

  it('narrow by scope, kind, time and judgement', () => {
    expect(found({ scopes: new Set([2]) })).toEqual(['b1'])
    expect(found({ kind: 'memory' })).toEqual(['m2'])
    expect(found({ asOf: now - 2 * DAY })).toEqual(['a0', 'b1'])
    expect(found({ accepts: (id) => id === 'b1' })).toEqual(['b1'])
    expect(found({ limit: 0 })).toEqual([])
  })

  it('judge only documents that rank high enough', () => {
    const many = fill(
      Array.from({ length: 2_000 }, (_, place) => turn(`t${place}`, 'cello '.repeat(1 + ((place * 7) % 11)))),
    )
    const judged: string[] = []
    const accepts = (id: string): boolean => judged.push(id) > 0 && Number(id.slice(1)) % 2 === 0
    const { hits, sessions } = many.search(terms('cello'), HYBRID, { ...options, accepts, limit: 5 })
    const all = many.search(terms('cello'), HYBRID, { ...options, limit: 2_000 }).hits
    const even = all.filter(({ id }) => Number(id.slice(1)) % 2 === 0)
    expect(hits).toEqual(even.slice(0, 5))
    expect(sessions).toEqual([expect.objectContaining({ session: 's1', scope: 1 })])
    expect(judged.length).toBeLessThan(400)
  })
})

describe('documents', () => {
  it('are found by id, with the turn before them and their speakers', () => {
    const index = fill([
      turn('t1', 'cello', { speaker: 'Ana' }),
      turn('t0', 'rain', { speaker: 'Cy', role: 'assistant' }),
      turn('m0', 'cello', { kind: 'memory', speaker: 'Cy' }),
    ])
    expect(index.size).toBe(3)
    expect(index.has('t1')).toBe(true)
    expect(index.get('t1')).toEqual({ ...turn('t1', 'cello', { speaker: 'Ana' }), vector: undefined })
    expect([index.turnBefore('t1'), index.turnBefore('t0'), index.turnBefore('x')]).toEqual([
      't0',
      undefined,
      undefined,
    ])
    expect(index.speakers).toEqual([
      { name: 'Ana', isUser: true },
      { name: 'Cy', isUser: false },
    ])
    index.setSearchable('t1', false)
    expect(index.speakers.map(({ name }) => name)).toEqual(['Cy'])
    expect(index.bytes).toBeGreaterThan(0)
  })

  it('are turns that hold all terms, the earliest first', () => {
    const index = fill([
      turn('t2', 'tea cup', { at: now }),
      turn('t1', 'tea cup', { at: now }),
      turn('t3', 'cup tea', { at: now - DAY }),
      turn('t4', 'tea'),
      turn('m5', 'tea cup', { kind: 'memory' }),
    ])
    expect(index.turnsWith(['tea', 'cup', 'tea'])).toEqual(['t3', 't1', 't2'])
    expect(index.turnsWith(['tea', 'saucer'])).toEqual([])
    expect(index.turnsWith([])).toEqual([])
  })

  it('stay hidden when they are added again', () => {
    const index = talk('cello')
    index.setSearchable('t0', false)
    index.add(turn('t0', 'cello'))
    expect(index.search(terms('cello'), HYBRID, options).hits).toEqual([])
  })

  it('with a vector of another length are refused, and the index stays as it was', () => {
    const index = fill([turn('t0', 'tea', { vector: Float32Array.of(1, 0) })])
    const wrong = Float32Array.of(1, 0, 0)
    expect(() => index.add(turn('t1', 'tea', { vector: wrong }))).toThrow(/dimensions/)
    expect(() => index.add(turn('t0', 'milk', { vector: wrong }))).toThrow(RangeError)
    expect(ids(index.search(terms('tea'), HYBRID, options).hits)).toEqual(['t0'])
    index.add(turn('t1', 'tea', { vector: Float32Array.of(0, 1) }))
    const query = { terms: [], vector: Float32Array.of(0, 1) }
    expect(ids(index.search(query, COSINE_ONLY, options).hits)).toEqual(['t1', 't0'])
  })
})

const WORDS = ['tea', 'cat', 'boat', 'lamp', 'river', 'drum']
const drawn = fc.record({
  id: fc.integer({ min: 0, max: 12 }),
  action: fc.constantFrom('add', 'add', 'add', 'remove', 'hide', 'show'),
  session: fc.constantFrom('x', 'y', 'z'),
  words: fc.array(fc.constantFrom(...WORDS), { maxLength: 8 }),
  isMemory: fc.boolean(),
  vector: fc.option(fc.tuple(fc.integer({ min: -9, max: 9 }), fc.integer({ min: 1, max: 9 }))),
})

/** BM25 with neighbours by the definition, with no index: each document's own words and its window, over the best window. */
function scoreNaively(
  all: readonly SearchDocument[],
  query: readonly string[],
): Map<string, readonly [own: number, window: number]> {
  const average = all.reduce((sum, { terms: held }) => sum + held.length, 0) / all.length || 1
  const bm25 = (document: SearchDocument, term: string): number => {
    const holding = all.filter((other) => other.terms.includes(term)).length
    const count = document.terms.filter((other) => other === term).length
    const rarity = Math.log(1 + (all.length - holding + 0.5) / (holding + 0.5))
    return (rarity * count * 1.9) / (count + 0.9 * (0.25 + (0.75 * document.terms.length) / average))
  }
  const reach = new Map([
    [0, 1],
    [-1, 0.8],
    [-2, 0.6],
    [-3, 0.4],
    [-4, 0.3],
    [1, 0.5],
    [2, 0.3],
  ])
  const scores = all.map((document): [string, [number, number]] => {
    const session = all
      .filter(({ kind, session: other }) => kind === 'turn' && other === document.session)
      .toSorted((one, other) => one.position - other.position)
    const place = session.indexOf(document)
    const window = query.map((term) =>
      place === -1
        ? bm25(document, term)
        : Math.max(
            ...Array.from(reach, ([offset, share]) => {
              const other = session[place + offset]
              return other === undefined ? 0 : share * bm25(other, term)
            }),
          ),
    )
    const own = query.reduce((sum, term) => sum + bm25(document, term), 0)
    return [document.id, [own, window.reduce((sum, value) => sum + value, 0)]]
  })
  const top = Math.max(0, ...scores.map(([, [, window]]) => window)) || 1
  return new Map(scores.map(([id, [own, window]]) => [id, [own / top, window / top]]))
}

describe('after any additions, removals and changes', () => {
  const held = (actions: readonly (typeof drawn extends fc.Arbitrary<infer One> ? One : never)[]) => {
    const index = new SearchIndex()
    const documents = new Map<string, SearchDocument>()
    const hidden = new Set<string>()
    for (const { id: number, action, session, words, isMemory, vector } of actions) {
      const id = `d${number}`
      const document = turn(id, words.join(' '), {
        session,
        at: now,
        kind: isMemory ? 'memory' : 'turn',
        vector: vector === null ? null : Float32Array.from(vector),
      })
      if (action === 'add') {
        index.add(document)
        documents.set(id, document)
      } else if (action === 'remove') {
        index.remove(id)
        documents.delete(id)
        hidden.delete(id)
      } else {
        index.setSearchable(id, action === 'show')
        if (action === 'hide' && documents.has(id)) hidden.add(id)
        else hidden.delete(id)
      }
    }
    return { index, documents, hidden }
  }

  it('words and neighbours score as the definition says', () => {
    fc.assert(
      fc.property(
        fc.array(drawn, { maxLength: 30 }),
        fc.uniqueArray(fc.constantFrom(...WORDS)),
        (actions, query) => {
          // Hidden turns keep their places between others, so the definition counts them as empty: here none stays hidden.
          const { index, documents, hidden } = held(actions)
          for (const id of hidden) index.setSearchable(id, true)
          const expected = scoreNaively([...documents.values()], query)
          const { hits } = index.search({ terms: query }, only('lexical', 'neighbours'), options)
          expect(new Set(ids(hits))).toEqual(new Set(documents.keys()))
          for (const { id, parts } of hits) {
            const [own = 0, window = 0] = expected.get(id) ?? []
            expect(parts['lexical'] ?? 0).toBeCloseTo(HYBRID.weights.lexical * own, 5)
            // Less where it would carry the turn past the one that lends it.
            const lent = HYBRID.weights.neighbours * HYBRID.weights.lexical * (window - own)
            expect(parts['neighbours'] ?? 0).toBeLessThan(lent + 1e-5)
          }
        },
      ),
    )
  })

  it('an index is as one that never held what is hidden or removed', () => {
    fc.assert(
      fc.property(fc.array(drawn, { maxLength: 30 }), (actions) => {
        const { index, documents, hidden } = held(actions)
        for (const id of hidden) index.remove(id)
        const fresh = fill([...documents.values()].filter(({ id }) => !hidden.has(id)))
        const query = { ...terms('tea cat boat'), vector: Float32Array.of(1, 1) }
        const [one, other] = [index, fresh].map((of) => of.search(query, HYBRID, options))
        const scores = new Map(other?.hits.map(({ id, score }) => [id, score]))
        expect(one?.hits).toHaveLength(scores.size)
        for (const { id, score } of one?.hits ?? [])
          expect(score, id).toBeCloseTo(scores.get(id) ?? Number.NaN, 4)
        expect(one?.evidence.nearest).toBeCloseTo(other?.evidence.nearest ?? Number.NaN, 5)
      }),
    )
  })

  it('hits are ordered by the sum of the parts they report, whichever parts are on', () => {
    const off = fc.subarray([...RETRIEVAL_PARTS])
    fc.assert(
      fc.property(fc.array(drawn, { maxLength: 30 }), off, (actions, parts) => {
        const query = {
          ...terms('tea lamp'),
          vector: Float32Array.of(1, 1),
          role: 'user',
          expectedTraits: 4,
        } as const
        const { hits } = held(actions).index.search(query, withoutParts(HYBRID, parts), options)
        for (const [place, hit] of hits.entries()) {
          expect(Object.values(hit.parts).reduce((sum, value) => sum + value, 0)).toBeCloseTo(hit.score, 6)
          expect(hit.score).toBeLessThanOrEqual(hits[place - 1]?.score ?? Number.POSITIVE_INFINITY)
          expect(parts.every((part) => hit.parts[part] === 0)).toBe(true)
        }
      }),
    )
  })
})
