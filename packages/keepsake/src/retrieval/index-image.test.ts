import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { DocumentIndex, type DocumentIndexKept } from './document-index.ts'
import type { ImageSections } from './image-sections.ts'
import { HYBRID } from './retrieval-recipe.ts'

const WORDS =
  'lyon oslo climb prefer window seat peanut allergic brother sister weather likes 茶 里昂 boulder wether'.split(
    ' ',
  )
/** Words beside these that are said once each, so that lists and columns have to grow. */
const manyWords = (seed: number) => Array.from({ length: 40 }, (_, place) => `word${seed}x${place}`)

const change = fc.record({
  id: fc.nat(40),
  act: fc.constantFrom('write', 'hide', 'show', 'remove'),
  words: fc.array(fc.constantFrom(...WORDS), { maxLength: 6 }),
  isRich: fc.boolean(),
  isTurn: fc.boolean(),
})
type Change = typeof change extends fc.Arbitrary<infer One> ? One : never

function apply(index: DocumentIndex, { id, act, words, isRich, isTurn }: Change): void {
  const name = `d${id}`
  if (act === 'remove') return index.remove(name)
  if (act !== 'write') return index.setSearchable(name, act === 'show')
  const vector = Float32Array.from({ length: 8 }, (_, place) => Math.sin(id * 8 + place + words.length))
  index.upsert({
    id: name,
    kind: isTurn ? 'turn' : 'memory',
    scope: id % 2,
    session: `s${id % 3}`,
    position: id,
    role: id % 3 === 0 ? 'agent' : 'user',
    speaker: id % 5 === 0 ? 'Nadia' : null,
    at: id * 1_000,
    terms: [...words, ...(isRich ? manyWords(id) : [])],
    traits: id,
    vector: id % 7 === 0 ? null : vector,
  })
}

function asked(index: DocumentIndex) {
  return ['What does Nadia like in Lyon?', 'wether brother 里昂', 'Who prefers the window seat?'].map(
    (text) => {
      const read = index.readQuestion(text, { now: 100_000 })
      const vector = Float32Array.from({ length: 8 }, (_, place) => Math.cos(place))
      return [index.names, index.search({ read, vector }, HYBRID, { limit: 50, now: 100_000 })]
    },
  )
}

function throughImage(index: DocumentIndex): DocumentIndex {
  const { sections, kept } = index.image()
  const copies: ImageSections = Object.fromEntries(
    Object.entries(sections).map(([name, numbers]) => [
      name,
      Buffer.isBuffer(numbers) ? new Uint8Array(numbers) : numbers.slice(),
    ]),
  )
  const again = new DocumentIndex()
  again.restore(copies, JSON.parse(JSON.stringify(kept)) as DocumentIndexKept)
  return again
}

it('an index from its image, and the one it was made of, find the same as one that never had any, also after further changes', () => {
  const changes = fc.array(change, { maxLength: 60 })
  fc.assert(
    fc.property(changes, changes, changes, (before, between, after) => {
      const plain = new DocumentIndex()
      const index = new DocumentIndex()
      for (const one of before) for (const each of [plain, index]) apply(each, one)
      let again = throughImage(index)
      expect(asked(again)).toEqual(asked(plain))
      for (const one of between) for (const each of [plain, index, again]) apply(each, one)
      for (const each of [index, again]) expect(asked(each)).toEqual(asked(plain))
      again = throughImage(again)
      for (const one of after) for (const each of [plain, index, again]) apply(each, one)
      for (const each of [index, again]) expect(asked(each)).toEqual(asked(plain))
    }),
    { numRuns: 60 },
  )
})

it('terms that come with a document are counted, however many they are', () => {
  const index = new DocumentIndex()
  for (let id = 0; id < 40; id += 1)
    apply(index, { id, act: 'write', words: ['lyon'], isRich: true, isTurn: true })
  const read = index.readQuestion('word33x39', { now: 0 })
  const { hits } = index.search({ read: { ...read, terms: ['word33x39'] }, vector: null }, HYBRID, {
    limit: 1,
    now: 0,
  })
  expect(hits[0]?.id).toBe('d33')
  expect(hits[0]?.parts.lexical).toBeGreaterThan(0)
})
