import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { samples, type Claim, type ScopeRow, type Store } from 'keepsake/store-kit'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { PgliteStores } from './pglite-store.ts'

const { ADA, commitOf, jobOf } = samples

/** Longer than a test takes, and shorter than anything that lapses. */
const LEAVE_MS = 60_000
const LEASE_MS = 60_000

let stores: PgliteStores
/** Two processes of one store, as far as the store can tell. */
let one: Store
let other: Store

beforeAll(async () => void (stores = await PgliteStores.start()))
beforeEach(async () => {
  stores.reuse()
  one = await stores.open()
  other = await stores.openAgain(one)
})
afterEach(async () => {
  await one.close()
  await other.close()
})
afterAll(() => stores.database.close())

async function queue(store: Store, scope: ScopeRow, id: string): Promise<void> {
  await store.commit({ ...commitOf(scope, []), queueJobs: [jobOf(scope, id)] })
}

async function lookOf(store: Store, leaveMs = LEAVE_MS): Promise<Claim | string> {
  const result = await store.claim({ leaseMs: LEASE_MS, leaveMs })
  return result.outcome === 'claimed' ? result.claim : result.outcome
}

/** Claims somebody’s work, does it and gives it back. */
async function work(store: Store, scope: ScopeRow, job: string): Promise<void> {
  const result = await store.claim({ leaseMs: LEASE_MS, owner: scope.owner })
  if (result.outcome !== 'claimed') throw new Error('the work is held')
  await store.commit({ ...commitOf(scope, []), finishJobs: [job] })
  await store.release(result.claim.id)
}

const personOf = (store: Store, user: string): Promise<ScopeRow> => store.ensureScope({ ...ADA, user })

it('leaves work to the process that queued it, for as long as is asked', async () => {
  const ada = await personOf(one, 'ada')
  await queue(one, ada, 'j1')
  expect(await lookOf(other)).toBe('held')
  expect(await lookOf(one)).toMatchObject({ owner: ada.owner, scopes: [ada] })
})

it('gives it to another once it was left for so long, or at once where nothing is to be left', async () => {
  const [ada, bob] = [await personOf(one, 'ada'), await personOf(one, 'bob')]
  await queue(one, ada, 'j1')
  await queue(one, bob, 'j2')
  await sleep(20)
  expect(await lookOf(other, 10)).toMatchObject({ owner: ada.owner })
  expect(await lookOf(other, 0)).toMatchObject({ owner: bob.owner })
})

it('stays with who worked for the person last, whoever queues more', async () => {
  const ada = await personOf(one, 'ada')
  await queue(one, ada, 'j1')
  await work(other, ada, 'j1')
  await queue(one, ada, 'j2')
  expect(await lookOf(one)).toBe('held')
  expect(await lookOf(other)).toMatchObject({ owner: ada.owner })
})

it('gives a process its own people before others who have waited longer', async () => {
  const [ada, bob] = [await personOf(one, 'ada'), await personOf(one, 'bob')]
  await queue(other, bob, 'j1')
  await queue(one, ada, 'j2')
  expect(await lookOf(one, 0)).toMatchObject({ owner: ada.owner })
  expect(await lookOf(one, 0)).toMatchObject({ owner: bob.owner })
})

it('gives now and then whoever has waited longest, so that a busy process leaves nobody out', async () => {
  const stranger = await personOf(other, 'stranger')
  await queue(other, stranger, 'first')
  const seen: (number | string)[] = []
  for (let own = 0; own < 16; own += 1) {
    const scope = await personOf(one, `own ${own}`)
    await queue(one, scope, `job ${own}`)
    const claim = await lookOf(one, 0)
    seen.push(typeof claim === 'string' ? claim : claim.owner)
  }
  expect(seen.indexOf(stranger.owner)).toBe(15)
})

it('leaves nothing to a process that was killed', async () => {
  const ada = await personOf(one, 'ada')
  await queue(one, ada, 'j1')
  const gone = `${hostname()}/${2 ** 22 + 1}/killed`
  await stores.database.query(`UPDATE ${stores.schemaOf(one)}.jobs SET home = $1`, [gone])
  expect(await lookOf(other)).toMatchObject({ owner: ada.owner })
})

it('leaves nothing to a process that was closed', async () => {
  const ada = await personOf(one, 'ada')
  await queue(one, ada, 'j1')
  await work(one, ada, 'j1')
  await one.close()
  await queue(other, ada, 'j2')
  expect(await lookOf(other)).toMatchObject({ owner: ada.owner })
})

it('is due again at once when something new is to be done, and is left to its home from then on as before', async () => {
  const ada = await personOf(one, 'ada')
  await queue(one, ada, 'j1')
  await one.updateJob('j1', { state: 'queued', attempts: 1, reason: 'away', delayMs: LEAVE_MS })
  expect(await lookOf(one)).toBe('nothing')
  await queue(one, ada, 'j2')
  expect(await lookOf(other)).toBe('held')
  expect(await lookOf(one)).toMatchObject({ owner: ada.owner })
})

it('tells a watcher whether the work is of people whom it has at hand', async () => {
  const heard: boolean[] = []
  const unwatch = other.watch?.((isAtHand) => heard.push(isAtHand))
  const until = async (count: number): Promise<void> => {
    while (heard.length < count) await sleep(5)
  }
  // What begins to listen has heard nothing of what was said before.
  await until(1)
  const ada = await personOf(one, 'ada')
  await queue(one, ada, 'j1')
  await until(2)
  await work(other, ada, 'j1')
  await queue(one, ada, 'j2')
  await until(3)
  unwatch?.()
  expect(heard).toEqual([true, false, true])
})
