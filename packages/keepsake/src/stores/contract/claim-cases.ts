import { deepEqual, equal, notEqual } from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ScopeRow } from '../../scopes/scope.ts'
import type { Claim, Store } from '../store.ts'
import { assertHas } from './assert-has.ts'
import type { StoreCases } from './cases.ts'
import { ADA, commitOf, jobOf, unreadSegmentOf } from './samples.ts'

const LONG_MS = 60_000
const SHORT_MS = 30

async function claimed(store: Store, leaseMs = LONG_MS, owner?: number): Promise<Claim> {
  const result = await store.claim(owner === undefined ? { leaseMs } : { leaseMs, owner })
  if (result.outcome === 'claimed') return result.claim
  throw new Error(`there was work to claim, and the store says "${result.outcome}"`)
}

async function outcomeOf(store: Store, owner?: number): Promise<string> {
  return (await store.claim(owner === undefined ? { leaseMs: LONG_MS } : { leaseMs: LONG_MS, owner })).outcome
}

async function queue(store: Store, scope: ScopeRow, id = 'j1'): Promise<void> {
  await store.commit({ ...commitOf(scope, []), queueJobs: [jobOf(scope, id)] })
}

const alone: StoreCases = {
  part: 'claims',
  cases: {
    'gives the work of whoever has waited longest, of one person to one worker': async ({ store, ada }) => {
      const bob = await store.ensureScope({ ...ADA, user: 'bob' })
      const poet = await store.ensureScope({ ...ADA, agent: 'poet' })
      const quiet = await store.ensureScope({ ...ADA, app: 'quiet' })
      equal(await outcomeOf(store), 'nothing')
      for (const [index, scope] of [bob, poet, ada].entries()) await queue(store, scope, `j${index + 1}`)
      const first = await claimed(store)
      deepEqual([first.owner, first.scopes], [bob.owner, [bob]])
      const second = await claimed(store)
      deepEqual([second.owner, second.scopes], [ada.owner, [ada, poet]])
      notEqual(first.id, second.id)
      equal(quiet.owner, ada.owner)
      equal(await outcomeOf(store), 'held')
      await store.commit({ ...commitOf(bob, []), finishJobs: ['j1'] })
      await store.release(first.id)
      equal(await outcomeOf(store), 'held')
      await store.release(second.id)
      equal((await claimed(store)).owner, ada.owner)
    },

    'tells the version and the jobs with the claim as they are, where it tells them': async ({
      store,
      ada,
    }) => {
      await queue(store, ada, 'j1')
      await store.commit({ ...commitOf(ada, []), queueJobs: [unreadSegmentOf(ada, 'parked', 12, 'no JSON')] })
      for (const owner of [undefined, ada.owner]) {
        const { id, version, jobs } = await claimed(store, LONG_MS, owner)
        if (version !== undefined) deepEqual(version, await store.version(ada.owner))
        if (jobs !== undefined) deepEqual(jobs, await store.jobs({ owner: ada.owner, state: 'queued' }))
        await store.release(id)
      }
    },

    'gives the work of a person who is named, also where no job waits, unless it is held': async ({
      store,
      ada,
    }) => {
      const claim = await claimed(store, LONG_MS, ada.owner)
      deepEqual(claim.scopes, [])
      await queue(store, ada)
      equal(await outcomeOf(store, ada.owner), 'held')
      equal(await outcomeOf(store), 'held')
      await store.release(claim.id)
      deepEqual((await claimed(store, LONG_MS, ada.owner)).scopes, [ada])
    },

    'gives back and claims in one go, where it can': async ({ store, ada }) => {
      if (store.turnOver === undefined) return
      const bob = await store.ensureScope({ ...ADA, user: 'bob' })
      for (const [index, scope] of [ada, bob].entries()) await queue(store, scope, `j${index + 1}`)
      const first = await claimed(store)
      equal(first.owner, ada.owner)
      // Its job is not done: given back, it is the next again, and whoever is named is claimed all the same.
      const again = await store.turnOver([first.id], { leaseMs: LONG_MS })
      equal(again.outcome === 'claimed' && again.claim.owner, ada.owner)
      const named = await store.turnOver(['of-nobody'], { leaseMs: LONG_MS, owner: ada.owner })
      equal(named.outcome, 'held')
      await store.commit({ ...commitOf(ada, []), finishJobs: ['j1'] })
      const ended = again.outcome === 'claimed' ? [again.claim.id] : []
      const next = await store.turnOver(ended, { leaseMs: LONG_MS })
      equal(next.outcome === 'claimed' && next.claim.owner, bob.owner)
      equal(await outcomeOf(store, ada.owner), 'claimed')
      const last = next.outcome === 'claimed' ? [next.claim.id] : []
      await store.commit({ ...commitOf(bob, []), finishJobs: ['j2'] })
      equal((await store.turnOver(last, { leaseMs: LONG_MS })).outcome, 'nothing')
      equal(await outcomeOf(store, bob.owner), 'claimed')
    },

    'gives a claim back with the commit that ends its work, where that is made': async ({ store, ada }) => {
      if (store.endsClaims !== true) return
      await queue(store, ada)
      const { id } = await claimed(store)
      const ends = { ...commitOf(ada, []), finishJobs: ['j1'], endClaims: [id] }
      equal((await store.commit({ ...ends, expectJobs: ['gone'] })).outcome, 'conflict')
      equal(await outcomeOf(store, ada.owner), 'held')
      equal((await store.commit(ends)).outcome, 'committed')
      equal(await store.renew(id, LONG_MS), false)
      const next = await claimed(store, LONG_MS, ada.owner)
      // One that was lost is left to who has it.
      await store.commit(ends)
      equal(await outcomeOf(store, ada.owner), 'held')
      equal(await store.renew(next.id, LONG_MS), true)
    },

    'leaves parked jobs, and those that are to wait until their time has come': async ({ store, ada }) => {
      await queue(store, ada)
      await store.updateJob('j1', { state: 'parked', attempts: 1, reason: 'no' })
      equal(await outcomeOf(store), 'nothing')
      await store.updateJob('j1', { state: 'queued', attempts: 1, reason: 'no', delayMs: LONG_MS })
      equal(await outcomeOf(store), 'nothing')
      await store.updateJob('j1', { state: 'queued', attempts: 1, reason: 'no', delayMs: SHORT_MS })
      await sleep(2 * SHORT_MS)
      const claim = await claimed(store)
      await store.release(claim.id)
      await store.updateJob('j1', { state: 'queued', attempts: 2, reason: 'no', delayMs: LONG_MS })
      await queue(store, ada, 'j2')
      deepEqual((await claimed(store)).scopes, [ada])
      assertHas(await store.jobs(), [{ id: 'j1' }])
    },

    'lets a claim lapse that nobody renews, and tells whoever lost it': async ({ store, ada }) => {
      await queue(store, ada)
      const short = await claimed(store, SHORT_MS)
      equal(await store.renew(short.id, LONG_MS), true)
      await sleep(2 * SHORT_MS)
      equal(await outcomeOf(store), 'held')
      equal(await store.renew(short.id, SHORT_MS), true)
      await sleep(2 * SHORT_MS)
      const next = await claimed(store)
      equal(await store.renew(short.id, LONG_MS), false)
      await store.release(short.id)
      equal(await outcomeOf(store, ada.owner), 'held')
      equal(await store.renew(next.id, LONG_MS), true)
    },
  },
}

