import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { openMemory, type Keepsake } from '../memory.ts'
import type { RecallOptions } from '../retrieval/recall-types.ts'
import type { ScopedMemory } from '../scoped-memory.ts'
import { openSqliteStore } from '../stores/sqlite/open-sqlite-store.ts'
import { makeFact } from '../memories/memory-fixture.ts'
import { CacheImages } from './cache-images.ts'
import { instead, openEngine, storeMemories } from './engine-fixture.ts'

const folder = mkdtempSync(join(tmpdir(), 'keepsake-images-'))
afterAll(() => rmSync(folder, { recursive: true }))

const NOW = Date.UTC(2026, 2, 5)
const NAMES = ['Mia', 'Leo', 'Zoë', '小林', 'Ana', 'Tom']
const PLACES = ['Lyon', 'Oslo', '成都', 'Porto', 'Leeds']
const QUESTIONS = [
  'Where does Mia live?',
  'What do you know about me?',
  '小林住在哪里？',
  'Who likes climbing in Leeds?',
  'wether',
]
const QUIET: RecallOptions = { now: NOW, reinforce: false }

const sayings = [
  (name: string, place: string) => `My friend ${name} lives in ${place} and loves climbing.`,
  (name: string, place: string) => `I moved to ${place} last week; ${name} helped me.`,
  (name: string, place: string) => `我的朋友${name}住在${place}，喜欢爬山。`,
  (name: string) => `${name} is allergic to peanuts, and the weather was bad.`,
]

async function talk(scope: ScopedMemory, from: number, to: number): Promise<void> {
  const turns = Array.from({ length: to - from }, (_, index) => {
    const at = from + index
    const say = sayings[at % sayings.length]
    const text = say?.(NAMES[at % NAMES.length] ?? '', PLACES[(at * 7) % PLACES.length] ?? '') ?? ''
    return {
      id: `turn-${at}`,
      role: at % 3 === 2 ? 'agent' : 'user',
      text,
      at: NOW - (1_000 - at) * 60_000,
    } as const
  })
  await scope.remember(turns, { session: `session-${Math.floor(from / 40)}` })
  await scope.drain()
}

/** All that recalls answer, but for how long they took. */
async function answers(scope: ScopedMemory): Promise<unknown[]> {
  const answered: unknown[] = []
  for (const question of QUESTIONS) {
    const { milliseconds: _, ...recall } = await scope.recall(question, QUIET)
    answered.push(recall)
  }
  return answered
}

/** A memory on a file that reads no rows where it has an image: what was read is counted. */
async function open(path: string) {
  const store = await openSqliteStore({ path })
  let rows = 0
  const counted = instead(store, 'indexRows', async (owner, after) => {
    const read = await store.indexRows(owner, after)
    rows += read.documents.length + read.memories.length
    return read
  })
  const memory = await openMemory({ store: counted, now: () => NOW })
  return { memory, store, rows: () => rows, scope: memory.scope({ user: 'ada' }) }
}

function images(path: string): number {
  const database = new Database(path)
  const count = database.prepare<[], number>('SELECT count(*) FROM images').pluck().get() ?? 0
  database.close()
  return count
}

function dropImages(path: string): void {
  const database = new Database(path)
  database.exec('DELETE FROM images')
  database.close()
}

async function close(memory: Keepsake): Promise<void> {
  await memory.drain()
  await memory.close()
}

describe('an image', () => {
  it('is given up where a memory is taken in while it is made, though the version is still of before', async () => {
    const place = await openEngine()
    await storeMemories(place, makeFact({ id: 'rain', text: 'It rains.' }))
    const { engine, row } = place
    const { store, newId } = engine
    const cache = await engine.caches.get(row.owner)
    const images = new CacheImages({ store, newId, format: 'test' })
    const saved = images.save(cache)
    const known = cache.known('rain')
    if (known !== undefined) cache.setMemory(known)
    expect(await saved).toBe(false)
    expect(await images.save(cache)).toBe(true)
  })
})

