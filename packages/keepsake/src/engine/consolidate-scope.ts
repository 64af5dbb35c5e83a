import type { Branch } from '../presets/preset.ts'
import type { ScopeRow } from '../scopes/scope.ts'
import { commitChanges } from './commit-changes.ts'
import type { Engine } from './engine.ts'
import { finishSession } from './finish-session.ts'
import { drawFacts } from './draw-facts.ts'
import { keepUtterances } from './keep-utterances.ts'
import { letGoOverCapacity } from './forget-over-capacity.ts'
import { momentOf, startChanges } from './moment.ts'
import { packStory } from './pack-story.ts'

/** Runs a branch once over what it has not read. @returns whether it got any further. */
function runBranch(
  engine: Engine,
  row: ScopeRow,
  branch: Branch,
  endingSession: string | null,
): Promise<boolean> {
  switch (branch.kind) {
    case 'utterances':
      return keepUtterances(engine, row, branch, endingSession)
    case 'facts':
      return drawFacts(engine, row, branch, endingSession)
    case 'story':
      return packStory(engine, row, branch)
    case 'summaries':
      return Promise.resolve(false)
  }
}

async function runBranches(engine: Engine, row: ScopeRow, endingSession: string | null): Promise<void> {
  for (const branch of engine.preset.branches) {
    while (await runBranch(engine, row, branch, endingSession)) await giveWay()
  }
}

/** Lets requests that wait on the event loop go first. */
function giveWay(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/**
 * Brings a scope up to its last turn: every branch reads what it has not read, and sessions that were ended
 * are summarised and judged. Each step commits its work with how far it got, in one transaction, so that being
 * killed in between loses and doubles nothing.
 */
export async function consolidateScope(engine: Engine, row: ScopeRow): Promise<void> {
  await engine.caches.lock(row.owner, 'consolidate').runExclusive(async () => {
    for (;;) {
      const { lastPosition } = await engine.store.progress(row.owner, row.scope)
      const jobs = await engine.store.jobs({ owner: row.owner, state: 'queued' })
      const own = jobs.filter((job) => job.scope === row.scope)
      await runBranches(engine, row, null)
      for (const job of own) {
        if (job.kind !== 'end-session' || job.session === null) continue
        await runBranches(engine, row, job.session)
        await finishSession(engine, row, job.session, job.id)
      }
      await letGoOverCapacity(engine, row, new Set())
      const done = own.filter((job) => job.kind === 'consolidate').map((job) => job.id)
      const after = await engine.store.progress(row.owner, row.scope)
      const isDone = after.lastPosition === lastPosition
      if (done.length > 0) await finishJobs(engine, row, done, !isDone)
      if (isDone) return
    }
  })
}

/** Turns that came meanwhile found a job queued and queued none: the one that ends leaves them a successor. */
async function finishJobs(
  engine: Engine,
  row: ScopeRow,
  jobs: readonly string[],
  hasMore: boolean,
): Promise<void> {
  const cache = await engine.caches.get(row.owner)
  const changes = startChanges(engine, cache, await momentOf(engine, row, cache))
  const successor = {
    id: engine.newId(),
    kind: 'consolidate',
    scope: row.scope,
    session: null,
    at: engine.now(),
  } as const
  await commitChanges(engine, row, changes, { finishJobs: jobs, queueJobs: hasMore ? [successor] : [] })
}