const together: StoreCases = {
  part: 'claims',
  needsTwo: true,
  cases: {
    'holds between two openings, until the one that holds is closed': async ({ store, ada, openAgain }) => {
      const other = await openAgain()
      await queue(store, ada)
      await claimed(store)
      equal(await outcomeOf(other), 'held')
      equal(await outcomeOf(other, ada.owner), 'held')
      await store.close()
      equal((await claimed(other)).owner, ada.owner)
    },

    'gives each of many people’s work to one of two openings': async ({ store, openAgain }) => {
      const other = await openAgain()
      const owners: number[] = []
      for (let person = 0; person < 20; person += 1) {
        const scope = await store.ensureScope({ ...ADA, user: `person ${person}` })
        owners.push(scope.owner)
        await queue(store, scope, `job ${person}`)
      }
      const got = await Promise.all(owners.map((_, index) => claimed(index % 2 === 0 ? store : other)))
      deepEqual(
        got.map(({ owner }) => owner).toSorted((one, two) => one - two),
        owners.toSorted((one, two) => one - two),
      )
      deepEqual([await outcomeOf(store), await outcomeOf(other)], ['held', 'held'])
    },

    'tells a watcher of work that the other queued, where it can': async ({ store, ada, openAgain }) => {
      const other = await openAgain()
      if (other.watch === undefined) return
      const told = Promise.withResolvers<string>()
      const unwatch = other.watch(() => told.resolve('told'))
      await queue(store, ada)
      equal(await Promise.race([told.promise, sleep(5_000, 'not told')]), 'told')
      unwatch()
    },
  },
}

export const claimCases: readonly StoreCases[] = [alone, together]