describe('a person who is not in memory', () => {
  it('is there from their image, row by row only what came since, and answers as from their rows', async () => {
    const path = join(folder, 'same.db')
    const first = await open(path)
    await talk(first.scope, 0, 120)
    const told = await answers(first.scope)
    await close(first.memory)
    expect(images(path)).toBe(1)

    const second = await open(path)
    expect(await answers(second.scope)).toEqual(told)
    expect(second.rows()).toBe(0)
    await talk(second.scope, 120, 126)
    const toldSince = await answers(second.scope)
    const memories = await second.scope.memories()

    // While the other still has them in memory: its image is of before.
    const third = await open(path)
    expect(await answers(third.scope)).toEqual(toldSince)
    expect(third.rows()).toBeGreaterThan(0)
    expect(third.rows()).toBeLessThan(80)
    expect(await third.scope.memories()).toEqual(memories)
    await close(third.memory)
    await close(second.memory)

    dropImages(path)
    const fourth = await open(path)
    expect(await answers(fourth.scope)).toEqual(toldSince)
    await close(fourth.memory)
  })

  it('is not made an image of by a process that reads a few newer rows beside the last', async () => {
    const path = join(folder, 'moved.db')
    const first = await open(path)
    await talk(first.scope, 0, 240)
    await close(first.memory)
    const second = await open(path)
    await talk(second.scope, 240, 250)
    const third = await open(path)
    const put = vi.spyOn(third.store, 'putImagePart')
    await third.scope.recall('Where does Mia live?', QUIET)
    await third.memory.drain()
    expect(third.rows()).toBeGreaterThan(24)
    expect(put).not.toHaveBeenCalled()
    await close(third.memory)
    await close(second.memory)
  })

  it('is changed as ever after they came from their image', async () => {
    const path = join(folder, 'changed.db')
    const first = await open(path)
    await talk(first.scope, 0, 60)
    await close(first.memory)
    const second = await open(path)
    const [fact] = (await second.scope.memories({ forms: ['fact'] })).filter(({ text }) =>
      text.includes('Mia'),
    )
    if (fact === undefined) throw new Error('nothing is known of Mia')
    await second.scope.remove(fact.id)
    await second.scope.note('Prefers the window seat', { name: 'seat' })
    await second.scope.recall('Where does Leo live?', { now: NOW })
    await talk(second.scope, 60, 70)
    const told = await answers(second.scope)
    expect(JSON.stringify(told)).not.toContain(fact.id)
    const kept = await second.scope.memories({ statuses: ['live', 'deleted'] })
    await close(second.memory)
    dropImages(path)
    const third = await open(path)
    expect(await third.scope.memories({ statuses: ['live', 'deleted'] })).toEqual(kept)
    expect(await answers(third.scope)).toEqual(told)
    await close(third.memory)
  })

  it('is read from their rows where the image is another embedder’s, half written, or no image at all', async () => {
    const path = join(folder, 'broken.db')
    const first = await open(path)
    await talk(first.scope, 0, 60)
    const told = await answers(first.scope)
    await close(first.memory)
    const spoil = [
      `UPDATE images SET parts = 2`,
      `UPDATE images SET bytes = CAST(replace(CAST(bytes AS TEXT), 'words-2', 'words-9') AS BLOB)`,
      `UPDATE images SET bytes = substr(bytes, 1, length(bytes) / 2)`,
      `UPDATE images SET bytes = x'FFFFFFFFFFFFFFFF'`,
      `UPDATE images SET bytes = x''`,
    ]
    for (const change of spoil) {
      const database = new Database(path)
      database.exec(change)
      database.close()
      const again = await open(path)
      expect(await answers(again.scope)).toEqual(told)
      expect(again.rows()).toBeGreaterThan(100)
      await close(again.memory)
      expect(images(path)).toBe(1)
    }
  })

  it('leaves no image of what was erased', async () => {
    const path = join(folder, 'erased.db')
    const first = await open(path)
    await talk(first.scope, 0, 60)
    await first.scope.remember({
      id: 'secret',
      role: 'user',
      text: 'The xylophonist Quetzalcoatlus owes me money.',
    })
    await close(first.memory)
    expect(images(path)).toBe(1)
    const second = await open(path)
    await answers(second.scope)
    await second.scope.erase({ turns: ['secret'] })
    const database = new Database(path, { readonly: true })
    const left = database.prepare('SELECT bytes FROM images').pluck().all() as Buffer[]
    expect(left.some((bytes) => bytes.includes('quetzalcoatl'))).toBe(false)
    database.close()
    const told = await answers(second.scope)
    await close(second.memory)
    const third = await open(path)
    expect(await answers(third.scope)).toEqual(told)
    expect(JSON.stringify(told)).not.toContain('secret')
    await close(third.memory)
  })

  it('is there all the same from a store that keeps no images, or cannot', async () => {
    const path = join(folder, 'none.db')
    const store = await openSqliteStore({ path })
    const plain = instead(instead(store, 'imagePart', undefined), 'putImagePart', undefined)
    const memory = await openMemory({ store: plain, now: () => NOW })
    await talk(memory.scope({ user: 'ada' }), 0, 60)
    await close(memory)
    expect(images(path)).toBe(0)
    const failing = instead(await openSqliteStore({ path }), 'putImagePart', () =>
      Promise.reject(new Error('full')),
    )
    const reported = vi.fn()
    const other = await openMemory({ store: failing, now: () => NOW })
    other.on('background-failed', reported)
    await answers(other.scope({ user: 'ada' }))
    await close(other)
    expect(reported).toHaveBeenCalled()
  })
})
