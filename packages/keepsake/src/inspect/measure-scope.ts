// Counts the rows of a user's scopes, for `stats()`.
import { MEMORY_FORMS, type MemoryForm } from '../memories/memory.ts'
import type { JobRow, MemoryCount } from '../store/store.ts'
import type { Engine } from '../work/engine.ts'
import type { ModelUse } from '../work/model-use.ts'
import type { ResolvedScope } from '../work/scope-handle.ts'

/** Counts of a user's rows, and the progress of consolidation. */
export interface ScopeStats {
  readonly sessions: number
  /** Turns that are not erased. */
  readonly turns: number
  readonly operations: number
  /** By status, form and type, in a fixed order. */
  readonly memories: readonly MemoryCount[]
  /** Live memories by form. Utterances have no characters of their own, since their turns hold the text. */
  readonly live: readonly {
    readonly form: MemoryForm
    readonly memories: number
    readonly characters: number
  }[]
  /** Turns not yet consolidated; they can be recalled already. */
  readonly pending: number
  /** Jobs that wait, and those that failed for good. */
  readonly jobs: { readonly queued: number; readonly parked: number }
  /** Calls of language models and their cost, for the whole user. */
  readonly models: readonly ModelUse[]
  /** Times of the first and the latest turn, in milliseconds since 1970; `null` without turns. */
  readonly startedAt: number | null
  readonly lastAt: number | null
}

const EMPTY_STATS: ScopeStats = {
  sessions: 0,
  turns: 0,
  operations: 0,
  memories: [],
  live: [],
  pending: 0,
  jobs: { queued: 0, parked: 0 },
  models: [],
  startedAt: null,
  lastAt: null,
}

export async function measureScope(engine: Engine, resolved: ResolvedScope | null): Promise<ScopeStats> {
  if (resolved === null) return EMPTY_STATS
  const { owner, scopes } = resolved
  const [counts, state, jobs, models] = await Promise.all([
    engine.store.stats({ userId: owner, scopes }),
    engine.users.load(owner),
    listJobs(engine, resolved),
    engine.modelAccounts.read(owner),
  ])
  const sessionRows = scopes.flatMap((scope) => state.sessions(scope))
  const live = MEMORY_FORMS.map((form) => ({
    form,
    ...sumOf(scopes.map((scope) => state.liveCount(scope, form))),
  }))
  const pendingCounts = scopes.map(
    (scope) => state.progress(scope).lastPosition - state.consolidatedTo(scope),
  )
  const { sessions, turns, operations, kinds: memories } = counts
  return {
    sessions,
    turns,
    operations,
    memories,
    live: live.filter(({ memories }) => memories > 0),
    pending: pendingCounts.reduce((sum, count) => sum + Math.max(0, count), 0),
    jobs: {
      queued: jobs.filter(({ state }) => state === 'queued').length,
      parked: jobs.filter(({ state }) => state === 'parked').length,
    },
    models,
    startedAt: sessionRows.length === 0 ? null : Math.min(...sessionRows.map(({ startedAt }) => startedAt)),
    lastAt: sessionRows.length === 0 ? null : Math.max(...sessionRows.map(({ lastAt }) => lastAt)),
  }
}

export async function listJobs(engine: Engine, resolved: ResolvedScope | null): Promise<readonly JobRow[]> {
  if (resolved === null) return []
  const jobs = await engine.store.listJobs({ owner: resolved.owner })
  return jobs.filter(({ scope }) => resolved.scopes.includes(scope))
}

function sumOf(parts: readonly { readonly memories: number; readonly characters: number }[]) {
  return {
    memories: parts.reduce((sum, part) => sum + part.memories, 0),
    characters: parts.reduce((sum, part) => sum + part.characters, 0),
  }
}
