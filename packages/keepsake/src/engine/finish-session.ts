import type { Candidate } from '../extraction/candidate.ts'
import type { ChangeSet } from '../operations/change-set.ts'
import type { Memory, Signals } from '../operations/memory.ts'
import type { ScopeRow } from '../scopes/scope.ts'
import { eventScope } from '../scopes/scope-key.ts'
import type { SessionRow } from '../stores/store.ts'
import { summariseSession } from '../story/summarise-session.ts'
import { commitChanges } from './commit-changes.ts'
import type { Engine } from './engine.ts'
import { forgetInto, judgeMemories } from './forget-memories.ts'
import { memoryOf } from './make-memory.ts'
import { momentOf, originOf, startChanges } from './moment.ts'
import type { OwnerCache } from './owner-cache.ts'

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

/** Only what may be recalled goes into a summary: turns that a live memory rests on, or all where the preset keeps no utterances. */
async function summariseWhatIsLive(
  engine: Engine,
  row: ScopeRow,
  cache: OwnerCache,
  session: string,
): Promise<Candidate | null> {
  const turns = await engine.store.turns({ owner: row.owner, scopes: [row.scope], session })
  const keepsUtterances = engine.preset.branches.some((branch) => branch.kind === 'utterances')
  const live = keepsUtterances ? turns.filter((turn) => cache.utteranceOf(turn.id) !== undefined) : turns
  if (live.length === 0) return null
  return summariseSession(live, engine.preset.summariser, { embedding: engine.wordVectors })
}

/** Makes the session's summary, or makes it anew when turns came after it. One that was let go or dropped stays so. */
async function addSummary(
  engine: Engine,
  row: ScopeRow,
  cache: OwnerCache,
  changes: ChangeSet,
  session: SessionRow,
): Promise<void> {
  if (!engine.preset.branches.some((branch) => branch.kind === 'summaries')) return
  const ofSession = [...cache.memories({ scopes: new Set([row.scope]) })].filter(
    (memory) => memory.session === session.id,
  )
  const known = ofSession.find((memory) => memory.form === 'summary')
  if (known !== undefined && (known.status !== 'live' || known.learnedAt >= session.lastAt)) return
  const summary = await summariseWhatIsLive(engine, row, cache, session.id)
  if (summary === null) return
  const signals = signalsOf(ofSession.filter((memory) => memory.form === 'utterance'))
  const origin = originOf(engine, engine.preset.summariser.id)
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
 * Ends a session whose turns are all read: its summary, then the policy where the preset lets go at a
 * session's end; both, the end itself and the finished job in one transaction each, the last one last.
 */
export async function finishSession(engine: Engine, row: ScopeRow, id: string, job: string): Promise<void> {
  await engine.caches.lock(row.owner, 'write').runExclusive(async () => {
    const session = (await engine.store.sessions(row.owner, [row.scope])).find((one) => one.id === id)
    const before = await engine.caches.get(row.owner)
    const summarising = startChanges(engine, before, await momentOf(engine, row, before))
    if (session !== undefined && session.endedAt === null)
      await addSummary(engine, row, before, summarising, session)
    if (summarising.operations.length > 0)
      await commitChanges(engine, row, summarising, { epoch: before.version.epoch })
    for (;;) {
      const cache = await engine.caches.get(row.owner)
      const moment = { ...(await momentOf(engine, row, cache)), session: session?.number ?? 0 }
      const changes = startChanges(engine, cache, moment)
      const { retention } = engine.preset
      const run =
        retention.when === 'session-end' ? await judgeMemories(engine, row, cache, moment, retention) : null
      const forgotten = run === null ? [] : forgetInto(engine, changes, run, false).forgotten
      const ends = session === undefined ? [] : [{ session: id, at: engine.now() }]
      if ((await commitChanges(engine, row, changes, { endSessions: ends, finishJobs: [job] })) === null)
        continue
      engine.events.emit('session-ended', { scope: eventScope(row), session: id, forgotten })
      return
    }
  })
}
