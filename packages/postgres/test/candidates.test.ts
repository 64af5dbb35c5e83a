import { readFileSync } from 'node:fs'
import { PGlite } from '@electric-sql/pglite'
import {
  openMemory,
  type Keepsake,
  type OpenOptions,
  type Recall,
  type RecallOptions,
  type ScopedMemory,
  type Store,
} from 'keepsake'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openPgliteStore } from '../src/open-postgres-store.ts'
import { PgliteStores } from './pglite-store.ts'

const QUIET: RecallOptions = { now: Date.UTC(2026, 0, 1), reinforce: false, limit: 10 }

let stores: PgliteStores
let store: Store
const opened: Keepsake[] = []

beforeAll(async () => void (stores = await PgliteStores.start({ candidates: true })))
beforeEach(async () => {
  stores.reuse()
  store = await stores.open()
})
afterEach(async () => {
  for (const keepsake of opened.splice(0)) await keepsake.close()
  await store.close()
})
afterAll(() => stores.database.close())

/** A memory over the same rows, as another process would have it. */
async function open(
  around: (store: Store) => Store = (same) => same,
  options: OpenOptions = {},
): Promise<Keepsake> {
  const again = await stores.openAgain(store)
  const keepsake = await openMemory({ store: around(again), retention: { when: 'never' }, ...options })
  opened.push(keepsake)
  return keepsake
}

/** One to which everybody is too large. */
const openPart = (around?: (store: Store) => Store) => open(around, { candidatesFrom: 1 })
const openWhole = () => open(withoutCandidates)

/** Tells it and has it learned from. */
async function tell(user: string, texts: readonly string[], agent?: string): Promise<void> {
  const keepsake = await openWhole()
  const scope = keepsake.scope({ user, ...(agent === undefined ? {} : { agent }) })
  for (const [place, text] of texts.entries())
    await scope.remember([{ id: `${user}-${agent ?? ''}-${place}`, role: 'user', text }], {
      session: `s${place}`,
    })
  await keepsake.drain()
}

/** A store of which nobody is read whole, and whose candidates are counted. */
function countingRows(same: Store, rows: number[]): Store {
  const { candidates } = same
  if (candidates === undefined) throw new Error('the store gives no candidates')
  const find: typeof candidates.find = async (question) => {
    const found = await candidates.find(question)
    rows.push(found.rows.documents.length)
    return found
  }
  const indexRows = () => Promise.reject(new Error('the person was read whole'))
  return { ...same, indexRows, candidates: { ...candidates, find } }
}

function refusingToKeep(same: Store): Store {
  const { candidates } = same
  if (candidates === undefined) throw new Error('the store gives no candidates')
  const keep = () => Promise.reject(new Error('nothing is to be kept'))
  return { ...same, candidates: { ...candidates, keep } }
}

function withoutCandidates(store: Store): Store {
  const { candidates: _, ...others } = store
  return others
}

const textsOf = ({ memories }: Recall): string[] => memories.map(({ memory }) => memory.text)
const told = async (scope: ScopedMemory, question: string): Promise<string> => {
  const recall = await scope.recall(question, QUIET)
  return JSON.stringify([
    textsOf(recall),
    recall.context.text,
    recall.memories.map(({ evidence }) => evidence),
  ])
}

interface Line {
  readonly id: string
  readonly text: string
}

const data = new URL('../../bench/data/', import.meta.url)
const linesOf = (file: string): Line[] =>
  readFileSync(new URL(file, data), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)

/** Several people's talks as one person's, so that there is more than the candidates for one question. */
async function tellTalks(keepsake: Keepsake, folder: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const turns = linesOf(`${folder}/${name}.turns.jsonl`) as (Line & {
      session: string
      role: 'user'
      at: string
    })[]
    const bySession = Map.groupBy(turns, ({ session }) => session)
    for (const [session, said] of bySession)
      await keepsake.scope({ user: 'ana' }).remember(
        said.map(({ id, role, text, at }) => ({ id: `${name}-${id}`, role, text, at })),
        { session: `${name}-${session}` },
      )
  }
}

