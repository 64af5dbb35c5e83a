import { deepEqual, equal, notEqual } from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ScopeRow } from '../../scopes/scope.ts'
import type { Claim, Store } from '../store.ts'
import { assertHas } from './assert-has.ts'
import type { StoreCases } from './cases.ts'
import { ADA, commit, commitOf, jobOf } from './samples.ts'

const LONG_MS = 60_000
const SHORT_MS = 30

async function claimed(store: Store, leaseMs = LONG_MS, userId?: number): Promise<Claim> {
  const result = await store.claimJobs(userId === undefined ? { leaseMs } : { leaseMs, userId })
  if (result.outcome === 'claimed') return result.claim
  throw new Error(`there was work to claim, and the store says "${result.outcome}"`)
}

async function outcomeOf(store: Store, userId?: number): Promise<string> {
  return (await store.claimJobs(userId === undefined ? { leaseMs: LONG_MS } : { leaseMs: LONG_MS, userId }))
    .outcome
}

async function queue(store: Store, scope: ScopeRow, id = 'j1', at = 3000): Promise<void> {
  await commit(store, { ...commitOf(scope, []), queueJobs: [{ ...jobOf(scope, id), at }] })
}

const alone: StoreCases = {
  part: 'claims',
  cases: {
    'gives the work of whoever has waited longest, of one person to one worker': async ({ store, ada }) => {
      const bob = await store.ensureScope({ ...ADA, user: 'bob' })
      const poet = await store.ensureScope({ ...ADA, agent: 'poet' })
      const quiet = await store.ensureScope({ ...ADA, app: 'quiet' })
      equal(await outcomeOf(store), 'nothing')
      for (const [index, scope] of [bob, poet, ada].entries())
        await queue(store, scope, `j${index + 1}`, index)
      const first = await claimed(store)
      deepEqual([first.userId, first.scopes], [bob.owner, [bob]])
      deepEqual(first.jobs, await store.listJobs({ owner: bob.owner }))
      const second = await claimed(store)
      deepEqual([second.userId, second.scopes], [ada.owner, [ada, poet]])
      notEqual(first.id, second.id)
      equal(quiet.owner, ada.owner)
      equal(await outcomeOf(store), 'held')
      await commit(store, { ...commitOf(bob, []), finishJobs: ['j1'] })
      await store.releaseClaim(first.id)
      equal(await outcomeOf(store), 'held')
      await store.releaseClaim(second.id)
      equal((await claimed(store)).userId, ada.owner)
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
      await store.releaseClaim(claim.id)
      deepEqual((await claimed(store, LONG_MS, ada.owner)).scopes, [ada])
    },

    'leaves parked jobs, and those that are to wait until their time has come': async ({ store, ada }) => {
      const later = { ...jobOf(ada, 'later'), session: 's1', delayMs: LONG_MS }
      await commit(store, { ...commitOf(ada, []), queueJobs: [later] })
      equal(await outcomeOf(store), 'nothing')
      await commit(store, { ...commitOf(ada, []), finishJobs: ['later'] })
      await queue(store, ada)
      await store.updateJob(ada.owner, 'j1', { state: 'parked', attempts: 1, reason: 'no' })
      equal(await outcomeOf(store), 'nothing')
      await store.updateJob(ada.owner, 'j1', { state: 'queued', attempts: 1, reason: 'no', delayMs: LONG_MS })
      equal(await outcomeOf(store), 'nothing')
      await store.updateJob(ada.owner, 'j1', {
        state: 'queued',
        attempts: 1,
        reason: 'no',
        delayMs: SHORT_MS,
      })
      await sleep(2 * SHORT_MS)
      const claim = await claimed(store)
      await store.releaseClaim(claim.id)
      await store.updateJob(ada.owner, 'j1', { state: 'queued', attempts: 2, reason: 'no', delayMs: LONG_MS })
      await queue(store, ada, 'j2')
      deepEqual((await claimed(store)).scopes, [ada])
      assertHas(await store.listJobs(), [{ id: 'j1' }])
    },

    'lets a claim lapse that nobody renews, and tells whoever lost it': async ({ store, ada }) => {
      await queue(store, ada)
      const short = await claimed(store, SHORT_MS)
      equal(await store.renewClaim(short.id, LONG_MS), true)
      await sleep(2 * SHORT_MS)
      equal(await outcomeOf(store), 'held')
      equal(await store.renewClaim(short.id, SHORT_MS), true)
      await sleep(2 * SHORT_MS)
      const next = await claimed(store)
      equal(await store.renewClaim(short.id, LONG_MS), false)
      await store.releaseClaim(short.id)
      equal(await outcomeOf(store, ada.owner), 'held')
      equal(await store.renewClaim(next.id, LONG_MS), true)
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
      equal((await claimed(other)).userId, ada.owner)
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
        got.map(({ userId }) => userId).toSorted((one, two) => one - two),
        owners.toSorted((one, two) => one - two),
      )
      deepEqual([await outcomeOf(store), await outcomeOf(other)], ['held', 'held'])
    },
  },
}

export const claimCases: readonly StoreCases[] = [alone, together]
