import { forgetInto, judgeMemories } from '../forget/forget-memories.ts'
import { type Candidate, candidateOf, memoryOf } from '../memories/candidate.ts'
import type { Memory, Signals } from '../memories/memory.ts'
import { eventScope, type ScopeRow } from '../scopes/scope.ts'
import type { SessionRow } from '../store/store.ts'
import type { Engine } from '../work/engine.ts'
import { settingOfSession, originOf, viewScope, type ScopeView, tellingLeftOut } from '../work/scope-view.ts'
import { openWriter } from '../work/scope-guidelines.ts'
import { decideAndCommit, type UnitOfWork } from '../work/unit-of-work.ts'
import { compressPortrait } from './compress-portrait.ts'
import { screenSummary } from './screen-texts.ts'
import { turnsToSummarise } from './turns-to-summarise.ts'
import { isDropped, toldBefore } from '../work/living-turns.ts'
import type { Turn } from '../turns/turn.ts'
import { sourcesOfTurns } from '../story/make-story-unit.ts'
import type { SummariseOptions, Summariser } from '../story/summariser.ts'

type Choose = (values: readonly number[]) => number
const mean: Choose = (values) => values.reduce((sum, value) => sum + value, 0) / values.length
const most: Choose = (values) => Math.max(...values)
const least: Choose = (values) => Math.min(...values)
const PICKED_BY = {
  mean: { arousal: mean, surprise: mean, importance: mean },
  strongest: { arousal: most, surprise: least, importance: most },
} as const

function signalsOf(utterances: readonly Memory[], by: keyof typeof PICKED_BY): Signals {
  const of = (signal: keyof Signals): number | null => {
    const known = utterances.flatMap(({ signals }) => signals[signal] ?? [])
    return known.length === 0 ? null : PICKED_BY[by][signal](known)
  }
  return { arousal: of('arousal'), surprise: of('surprise'), importance: of('importance') }
}

/** Finds a session's summary, and whether it covers all turns. A forgotten or deleted summary stays so. */
function knownSummary(view: ScopeView, session: SessionRow) {
  const known = view.state.memoriesOf(view.row.scope, 'summary').find(({ session: of }) => of === session.id)
  const isDone = known !== undefined && (known.status !== 'live' || known.learnedAt >= session.lastAt)
  return { known, isDone }
}

/** A summary draft with a check whether it is still valid. */
interface SummaryDraft {
  readonly summary: Candidate | 'unsafe' | null
  readonly revision: number
  readonly stillHolds: (view: ScopeView) => boolean
}

async function draftSummary(view: ScopeView, session: SessionRow): Promise<SummaryDraft> {
  const { engine, row, state } = view
  const { revision } = state
  const turns = turnsToSummarise(view, session.id)
  const stillHolds = ({ state: now }: ScopeView): boolean =>
    now.erasedRevision <= revision && turns.every((turn) => !isDropped(now, turn))
  if (turns.length === 0) return { summary: null, revision, stillHolds }
  const { ask, checking, never } = await openWriter(engine, row, 'summary')
  const written = await summariseSession(turns, engine.preset.summariser, {
    embedding: engine.wordVectors,
    ask,
    before: toldBefore(view, session.id),
    onLeftOut: tellingLeftOut(view, engine.preset.summariser),
  })
  if (written === null || written === 'unsafe') return { summary: written, revision, stillHolds }
  const text = await screenSummary(written.text, never, checking)
  return { summary: text === '' ? null : { ...written, text }, revision, stillHolds }
}

function writeSummary(unit: UnitOfWork, session: SessionRow, summary: Candidate): void {
  const { engine, changes } = unit
  const { summariser, branches } = engine.preset
  const { known } = knownSummary(unit, session)
  const utterances = unit.state.utterancesOf(unit.row.scope, session.id)
  const by = branches.find((branch) => branch.kind === 'summaries')?.signals ?? 'mean'
  const signals = signalsOf(utterances, by)
  const origin = originOf(engine, summariser.id, summariser.prompt, 'summary')
  if (known === undefined) {
    const made = memoryOf({ ...summary, signals }, settingOfSession(unit, session))
    const first = by === 'strongest' ? most([0, ...utterances.map(({ use }) => use.first)]) : 0
    changes.add({ ...made, use: { ...made.use, first } }, origin)
    return
  }
  const { text, evidence } = summary
  changes.change('modify', known.id, { text, evidence, signals, learnedAt: session.lastAt }, origin)
}

