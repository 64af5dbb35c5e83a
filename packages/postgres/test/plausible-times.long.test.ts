import { PGlite } from '@electric-sql/pglite'
import type { ScopeRow, Store } from 'keepsake/store-kit'
import { projectLog, samples } from 'keepsake/store-kit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PgliteSessions } from '../src/connection/pglite-sessions.ts'
import { migrate } from '../src/migrate.ts'
import { openPgliteStore } from '../src/open-postgres-store.ts'

const { ADA, addOf, commitOf, operationOf, reinforceOf, turnOf } = samples

const FAR = Date.parse('9999-12-31T00:00:00Z')
/** Beyond the calendar: no Date can show it. */
const BEYOND = 9e15
const EARLY = Date.parse('1066-10-14T00:00:00Z')
const THEN = Date.parse('2026-03-01T00:00:00Z')
/** Tomorrow is taken: clocks and zones differ. */
const SOON = Date.now() + 20 * 3_600_000

let database: PGlite
beforeAll(async () => {
  database = await PGlite.create()
  await database.exec('CREATE ROLE plain; GRANT CREATE ON DATABASE postgres TO plain')
})
afterAll(() => database.close())

/** A schema as version 2 left it, with what it took then. Its owner is held by the walls. */
async function makeOld(schema: string, partitions: number): Promise<void> {
  await database.exec('SET ROLE plain')
  await migrate(new PgliteSessions(database), { schema, partitions, upTo: 2 })
  await database.exec('RESET ROLE')
}

async function fill(store: Store, ada: ScopeRow): Promise<void> {
  const turns: [string, number][] = [
    ['t1', THEN],
    ['t2', FAR],
    ['t3', BEYOND],
    ['t4', SOON],
  ]
  for (const [id, at] of turns) await store.append(turnOf(ada, id, `said ${id}`, { at }))
  const early = turnOf(ada, 't5', 'said t5', { at: EARLY })
  await store.append({ ...early, session: 's2' })
  const version = { text: 'before', value: null, evidence: [] }
  const past = [
    { ...version, validFrom: EARLY, validUntil: FAR },
    { ...version, validFrom: THEN, validUntil: SOON },
  ]
  const metadata = { 'a\0b': 'c\0', validFrom: FAR, past: [{ validFrom: FAR }] }
  const add = addOf(ada, 'm1', `said "validFrom":${FAR}\0`, ['t2'], {
    validFrom: FAR,
    learnedAt: BEYOND,
    metadata,
  })
  const modify = operationOf(ada, 'modify', 'm1', { validUntil: FAR, past })
  const tally = { first: 1, second: 0, rounds: [1], lastSession: 1, lastAt: THEN }
  const recalled = reinforceOf(ada, [{ memory: 'm1', rank: 'first', tally }])
  const fine = addOf(ada, 'm2', 'fine', ['t1'], { validFrom: THEN, learnedAt: SOON })
  const before = { ...modify, payload: { before: { validFrom: FAR }, after: modify.payload?.after ?? {} } }
  await store.commit(commitOf(ada, [add, before, recalled, fine]))
}

describe.each([0, 2])('times that no clock showed, in %i parts', (partitions) => {
  const schema = `times_${partitions}`

  it('are mended when the schema is taken to the newest, in the log and in what the log makes', async () => {
    await makeOld(schema, partitions)
    // What this code writes, the schema of version 2 took alike, but for who is to do a job: that and the number are turned back.
    const writing = await openPgliteStore({ database, schema })
    const ada = await writing.ensureScope(ADA)
    const bob = await writing.ensureScope({ ...ADA, user: 'bob' })
    await fill(writing, ada)
    await writing.append(turnOf(bob, 'b1', 'fine', { at: THEN }))
    await writing.putImagePart?.(ada.owner, { image: 'x', part: 0, parts: 1, bytes: new Uint8Array([1]) }, 0)
    const [version, bobs] = [await writing.version(ada.owner), await writing.version(bob.owner)]
    const texts = (await writing.operations({ owner: ada.owner })).map(({ id }) => id)
    await writing.close()
    await database.exec(`DELETE FROM ${schema}.migrations WHERE version > 2;
      DROP TABLE ${schema}.candidates, ${schema}.candidate_words, ${schema}.candidates_kept;
      ALTER TABLE ${schema}.jobs DROP COLUMN home; DROP INDEX ${schema}.claims_held;
      CREATE INDEX claims_of_holder ON ${schema}.claims (holder)`)

    await database.exec('SET ROLE plain')
    const started = Date.now()
    await migrate(new PgliteSessions(database), { schema, partitions: 0 })
    await database.exec('RESET ROLE')
    const store = await openPgliteStore({ database, schema })
    const isNow = (at: number | null | undefined) =>
      expect(Math.abs((at ?? 0) - started)).toBeLessThan(60_000)

    const turns = await store.turns({ owner: ada.owner })
    expect(turns.map(({ id, at, text }) => [id, at, text]).slice(0, 4)).toEqual([
      ['t1', THEN, 'said t1'],
      ['t2', THEN, 'said t2'],
      ['t3', THEN, 'said t3'],
      ['t4', SOON, 'said t4'],
    ])
    expect(turns[4]?.at).toBe(SOON)
    expect(await store.sessions(ada.owner, [ada.scope])).toMatchObject([
      { id: 's1', startedAt: THEN, lastAt: SOON },
      { id: 's2', startedAt: SOON, lastAt: SOON },
    ])
    const kept = (await store.memories({ owner: ada.owner })).map(({ memory }) => memory)
    const [m1, m2] = kept
    for (const time of [m1?.validFrom, m1?.validUntil, m1?.learnedAt]) isNow(time)
    isNow(m1?.past[0]?.validFrom)
    isNow(m1?.past[0]?.validUntil)
    expect(m1?.past[1]).toMatchObject({ validFrom: THEN, validUntil: SOON })
    expect(m1?.text).toBe(`said "validFrom":${FAR}\0`)
    expect(m1?.metadata).toEqual({ 'a\0b': 'c\0', validFrom: FAR, past: [{ validFrom: FAR }] })
    expect(m1?.use.lastAt).toBe(THEN)
    expect(m2).toMatchObject({ validFrom: THEN, learnedAt: SOON })
    const log = await store.operations({ owner: ada.owner })
    expect(log.map(({ id }) => id)).toEqual(texts)
    expect(kept).toEqual([...projectLog(log).values()])
    isNow(log[1]?.payload?.before?.validFrom)
    // A cache that another process keeps of her is dropped; nobody else's.
    const { revision, epoch } = version
    expect(await store.version(ada.owner)).toEqual({ revision: revision + 1, epoch: epoch + 1 })
    expect(await store.version(bob.owner)).toEqual(bobs)
    expect(await store.imagePart?.(ada.owner, 0)).toBeNull()
    const { rows } = await database.query(`SELECT to_regclass('${schema}.repair') AS left`)
    expect(rows).toEqual([{ left: null }])
    await store.close()
  })
})
