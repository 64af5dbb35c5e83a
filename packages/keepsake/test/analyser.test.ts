import { describe, expect, it } from 'vitest'
import { openMemory } from 'keepsake'
import { HYBRID } from '@keepsake/search'
import { openSqliteStore } from '../src/store/sqlite/open-sqlite-store.ts'
import { ANALYSER_VERSION } from '@keepsake/text'
import { openForTest } from './open-for-test.ts'
import { temporaryFile } from './temporary-file.ts'

describe('a change of tokeniser, stemmer or ICU', () => {
  it('is noticed, and what another version analysed is analysed again', async () => {
    const path = temporaryFile()
    const first = await openMemory({ path, preset: 'naive-rag' })
    await first
      .scope({ user: 'ana' })
      .remember({ role: 'user', text: 'Oskar repairs an old vessel.', id: 't1' })
    await first.close()
    const store = await openSqliteStore({ path })
    const [row] = await store.listScopes()
    const owner = row?.owner ?? 0
    const rows = (await store.loadUser({ userId: owner, afterRevision: 0 })).documents
    const old = rows.map(({ id, kind, vector, embedder }) => ({
      id,
      kind,
      terms: ['gibberish'],
      traits: 0,
      analyser: 'terms-0',
      vector,
      embedder,
    }))
    await store.saveDocuments(owner, old)
    await store.close()
    const keepsake = await openForTest({ path, preset: 'keepsake' })
    const { memories } = await keepsake.scope({ user: 'ana' }).recall('vessels')
    expect(memories[0]?.evidence[0]?.turn).toBe('t1')
    expect(memories[0]?.parts['lexical']).toBe(HYBRID.weights.lexical)
    const again = await openSqliteStore({ path })
    const { documents } = await again.loadUser({ userId: owner, afterRevision: 0 })
    expect(documents.map(({ analyser, terms }) => [analyser, terms])).toEqual([
      [ANALYSER_VERSION, ['oskar', 'repair', 'old', 'vessel']],
    ])
    await again.close()
  })
})
