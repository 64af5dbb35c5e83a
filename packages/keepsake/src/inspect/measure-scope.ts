import { MEMORY_FORMS, type MemoryForm } from '../memories/memory.ts'
import type { JobRow, ScopeCounts } from '../stores/store.ts'
import type { Engine } from '../work/engine.ts'
import { readModelUse, type ModelUse } from '../work/model-use.ts'
import type { ResolvedScope } from '../work/resolve-scope.ts'

/** How much there is of a person, and how far it was read. */
export interface ScopeStats extends ScopeCounts {
  /** What is live, by form; of utterances, whose words are their turns', no characters. */
  readonly live: readonly {
    readonly form: MemoryForm
    readonly memories: number
    readonly characters: number
  }[]
  /** Turns that are not consolidated yet: they are recalled as they stand. */
  readonly pending: number
  /** Jobs that wait, and those that failed for good. */
  readonly jobs: { readonly queued: number; readonly parked: number }
  /** What language models were asked for, and what it cost, for the whole person. */
  readonly models: readonly ModelUse[]
  /** Of the first turn and the latest, milliseconds since 1970; `null` where there is none. */
  readonly startedAt: number | null
  readonly lastAt: number | null
}

const NOTHING: ScopeStats = {
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

/** Counts, of which none reads the person's memories. */
export async function measureScope(engine: Engine, resolved: ResolvedScope | null): Promise<ScopeStats> {
  if (resolved === null) return NOTHING
  const { owner, scopes } = resolved
  const [counts, state, jobs, models, ends] = await Promise.all([
    engine.store.counts(owner, scopes),
    engine.users.load(owner),
    listJobs(engine, resolved),
    readModelUse(engine, owner),
    Promise.all(
      scopes.flatMap((scope) => [endOf(engine, owner, scope, false), endOf(engine, owner, scope, true)]),
    ),
  ])
  const times = ends.flat()
  const live = MEMORY_FORMS.map((form) => ({
    form,
    ...sumOf(scopes.map((scope) => state.liveCount(scope, form))),
  }))
  const waiting = scopes.map((scope) => state.progress(scope).lastPosition - state.consolidatedTo(scope))
  return {
    ...counts,
    live: live.filter(({ memories }) => memories > 0),
    pending: waiting.reduce((sum, one) => sum + Math.max(0, one), 0),
    jobs: {
      queued: jobs.filter(({ state }) => state === 'queued').length,
      parked: jobs.filter(({ state }) => state === 'parked').length,
    },
    models,
    startedAt: times.length === 0 ? null : Math.min(...times.map(({ startedAt }) => startedAt)),
    lastAt: times.length === 0 ? null : Math.max(...times.map(({ lastAt }) => lastAt)),
  }
}

/** The jobs of these scopes: what waits, and what failed with its reason. */
export async function listJobs(engine: Engine, resolved: ResolvedScope | null): Promise<readonly JobRow[]> {
  if (resolved === null) return []
  const jobs = await engine.store.jobs({ owner: resolved.owner })
  return jobs.filter(({ scope }) => resolved.scopes.includes(scope))
}

function endOf(engine: Engine, owner: number, scope: number, newestFirst: boolean) {
  return engine.store.sessions(owner, [scope], { newestFirst, limit: 1 })
}

function sumOf(parts: readonly { readonly memories: number; readonly characters: number }[]) {
  return {
    memories: parts.reduce((sum, one) => sum + one.memories, 0),
    characters: parts.reduce((sum, one) => sum + one.characters, 0),
  }
}
