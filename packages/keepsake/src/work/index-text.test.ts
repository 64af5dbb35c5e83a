import { describe, expect, it } from 'vitest'
import { changesOver, makeFact, makeMemory, ORIGIN } from '../memories/memory-fixture.ts'
import type { ChangeSet } from '../memories/change-set.ts'
import type { Memory } from '../memories/memory.ts'
import { embedCached } from '../models/embed-cached.ts'
import { embedBy, embedLaterBy } from '../models/embedding-fixture.ts'
import { ANALYSER_VERSION, extendKeyTable, TextTrait } from '@keepsake/text'
import { openEngine } from './engine-fixture.ts'
import { documentsOf, indexText, memoryIndexText } from './index-text.ts'

const embedding = embedBy({ boat: [1, 0] })

describe('a text as the index stores it', () => {
  it('has its terms, and its vector where the model lives in the process', () => {
    expect(indexText(embedding, { text: 'The boats leak. A boat!' })).toEqual({
      terms: ['boat', 'leak', 'boat'],
      traits: expect.any(Number),
      analyser: ANALYSER_VERSION,
      vector: Float32Array.of(1, 0),
      embedder: 'test/words-1',
    })
  })

  it('is marked where most of a user’s turn is quoted, so that recall need not read it again', () => {
    const text = 'Translate this: I live in Rome.'
    const isQuoting = (role?: 'user' | 'assistant'): boolean =>
      (indexText(embedding, role === undefined ? { text } : { text, role }).traits & TextTrait.quoting) !== 0
    expect([isQuoting('user'), isQuoting('assistant'), isQuoting()]).toEqual([true, false, false])
  })

  it('waits for its vector where the model is remote', () => {
    expect(indexText(embedLaterBy({ boat: [1, 0] }), { text: 'The boats leak.' })).toMatchObject({
      vector: null,
      embedder: null,
    })
  })

  it('has the vector that a remote model made of it a moment ago', async () => {
    const remote = embedLaterBy({ boat: [1, 0] })
    await embedCached(remote, ['The boats leak.'])
    const made = { vector: Float32Array.of(1, 0), embedder: 'test/words-1' }
    expect(indexText(remote, { text: 'The boats leak.' })).toMatchObject(made)
    expect(indexText(remote, { text: 'The boats leaked.' })).toMatchObject({ vector: null, embedder: null })
  })
})

describe('the index rows of changes', () => {
  async function indexed(known: readonly Memory[], change: (changes: ChangeSet) => unknown) {
    const { engine } = await openEngine({ embedding })
    const changes = changesOver(known)
    change(changes)
    return documentsOf(engine, changes).map(({ id, kind, terms }) => [id, kind, terms])
  }
  const fact = makeFact({ id: 'a', text: 'boat' })
  const past = { text: 'yacht', value: null, validFrom: 0, validUntil: 1, evidence: [] }

  it('are those of memories whose words they wrote, as they are at the end', async () => {
    expect(await indexed([], (changes) => changes.add(makeFact({ text: 'boat' }), ORIGIN))).toEqual([
      ['id-1', 'memory', ['boat']],
    ])
    const written = await indexed([fact], (changes) => {
      changes.change('modify', 'a', { text: 'bread' }, ORIGIN)
      changes.change('modify', 'a', { pinned: true }, ORIGIN)
    })
    expect(written).toEqual([['a', 'memory', ['bread']]])
    expect(
      await indexed([fact], (changes) => changes.change('modify', 'a', { past: [past] }, ORIGIN)),
    ).toEqual([['a', 'memory', ['boat', 'yacht']]])
  })

  it('hold none of what was only touched, nor of what was told or erased', async () => {
    expect(
      await indexed([fact], (changes) => changes.change('modify', 'a', { pinned: true }, ORIGIN)),
    ).toEqual([])
    expect(
      await indexed([fact], (changes) => changes.reinforce([{ memory: 'a', rank: 'first' }], ORIGIN)),
    ).toEqual([])
    expect(await indexed([], (changes) => changes.add(makeMemory({ text: '' }), ORIGIN))).toEqual([])
    const said = makeMemory({ id: 'u', text: 'boat' })
    expect(await indexed([said], (changes) => changes.change('modify', 'u', { text: 'x' }, ORIGIN))).toEqual(
      [],
    )
    const gone = makeFact({ id: 'a', status: 'erased' })
    expect(await indexed([gone], (changes) => changes.change('modify', 'a', { text: 'x' }, ORIGIN))).toEqual(
      [],
    )
  })

  it('hold also the words of what is live no more: it may come back', async () => {
    const deleted = makeFact({ id: 'a', status: 'deleted' })
    expect(
      await indexed([deleted], (changes) => changes.change('modify', 'a', { text: 'boat' }, ORIGIN)),
    ).toEqual([['a', 'memory', ['boat']]])
  })
})

describe('the words of a memory that the index reads', () => {
  const KEYS = extendKeyTable(new Map(), [
    { id: 'residence', names: { en: ['residence', 'home'], zh: ['住处'] }, merge: 'trajectory' },
  ])
  const past = (text: string) => ({ text, value: null, validFrom: 0, validUntil: 1, evidence: [] })

  it('are what a memory says, what it said before, and the names of its key in its own language', () => {
    const lyon = makeFact({
      text: 'She moved to Lyon.',
      key: 'residence',
      past: [past('Rome'), past('Oslo')],
    })
    expect(memoryIndexText(lyon, KEYS)).toBe('She moved to Lyon.\nRome\nOslo\nresidence\nhome')
    expect(memoryIndexText({ ...lyon, text: '她搬到了里昂。', past: [] }, KEYS)).toBe('她搬到了里昂。\n住处')
  })

  it('hold no names where it has no key, or none of the table', () => {
    expect(memoryIndexText(makeFact({ text: 'She sings.' }), KEYS)).toBe('She sings.')
    expect(memoryIndexText(makeFact({ text: 'She sings.', key: 'hobbies' }), KEYS)).toBe('She sings.')
  })
})
