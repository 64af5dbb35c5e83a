import type { Candidate } from '../memories/candidate.ts'
import type { ChangeSet } from '../memories/change-set.ts'
import type { Memory, Signals } from '../memories/memory.ts'
import type { ScopeRow } from '../scopes/scope.ts'
import { eventScope } from '../scopes/scope-key.ts'
import type { SessionRow } from '../stores/store.ts'
import type { Turn } from '../turns/turn.ts'
import { summariseSession } from '../story/summarise-session.ts'
import { compressPortrait } from './compress-portrait.ts'
import { commitChanges } from '../work/commit-changes.ts'
import type { Engine } from '../work/engine.ts'
import { forgetInto, judgeMemories } from '../forget/forget-memories.ts'
import { memoryOf } from '../memories/make-memory.ts'
import { momentOf, originOf, startChanges } from '../work/moment.ts'
import type { OwnerCache } from '../work/owner-cache.ts'
import { isDropped, livingTurns } from './living-turns.ts'

/** As much of earlier summaries as a new one is given for context. */
const CHARACTERS_BEFORE = 2_000
/** How often a summary is made anew because something changed while it was written. */
const ATTEMPTS = 3

function mean(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length
}

/** A summary has no words of the user's own to measure: it takes its rounds' mean (LUFY). */
function signalsOf(utterances: readonly Memory[]): Signals {
  return {
    arousal: mean(utterances.map((memory) => memory.signals.arousal)),
    surprise: mean(utterances.map((memory) => memory.signals.surprise)),
    importance: mean(utterances.map((memory) => memory.signals.importance)),
  }
}

function ofScope(cache: OwnerCache, row: ScopeRow): Memory[] {
  return [...cache.memories({ scopes: new Set([row.scope]) })]
}

/** What was told before, newest last, as far as it fits. */
function toldBefore(cache: OwnerCache, row: ScopeRow, session: SessionRow): string {
  const summaries = ofScope(cache, row).filter(
    (memory) => memory.form === 'summary' && memory.status === 'live' && memory.session !== session.id,
  )
  return summaries
    .map((memory) => memory.text)
    .join('\n')
    .slice(-CHARACTERS_BEFORE)
}

async function summaryOf(
  engine: Engine,
  row: ScopeRow,
  cache: OwnerCache,
  session: SessionRow,
  turns: readonly Turn[],
): Promise<Candidate | 'unsafe' | null> {
  if (turns.length === 0) return null
  return summariseSession(turns, engine.preset.summariser, {
    embedding: engine.wordVectors,
    ask: engine.language?.for(eventScope(row)) ?? null,
    before: toldBefore(cache, row, session),
  })
}

/** The summary that a session has, and whether it needs another: turns came after it. One that was let go or dropped stays so. */
function knownSummary(cache: OwnerCache, row: ScopeRow, session: SessionRow) {
  const known = ofScope(cache, row).find(
    (memory) => memory.form === 'summary' && memory.session === session.id,
  )
  const isDone = known !== undefined && (known.status !== 'live' || known.learnedAt >= session.lastAt)
  return { known, isDone }
}

function writeSummary(
  engine: Engine,
  row: ScopeRow,
  cache: OwnerCache,
  changes: ChangeSet,
  session: SessionRow,
  summary: Candidate,
): void {
  const { summariser } = engine.preset
  const { known } = knownSummary(cache, row, session)
  const utterances = ofScope(cache, row).filter(
    (memory) => memory.form === 'utterance' && memory.session === session.id,
  )
  const signals = signalsOf(utterances)
  const origin = originOf(engine, summariser.id, summariser.prompt)
  if (known !== undefined) {
    const { text, evidence } = summary
    changes.change('modify', known.id, { text, evidence, signals, learnedAt: session.lastAt }, origin)
    return
  }
  const place = {
    session: session.id,
    sessionNumber: session.number,
    round: cache.roundAt(row.scope, Number.POSITIVE_INFINITY),
    learnedAt: session.lastAt,
  }
  changes.add(memoryOf({ ...summary, signals }, place, 'other'), origin)
}

/**
 * Makes the session's summary, or makes it anew when turns came after it. It is written without holding anything up,
 * and written again when what it rests on changed meanwhile.
 */
async function addSummary(engine: Engine, row: ScopeRow, session: SessionRow): Promise<void> {
  if (!engine.preset.branches.some((branch) => branch.kind === 'summaries')) return
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const cache = await engine.caches.get(row.owner)
    const { epoch } = cache.version
    const { branches } = await engine.store.progress(row.owner, row.scope)
    if (knownSummary(cache, row, session).isDone) return
    const turns = await livingTurns(engine, row, cache, session.id)
    const summary = await summaryOf(engine, row, cache, session, turns)
    if (summary === null || summary === 'unsafe') {
      const outcome = summary ?? 'nothing'
      engine.events.emit('session-not-summarised', { scope: eventScope(row), session: session.id, outcome })
      return
    }
    const isWritten = await engine.caches.lock(row.owner, 'write').runExclusive(async () => {
      const current = await engine.caches.get(row.owner)
      if (turns.some((turn) => isDropped(current, turn))) return false
      const changes = startChanges(engine, current, await momentOf(engine, row, current))
      writeSummary(engine, row, current, changes, session, summary)
      // Sessions are counted here, not turns: it keeps another process from telling the same session again.
      const progress = [{ branch: 'summaries', from: branches['summaries'] ?? 0, to: session.number }]
      return (await commitChanges(engine, row, changes, { epoch, progress })) !== null
    })
    if (isWritten) return
  }
}

/**
 * Runs the policy where the preset lets go at a session's end, and ends the session, in one transaction; unless
 * another process has done so.
 */
async function closeSession(engine: Engine, row: ScopeRow, id: string, job: string): Promise<void> {
  await engine.caches.lock(row.owner, 'write').runExclusive(async () => {
    const session = (await engine.store.sessions(row.owner, [row.scope])).find((one) => one.id === id)
    for (;;) {
      const cache = await engine.caches.get(row.owner)
      const moment = { ...(await momentOf(engine, row, cache)), session: session?.number ?? 0 }
      const changes = startChanges(engine, cache, moment)
      const { retention } = engine.preset
      const run =
        retention.when === 'session-end' ? await judgeMemories(engine, row, cache, moment, retention) : null
      const forgotten = run === null ? [] : forgetInto(engine, changes, run, false).forgotten
      const ends = session === undefined ? [] : [{ session: id, at: engine.now() }]
      const extras = { endSessions: ends, finishJobs: [job], expectJobs: [job] }
      if ((await commitChanges(engine, row, changes, extras)) === null) {
        const jobs = await engine.store.jobs({ owner: row.owner })
        if (jobs.some((one) => one.id === job)) continue
        return
      }
      engine.events.emit('session-ended', { scope: eventScope(row), session: id, forgotten })
      return
    }
  })
}

/**
 * Ends a session whose turns are all read: its summary, the portrait that follows from it, then the policy with the
 * end itself and the finished job, the last one last, so that being killed in between only does it again.
 */
export async function finishSession(engine: Engine, row: ScopeRow, id: string, job: string): Promise<void> {
  const session = (await engine.store.sessions(row.owner, [row.scope])).find((one) => one.id === id)
  if (session !== undefined && session.endedAt === null) {
    await addSummary(engine, row, session)
    await compressPortrait(engine, row, session)
  }
  await closeSession(engine, row, id, job)
}
