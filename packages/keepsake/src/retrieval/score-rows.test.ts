import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { analyseText, readQuestion } from '@keepsake/text'
import { DocumentTable } from './document-table.ts'
import type { IndexedDocument } from './indexed-document.ts'
import { matchDocuments } from './match-documents.ts'
import type { RankingInput } from './match-words.ts'
import { Postings } from './postings.ts'
import { HYBRID, RETRIEVAL_PARTS, withoutParts, type RetrievalPart } from './retrieval-recipe.ts'
import { activeParts } from './score-parts.ts'
import { addRows } from './score-rows.ts'
import { VectorTable } from './vector/vector-table.ts'

const DAY = 86_400_000
const now = Date.UTC(2024, 5, 15, 12)
const WORDS = [
  'I',
  'moved',
  'to',
  'Lyon',
  'the',
  'cello',
  'plays',
  'Mara',
  'in',
  'May',
  '3',
  'why',
  '?',
  'my',
]

interface Said {
  readonly words: readonly string[]
  readonly isTurn: boolean
  readonly isUser: boolean
  readonly isHidden: boolean
  readonly days: number
  readonly vector: readonly number[] | null
}

const component = fc.integer({ min: -9, max: 9 })
const said: fc.Arbitrary<Said> = fc.record({
  words: fc.array(fc.constantFrom(...WORDS), { maxLength: 12 }),
  isTurn: fc.boolean(),
  isUser: fc.boolean(),
  isHidden: fc.boolean(),
  days: fc.integer({ min: -3, max: 1_200 }),
  vector: fc.option(fc.tuple(component, component, component)),
})

function documentOf({ words, isTurn, isUser, days, vector }: Said, place: number): IndexedDocument {
  const at = now - days * DAY - place
  const [x = 0, y = 0, z = 0] = vector ?? []
  return {
    id: `d${place}`,
    kind: isTurn ? 'turn' : 'memory',
    scope: 1,
    session: `s${place % 3}`,
    position: place,
    role: isUser ? 'user' : 'agent',
    speaker: null,
    at,
    ...analyseText(words.join(' ')),
    vector: vector === null ? null : Float32Array.of(x, y, z, 1),
  }
}

function inputOf(talk: readonly Said[], question: string, without: readonly RetrievalPart[]): RankingInput {
  const table = new DocumentTable()
  const postings = new Postings(table)
  const vectors = new VectorTable(4)
  for (const [place, one] of talk.entries()) {
    const document = documentOf(one, place)
    const row = table.write(document)
    postings.write(row, document.terms)
    if (document.vector !== null) vectors.set(row, document.vector)
    if (one.isHidden) continue
    postings.show(row)
    table.setLive(row, true)
  }
  const read = readQuestion(question, [], { now })
  const asked = { read, vector: Float32Array.of(1, 0.5, -0.5, 1) }
  return {
    table,
    postings,
    vectors,
    question: asked,
    recipe: withoutParts(HYBRID, without),
    options: { limit: 5, now },
  }
}

it('adds up to the last bit what the parts give one by one', () => {
  const question = fc.constantFrom(
    'When did I move to Lyon in May?',
    'Who plays the cello?',
    'mara moved',
    '?',
  )
  const without = fc.subarray([...RETRIEVAL_PARTS])
  fc.assert(
    fc.property(fc.array(said, { maxLength: 30 }), question, without, (talk, text, parts) => {
      const matches = matchDocuments(inputOf(talk, text, parts))
      const active = activeParts(matches).filter(({ name }) => name !== 'speaker')
      const one = new Float64Array(talk.length)
      for (const { add, weight } of active) add(matches, weight, { at: null, sums: one })
      const together = new Float64Array(talk.length)
      addRows(matches, active, together)
      const rows = talk.flatMap(({ isHidden }, row) => (isHidden ? [] : [row]))
      expect(rows.map((row) => together[row])).toEqual(rows.map((row) => (one[row] ?? 0) + 0))
    }),
  )
})
