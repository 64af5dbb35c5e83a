import { deepEqual, equal, notEqual } from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ScopeRow } from '../../scopes/scope.ts'
import type { Claim, Store } from '../store.ts'
import { assertHas } from './assert-has.ts'
import type { StoreCases } from './cases.ts'
import { ADA, commit, commitOf, jobOf } from './samples.ts'

const LONG_MS = 60_000
const SHORT_MS = 30

async function claimOrFail(store: Store, leaseMs = LONG_MS, userId?: number): Promise<Claim> {
  const result = await store.claimJobs(userId === undefined ? { leaseMs } : { leaseMs, userId })
  if (result.outcome === 'claimed') return result.claim
  throw new Error(`there was work to claim, and the store says "${result.outcome}"`)
}

async function claimOutcome(store: Store, userId?: number): Promise<string> {
  return (await store.claimJobs(userId === undefined ? { leaseMs: LONG_MS } : { leaseMs: LONG_MS, userId }))
    .outcome
}

async function queueJob(store: Store, scope: ScopeRow, id = 'j1', at = 3000): Promise<void> {
  await commit(store, { ...commitOf(scope, []), queueJobs: [{ ...jobOf(scope, id), at }] })
}

const claimsInOneStore: StoreCases = {
  part: 'claims',
  cases: {
    'gives the work that has waited longest, and the work of one user to one worker only': async ({
      store,
      ada,
    }) => {
      const bob = await store.ensureScope({ ...ADA, user: 'bob' })
      const poet = await store.ensureScope({ ...ADA, agent: 'poet' })
      const quiet = await store.ensureScope({ ...ADA, app: 'quiet' })
      equal(await claimOutcome(store), 'nothing')
      for (const [index, scope] of [bob, poet, ada].entries())
        await queueJob(store, scope, `j${index + 1}`, index)
      const first = await claimOrFail(store)
      deepEqual([first.userId, first.scopes], [bob.owner, [bob]])
      deepEqual(first.jobs, await store.listJobs({ owner: bob.owner }))
      const second = await claimOrFail(store)
      deepEqual([second.userId, second.scopes], [ada.owner, [ada, poet]])
      notEqual(first.id, second.id)
      equal(quiet.owner, ada.owner)
      equal(await claimOutcome(store), 'held')
      await commit(store, { ...commitOf(bob, []), finishJobs: ['j1'] })
      await store.releaseClaim(first.id)
      equal(await claimOutcome(store), 'held')
      await store.releaseClaim(second.id)
      equal((await claimOrFail(store)).userId, ada.owner)
    },

    'gives the work of a named user even if no job waits, unless another worker holds it': async ({
      store,
      ada,
    }) => {
      const claim = await claimOrFail(store, LONG_MS, ada.owner)
      deepEqual(claim.scopes, [])
      await queueJob(store, ada)
      equal(await claimOutcome(store, ada.owner), 'held')
      equal(await claimOutcome(store), 'held')
      await store.releaseClaim(claim.id)
      deepEqual((await claimOrFail(store, LONG_MS, ada.owner)).scopes, [ada])
    },

    'gives no parked jobs, and no delayed job before it is due': async ({ store, ada }) => {
      const later = { ...jobOf(ada, 'later'), session: 's1', delayMs: LONG_MS }
      await commit(store, { ...commitOf(ada, []), queueJobs: [later] })
      equal(await claimOutcome(store), 'nothing')
      await commit(store, { ...commitOf(ada, []), finishJobs: ['later'] })
      await queueJob(store, ada)
      await store.updateJob(ada.owner, 'j1', { state: 'parked', attempts: 1, reason: 'no' })
      equal(await claimOutcome(store), 'nothing')
      await store.updateJob(ada.owner, 'j1', { state: 'queued', attempts: 1, reason: 'no', delayMs: LONG_MS })
      equal(await claimOutcome(store), 'nothing')
      await store.updateJob(ada.owner, 'j1', {
        state: 'queued',
        attempts: 1,
        reason: 'no',
        delayMs: SHORT_MS,
      })
      await sleep(2 * SHORT_MS)
      const claim = await claimOrFail(store)
      await store.releaseClaim(claim.id)
      await store.updateJob(ada.owner, 'j1', { state: 'queued', attempts: 2, reason: 'no', delayMs: LONG_MS })
      await queueJob(store, ada, 'j2')
      deepEqual((await claimOrFail(store)).scopes, [ada])
      assertHas(await store.listJobs(), [{ id: 'j1' }])
    },

    'ends a claim that is not renewed, and refuses to renew it afterwards': async ({ store, ada }) => {
      await queueJob(store, ada)
      const short = await claimOrFail(store, SHORT_MS)
      equal(await store.renewClaim(short.id, LONG_MS), true)
      await sleep(2 * SHORT_MS)
      equal(await claimOutcome(store), 'held')
      equal(await store.renewClaim(short.id, SHORT_MS), true)
      await sleep(2 * SHORT_MS)
      const next = await claimOrFail(store)
      equal(await store.renewClaim(short.id, LONG_MS), false)
      await store.releaseClaim(short.id)
      equal(await claimOutcome(store, ada.owner), 'held')
      equal(await store.renewClaim(next.id, LONG_MS), true)
    },
  },
}

const claimsInTwoStores: StoreCases = {
  part: 'claims',
  needsOpenAgain: true,
  cases: {
    'keeps a claim against a second store of the same rows, until the first store is closed': async ({
      store,
      ada,
      openAgain,
    }) => {
      const other = await openAgain()
      await queueJob(store, ada)
      await claimOrFail(store)
      equal(await claimOutcome(other), 'held')
      equal(await claimOutcome(other, ada.owner), 'held')
      await store.close()
      equal((await claimOrFail(other)).userId, ada.owner)
    },

    'gives the work of each of many users to one of two stores of the same rows': async ({
      store,
      openAgain,
    }) => {
      const other = await openAgain()
      const owners: number[] = []
      for (let person = 0; person < 20; person += 1) {
        const scope = await store.ensureScope({ ...ADA, user: `person ${person}` })
        owners.push(scope.owner)
        await queueJob(store, scope, `job ${person}`)
      }
      const claims = await Promise.all(owners.map((_, index) => claimOrFail(index % 2 === 0 ? store : other)))
      deepEqual(
        claims.map(({ userId }) => userId).toSorted((first, second) => first - second),
        owners.toSorted((first, second) => first - second),
      )
      deepEqual([await claimOutcome(store), await claimOutcome(other)], ['held', 'held'])
    },
  },
}

export const claimCases: readonly StoreCases[] = [claimsInOneStore, claimsInTwoStores]