/** Writes the session's summary, or rewrites it after further turns. Repeats if a source is deleted meanwhile. */
async function addSummary(engine: Engine, row: ScopeRow, session: SessionRow): Promise<void> {
  if (!engine.preset.branches.some((branch) => branch.kind === 'summaries')) return
  for (let draft: SummaryDraft | null = null; ;) {
    const view = await viewScope(engine, row)
    if (knownSummary(view, session).isDone) return
    const { branches } = view.state.progress(row.scope)
    if (draft === null || !draft.stillHolds(view)) draft = await draftSummary(view, session)
    const { summary, revision, stillHolds } = draft
    if (summary === null || summary === 'unsafe') {
      const outcome = summary ?? 'nothing'
      engine.events.emit('session-not-summarised', { scope: eventScope(row), session: session.id, outcome })
      return
    }
    // The progress counts sessions. It keeps another process from summarising the same session.
    const progress = [{ branch: 'summaries', from: branches['summaries'] ?? 0, to: session.number }]
    const write = (unit: UnitOfWork): void => writeSummary(unit, session, summary)
    const committed = await decideAndCommit(engine, row, write, { revision, progress, stillHolds })
    if (committed !== null) return
  }
}

async function findSession(engine: Engine, row: ScopeRow, id: string): Promise<SessionRow | undefined> {
  const state = await engine.users.load(row.owner)
  return state.sessions(row.scope).find((session) => session.id === id)
}

/** Runs the session-end policy and ends the session in one transaction, unless another process has done so. */
async function closeSession(engine: Engine, row: ScopeRow, id: string, job: string): Promise<void> {
  const { retention } = engine.preset
  const session = await findSession(engine, row, id)
  const committed = await decideAndCommit(
    engine,
    row,
    async (unit) => {
      if (retention.when !== 'session-end') return []
      const moment = { ...unit.moment, session: session?.number ?? 0 }
      return forgetInto(unit, await judgeMemories(unit, moment, retention)).forgotten
    },
    {
      endSessions: session === undefined ? [] : [{ session: id, at: engine.now() }],
      finishJobs: [job],
      expectJobs: [job],
    },
  )
  if (committed === null) return
  const { result: forgotten } = committed
  engine.events.emit('session-ended', { scope: eventScope(row), session: id, forgotten })
}

/**
 * Ends a session whose turns are all read: summary, portrait, then the policy with the finished job. A crash in
 * between only repeats the steps.
 */
export async function finishSession(engine: Engine, row: ScopeRow, id: string, job: string): Promise<void> {
  const session = await findSession(engine, row, id)
  if (session !== undefined && session.endedAt === null) {
    await addSummary(engine, row, session)
    await compressPortrait(engine, row, session)
  }
  await closeSession(engine, row, id, job)
}

/** A session's summary is read beside its facts: some six sentences. */
const LONGEST_SESSION_SUMMARY = 700

/**
 * Summarises a session.
 *
 * @returns `null` when nothing in it is worth keeping, `unsafe` when it must not be kept
 */
export async function summariseSession(
  turns: readonly Turn[],
  summariser: Summariser,
  options: Partial<SummariseOptions> = {},
): Promise<Candidate | 'unsafe' | null> {
  const sources = sourcesOfTurns(turns)
  const summary = await summariser.summarise(sources, { maxCharacters: LONGEST_SESSION_SUMMARY, ...options })
  if (summary === null || summary === 'unsafe') return summary
  return candidateOf({ form: 'summary', ...summary, validFrom: Math.min(...turns.map((turn) => turn.at)) })
}