describe('a person who is too large', () => {
  it(
    'is answered from candidates without being read whole, mostly as if they were',
    { timeout: 240_000 },
    async () => {
      const teller = await openWhole()
      const talks = { en: ['dmitri', 'kofi', 'maud', 'renata'], zh: ['haoyu', 'siqi', 'xueqin'] }
      for (const [language, names] of Object.entries(talks))
        await tellTalks(teller, `everyday/${language}`, names)
      await teller.drain()
      const whole = await openWhole()
      const rows: number[] = []
      const part = await openPart((same) => countingRows(same, rows))
      const { owner } = (await store.listScopes())[0] ?? { owner: 0 }
      const all = (await store.indexRows(owner, 0)).documents.length
      const questions = Object.entries(talks).flatMap(([language, names]) =>
        names.flatMap((name) =>
          linesOf(`everyday/${language}/${name}.questions.jsonl`).filter((_, place) => place % 18 === 0),
        ),
      )
      const tally = { same: 0, all: 0, first: 0 }
      for (const { text } of questions) {
        const exact = await whole.scope({ user: 'ana' }).recall(text, QUIET)
        const some = await part.scope({ user: 'ana' }).recall(text, QUIET)
        expect([exact.approximate, some.approximate]).toEqual([undefined, true])
        const ids = new Set(some.memories.map(({ memory }) => memory.id))
        tally.all += exact.memories.length
        tally.same += exact.memories.filter(({ memory }) => ids.has(memory.id)).length
        tally.first += exact.memories[0]?.memory.id === some.memories[0]?.memory.id ? 1 : 0
      }
      expect(rows.reduce((sum, count) => sum + count, 0) / rows.length).toBeLessThan(0.75 * all)
      expect(tally.same / tally.all).toBeGreaterThan(0.9)
      expect(tally.first / questions.length).toBeGreaterThan(0.9)
    },
  )
})

it('keeps to the person and to the scopes that are asked', async () => {
  await tell('ana', ['My red canoe is in Lyon.'])
  await tell('ana', ['My green canoe is in Oslo.'], 'coach')
  await tell('ben', ['My blue canoe is in Porto.'])
  const part = await openPart()
  expect(await told(part.scope({ user: 'ben' }), 'Where is the canoe?')).not.toMatch(/red|green/)
  expect(await told(part.scope({ user: 'ana', agent: 'coach' }), 'Where is the canoe?')).toMatch(/green/)
  expect(await told(part.scope({ user: 'ana', agent: 'coach' }), 'Where is the canoe?')).not.toMatch(
    /red|blue/,
  )
  expect(await told(part.scope({ user: 'ana' }), 'Where is the canoe?')).toMatch(/red/)
})

it('tells nothing that another process deleted, forgot or erased since, and none of its words', async () => {
  await tell('ana', ['I own a red canoe.', 'I own a green kayak.', 'I own a blue dinghy.', 'I live in Lyon.'])
  const part = await openPart()
  const ana = part.scope({ user: 'ana' })
  expect(await told(ana, 'Which boats do I own?')).toMatch(/canoe.*kayak.*dinghy|dinghy|kayak/)
  const other = (await openWhole()).scope({ user: 'ana' })
  for (const { memory } of (await other.recall('canoe', QUIET)).memories)
    if (/canoe/.test(memory.text)) await other.remove(memory.id)
  await other.remember([{ role: 'user', text: 'Please forget that I own a green kayak.' }], { session: 's9' })
  await other.drain()
  await other.erase({ turns: ['ana--2'] })
  const after = await told(ana, 'Which boats do I own? The canoe, the kayak, the dinghy?')
  expect(after).not.toMatch(/red canoe|dinghy"|blue/)
  expect(after).not.toContain('I own a green kayak.')
  const schema = stores.schemaOf(store)
  const { rows } = await stores.database.query<{ left: number }>(`SELECT
    (SELECT count(*) FROM ${schema}.candidate_words WHERE term LIKE 'dingh%') + (SELECT count(*) FROM ${schema}.candidates WHERE terms::text LIKE '%dingh%') AS left`)
  expect(rows[0]?.left).toBe(0)
})

it('finds at once what waits to be learned from', async () => {
  await tell('ana', ['I live in Lyon.'])
  const [scope] = await store.listScopes()
  const teller = await openWhole()
  // Whoever holds the person's work keeps everybody else from learning.
  const held = await store.claim({ leaseMs: 60_000, owner: scope?.owner ?? 0 })
  await teller
    .scope({ user: 'ana' })
    .remember([{ role: 'user', text: 'My parrot is called Zorro.' }], { session: 's8' })
  const part = await openPart()
  const recall = await part.scope({ user: 'ana' }).recall('What is my parrot called?', QUIET)
  expect([recall.approximate, recall.memories[0]?.pending]).toEqual([true, true])
  expect(recall.memories[0]?.memory.text).toContain('Zorro')
  if (held.outcome === 'claimed') await store.release(held.claim.id)
})

it('answers who is small enough as a store without candidates does', async () => {
  await tell('ana', ['I live in Lyon.', 'My parrot is called Zorro.'])
  const whole = await openWhole()
  const able = await open(refusingToKeep)
  for (const question of ['Where do I live?', 'What do you know about me?']) {
    const [one, other] = [
      await whole.scope({ user: 'ana' }).recall(question, QUIET),
      await able.scope({ user: 'ana' }).recall(question, QUIET),
    ]
    expect({ ...other, milliseconds: 0 }).toEqual({ ...one, milliseconds: 0 })
    expect(Object.keys(other)).toEqual(Object.keys(one))
  }
})

it('tells of a whole person, of a time and of who they are from candidates, and says so', async () => {
  await tell('ana', [
    'My name is Ana.',
    'I live in Lyon.',
    'I work as a baker.',
    'Yesterday I bought a canoe.',
  ])
  const ana = (await openPart()).scope({ user: 'ana' })
  const all = await ana.recall('What do you know about me?', { reinforce: false })
  expect(all.approximate).toBe(true)
  expect(all.context.text).toMatch(/Lyon/)
  expect(all.profile.lines.map(({ text }) => text).join()).toMatch(/Ana/)
  const today = await ana.recall('What did I tell you today?', { reinforce: false })
  expect(today.context.text).toMatch(/canoe/)
})

it('reinforces what it found, in the round that the talk is in', async () => {
  await tell('ana', ['I live in Lyon.', 'My parrot is called Zorro.', 'I like tea.'])
  const [scope] = await store.listScopes()
  const part = await openPart()
  await part.scope({ user: 'ana' }).recall('What is my parrot called?', { limit: 1, reinforce: true })
  await part.drain()
  const wanted = { owner: scope?.owner ?? 0, newestFirst: true, limit: 1, kinds: ['reinforce'] } as const
  const [last] = await store.operations(wanted)
  expect(last?.round).toBe(3)
})

describe('turning candidates on', () => {
  it('is refused by a server without pgvector, which goes on as ever without it', async () => {
    const database = await PGlite.create()
    try {
      await expect(openPgliteStore({ database, candidates: true })).rejects.toThrow(
        'the extension "vector" (pgvector)',
      )
      const plain = await openPgliteStore({ database })
      expect(plain.candidates).toBeUndefined()
      await plain.close()
    } finally {
      await database.close()
    }
  })

  it('is done once for a schema; a process may leave them unused', async () => {
    const schema = 'turned_on'
    const { database } = stores
    const before = await openPgliteStore({ database, schema })
    expect(before.candidates).toBeUndefined()
    for (const candidates of [true, undefined]) {
      const on = await openPgliteStore({
        database,
        schema,
        ...(candidates === undefined ? {} : { candidates }),
      })
      expect(on.candidates).toBeDefined()
      await on.close()
    }
    const off = await openPgliteStore({ database, schema, candidates: false })
    expect(off.candidates).toBeUndefined()
    await off.close()
    await before.close()
  })
})
