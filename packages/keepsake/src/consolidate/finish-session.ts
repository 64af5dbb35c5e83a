// Finishes a session that has ended: its summary, a version of the portrait, then the forgetting policy.
import { namesOfUsers } from '../extraction/rules/find-addressee.ts'
import { hearRequests } from '../extraction/rules/hear-requests.ts'
import { forgetWeak, judgeMemories } from '../forget/judge-memories.ts'
import { type Candidate, candidateOf, memoryOf } from '../memories/candidate.ts'
import { isOver, type Memory, type MemoryForm, type Signals } from '../memories/memory.ts'
import { UNSAFE, portraitVersions } from '../portrait/compressor.ts'
import type { PortraitBranch } from '../presets/preset.ts'
import { readTopic, mentionsTopic } from '../requests/read-topic.ts'
import { isPronoun } from '../requests/resolve-pronouns.ts'
import { eventScope, type ScopeRow } from '../scopes/scope.ts'
import type { SessionRow } from '../store/store.ts'
import { sourcesOfTurns } from '../story/story-units.ts'
import type { SummariseOptions, Summariser } from '../story/summariser.ts'
import type { Turn } from '../turns/turn.ts'
import type { Engine } from '../work/engine.ts'
import { isForgotten, usableTurnsOfSession, earlierSummaries } from '../work/usable-turns.ts'
import { openWriter } from '../work/scope-guidelines.ts'
import { originOf, settingOfSession, reportLeftOut, viewScope, type ScopeView } from '../work/scope-view.ts'
import { decideAndCommit, type UnitOfWork } from '../work/unit-of-work.ts'
import { screenSummary } from './screen-texts.ts'

/** Finishes a read session: commits the summary, the portrait, then the end with the forgetting. After a crash, completed steps are skipped. */
export async function finishSession(engine: Engine, row: ScopeRow, id: string, job: string): Promise<void> {
  const state = await engine.users.load(row.owner)
  const session = state.sessions(row.scope).find((session) => session.id === id)
  if (session?.endedAt === null) {
    await addSummary(engine, row, session)
    await compressPortrait(engine, row, session)
  }
  await endSession(engine, row, { id, number: session?.number ?? null, job })
}

/** Ends a session, and applies the forgetting policy in the same commit, unless another process has ended it. */
async function endSession(
  engine: Engine,
  row: ScopeRow,
  { id, number, job }: { readonly id: string; readonly number: number | null; readonly job: string },
): Promise<void> {
  const { retention } = engine.preset
  const committed = await decideAndCommit(
    engine,
    row,
    async (unit) => {
      if (retention.when !== 'session-end') return []
      const moment = { ...unit.moment, session: number ?? 0 }
      return forgetWeak(unit, await judgeMemories(unit, moment, retention)).forgotten
    },
    {
      endSessions: number === null ? [] : [{ session: id, at: engine.now() }],
      finishJobs: [job],
      expectJobs: [job],
    },
  )
  if (committed !== null)
    engine.events.emit('session-ended', {
      scope: eventScope(row),
      session: id,
      forgotten: committed.result,
    })
}

/** A text that a summariser or compressor wrote from one revision of the user. */
interface Draft {
  /** Stores the text. `nothing` if there was nothing to write, `unsafe` if the text must not be stored. */
  readonly store: ((unit: UnitOfWork) => void) | 'nothing' | 'unsafe'
  readonly revision: number
  /** Checks whether the sources of the text still exist. */
  readonly stillHolds: (view: ScopeView) => boolean
}

/** A step that writes a text before the commit, and then stores it. */
interface WritingStep {
  /** Name under which the progress of the step is stored. */
  readonly branch: string
  /** Returns the progress after the step. A slower process then conflicts, and discards its own text. */
  readonly progressAfter: (view: ScopeView) => number
  readonly isDone: (view: ScopeView) => boolean
  readonly write: (view: ScopeView) => Promise<Draft>
  readonly reportMissing: (outcome: 'nothing' | 'unsafe') => void
}

/** Runs a writing step. Writes the text again if one of its sources was deleted meanwhile. */
async function runWritingStep(engine: Engine, row: ScopeRow, step: WritingStep): Promise<void> {
  const { branch } = step
  let draft: Draft | null = null
  for (;;) {
    const view = await viewScope(engine, row)
    if (step.isDone(view)) return
    const from = view.state.progress(row.scope).branches[branch] ?? 0
    const progress = [{ branch, from, to: step.progressAfter(view) }]
    if (draft === null || !draft.stillHolds(view)) draft = await step.write(view)
    const { store, revision, stillHolds } = draft
    if (typeof store === 'string') return step.reportMissing(store)
    if ((await decideAndCommit(engine, row, store, { revision, progress, stillHolds })) !== null) return
  }
}

/** Writes the session's summary, or rewrites it after further turns, if the preset has summaries. */
async function addSummary(engine: Engine, row: ScopeRow, session: SessionRow): Promise<void> {
  const branch = engine.preset.branches.find((branch) => branch.kind === 'summaries')
  if (branch === undefined) return
  await runWritingStep(engine, row, {
    branch: branch.kind,
    progressAfter: () => session.number,
    isDone: (view) => {
      const known = summaryOf(view, session)
      // A summary that was forgotten or deleted is not written again.
      return known !== undefined && (known.status !== 'live' || known.learnedAt >= session.lastAt)
    },
    write: (view) => writeSummary(view, session, branch.signals ?? 'mean'),
    reportMissing: (outcome) => {
      const event = { scope: eventScope(row), session: session.id, outcome }
      engine.events.emit('session-not-summarised', event)
    },
  })
}

function summaryOf({ state, row }: ScopeView, { id }: SessionRow): Memory | undefined {
  return state.memoriesOf(row.scope, 'summary').find(({ session }) => session === id)
}

async function writeSummary(
  view: ScopeView,
  session: SessionRow,
  combineBy: 'mean' | 'strongest',
): Promise<Draft> {
  const { engine, row, state } = view
  const { revision } = state
  const turns = turnsToSummarise(view, session.id)
  const stillHolds = ({ state: now }: ScopeView): boolean =>
    now.erasedRevision <= revision && turns.every((turn) => !isForgotten(now, turn))
  if (turns.length === 0) return { store: 'nothing', revision, stillHolds }
  const { ask, checking, never } = await openWriter(engine, row, 'summary')
  const written = await summariseSession(turns, engine.preset.summariser, {
    embedding: engine.wordVectors,
    ask,
    before: earlierSummaries(view, session.id),
    onLeftOut: reportLeftOut(view, engine.preset.summariser),
  })
  if (written === null || written === 'unsafe') return { store: written ?? 'nothing', revision, stillHolds }
  const text = await screenSummary(written.text, never, checking)
  if (text === '') return { store: 'nothing', revision, stillHolds }
  const store = (unit: UnitOfWork): void => storeSummary(unit, session, { ...written, text }, combineBy)
  return { store, revision, stillHolds }
}

/** Maximum characters of a session summary. About six sentences are enough, because the facts are stored as well. */
const MAX_SUMMARY_CHARACTERS = 700

/** Summarises a session's turns; `null` if nothing is worth storing, `unsafe` if the summary must not be stored. */
export async function summariseSession(
  turns: readonly Turn[],
  summariser: Summariser,
  options: Partial<SummariseOptions> = {},
): Promise<Candidate | 'unsafe' | null> {
  const sources = sourcesOfTurns(turns)
  const summary = await summariser.summarise(sources, { maxCharacters: MAX_SUMMARY_CHARACTERS, ...options })
  if (summary === null || summary === 'unsafe') return summary
  return candidateOf({ form: 'summary', ...summary, validFrom: Math.min(...turns.map((turn) => turn.at)) })
}

function storeSummary(
  unit: UnitOfWork,
  session: SessionRow,
  summary: Candidate,
  combineBy: 'mean' | 'strongest',
): void {
  const { engine, changes, state, row } = unit
  const { summariser } = engine.preset
  const utterances = state.utterancesOf(row.scope, session.id)
  const signals = signalsOf(utterances, combineBy)
  const origin = originOf(engine, summariser.id, summariser.prompt, 'summary')
  const known = summaryOf(unit, session)
  if (known === undefined) {
    const memory = memoryOf({ ...summary, signals }, settingOfSession(unit, session))
    // A summary with the strongest signals of its utterances also has the uses of the most used one.
    const first = combineBy === 'strongest' ? Math.max(0, ...utterances.map(({ use }) => use.first)) : 0
    changes.add({ ...memory, use: { ...memory.use, first } }, origin)
    return
  }
  const { text, evidence } = summary
  changes.change('modify', known.id, { text, evidence, signals, learnedAt: session.lastAt }, origin)
}

/** Computes the signals of a session from those of its utterances: the mean of each signal, or its strongest value. */
function signalsOf(utterances: readonly Memory[], combineBy: 'mean' | 'strongest'): Signals {
  const signal = (name: keyof Signals): number | null => {
    const values = utterances.flatMap(({ signals }) => signals[name] ?? [])
    if (values.length === 0) return null
    if (combineBy === 'mean') return values.reduce((sum, value) => sum + value, 0) / values.length
    // In the paper LUFY a low perplexity adds strength, so the lowest surprise is the strongest.
    return name === 'surprise' ? Math.min(...values) : Math.max(...values)
  }
  return { arousal: signal('arousal'), surprise: signal('surprise'), importance: signal('importance') }
}

/** Returns the turns that a summary may use: those that are not forgotten, and that no request to forget covers. */
function turnsToSummarise(view: ScopeView, session: string): readonly Turn[] {
  const { engine, row, state } = view
  const usable = usableTurnsOfSession(view, session)
  // Requests forget the utterances of turns. Without utterances the turns are searched for the topics.
  if (engine.preset.branches.some(({ kind }) => kind === 'utterances')) return usable
  const all = state.turnsOfSession(row.scope, session)
  const forgotten = new Set<Turn>()
  for (const { about, evidence } of hearRequests(all, engine.rules, namesOfUsers(state))) {
    const place = all.findIndex(({ id }) => id === evidence.turn)
    const before = all.slice(0, Math.max(0, place))
    for (const turn of findTurnsToForget(before, about)) forgotten.add(turn)
  }
  const forgottenIds = new Set([...forgotten].map(({ id }) => id))
  return usable.filter(({ id }) => !forgottenIds.has(id))
}

/** Returns the turns that mention the topic of a request. Without a topic, returns the user's last turn. */
function findTurnsToForget(before: readonly Turn[], about: string | null): readonly Turn[] {
  if (about === null) return before.filter(({ role }) => role === 'user').slice(-1)
  if (isPronoun(about)) return []
  const topic = readTopic(about)
  return before.filter(({ text }) => mentionsTopic(topic, text))
}

/** Adds a version of the portrait if there are enough new sessions. The previous version expires. */
export async function compressPortrait(engine: Engine, row: ScopeRow, session: SessionRow): Promise<void> {
  const branch = engine.preset.branches.find((branch) => branch.kind === 'portrait')
  if (branch === undefined) return
  await runWritingStep(engine, row, {
    branch: branch.kind,
    progressAfter: ({ state }) => state.progress(row.scope).lastPosition,
    isDone: (view) => !isPortraitDue(branch, portraitSources(view, branch), session),
    write: (view) => writePortrait(view, branch, session),
    reportMissing: (outcome) => {
      if (outcome === 'unsafe')
        engine.events.emit('portrait-not-made', { scope: eventScope(row), session: session.id, outcome })
    },
  })
}

/** The memories from which a portrait is written. */
interface PortraitSources {
  readonly latest: Memory | undefined
  /** Live session memories, oldest first. */
  readonly sessions: readonly Memory[]
  /** Session memories that are not sources of the latest portrait. */
  readonly newSessions: readonly Memory[]
  /** Live facts, if the compressor reads them. */
  readonly profile: readonly Memory[]
}

function portraitSources({ engine, row, state }: ScopeView, { compressor }: PortraitBranch): PortraitSources {
  const liveOf = (...forms: MemoryForm[]): Memory[] => [
    ...state.listMemories({ scopes: new Set([row.scope]), forms, statuses: ['live'] }),
  ]
  const latest = portraitVersions(liveOf('portrait')).at(-1)
  const sessions = liveOf('summary', 'story')
    .filter(({ form, level, text }) => form === 'summary' || (level === 1 && text !== ''))
    .sort((a, b) => a.validFrom - b.validFrom)
  const knownIds = new Set(latest?.sources)
  const facts = compressor.readsProfile === true ? liveOf('fact') : []
  return {
    latest,
    sessions,
    newSessions: sessions.filter(({ id }) => !knownIds.has(id)),
    profile: facts.filter((fact) => !isOver(fact, engine.now())),
  }
}

/** Checks whether there are enough new sessions since the latest portrait. */
function isPortraitDue(
  { every = 1, leastTurns = 0 }: PortraitBranch,
  { latest, sessions, newSessions }: PortraitSources,
  session: SessionRow,
): boolean {
  if (sessions.length > 0) {
    const newTurns = newSessions.reduce((sum, { evidence }) => sum + evidence.length, 0)
    return newSessions.length >= every && (latest === undefined || newTurns >= leastTurns)
  }
  // Without session memories, sessions are counted by their numbers.
  if (latest === undefined) return true
  const isContinued = latest.sessionNumber === session.number && latest.learnedAt < session.lastAt
  return isContinued || session.number - latest.sessionNumber >= every
}

/** Writes the text of a portrait. The draft stores it only if its sources still hold then. */
async function writePortrait(view: ScopeView, branch: PortraitBranch, session: SessionRow): Promise<Draft> {
  const { engine, row, state } = view
  const { compressor } = branch
  const { revision } = state
  const sources = portraitSources(view, branch)
  const { latest, sessions, newSessions, profile } = sources
  const turns = turnsToSummarise(view, session.id)
  const stillHolds = (now: ScopeView): boolean =>
    now.state.erasedRevision <= revision &&
    portraitSources(now, branch).latest?.id === latest?.id &&
    [...profile, ...sessions].every(({ id }) => now.state.memories.get(id)?.status === 'live') &&
    turns.every((turn) => !isForgotten(now.state, turn))
  const isIncremental = compressor.mode === 'incremental' && latest !== undefined
  const { ask, checking, never } = await openWriter(engine, row, 'portrait')
  const written = await compressor.compress(
    {
      previous: isIncremental ? latest.text : null,
      sessions: isIncremental ? newSessions : sessions,
      turns,
      profile,
    },
    { ask, embedding: engine.wordVectors, onLeftOut: reportLeftOut(view, compressor) },
  )
  if (written === UNSAFE) return { store: 'unsafe', revision, stillHolds }
  const text = written === null ? '' : await screenSummary(written, never, checking)
  if (text.trim() === '') return { store: 'nothing', revision, stillHolds }
  const evidence = evidenceOf(sources, turns)
  const portrait = candidateOf({
    form: 'portrait',
    type: 'persona',
    text,
    evidence,
    validFrom: session.lastAt,
  })
  const store = (unit: UnitOfWork): void => storePortrait(unit, branch, portrait, { ...sources, session })
  return { store, revision, stillHolds }
}

/** Returns the turns of all sources as evidence, or the session's turns in a preset without session memories (Resum). */
function evidenceOf(
  { latest, profile, sessions }: PortraitSources,
  turns: readonly Turn[],
): Candidate['evidence'] {
  const memories = latest === undefined ? [...profile, ...sessions] : [latest, ...profile, ...sessions]
  const idsOfMemories = memories.flatMap(({ evidence }) => evidence.map(({ turn }) => turn))
  const idsOfSession = sessions.length === 0 ? turns.map(({ id }) => id) : []
  return [...new Set([...idsOfMemories, ...idsOfSession])].map((turn) => ({ turn, quote: null }))
}

/** Adds the portrait as a new version, and ends the previous one. */
function storePortrait(
  unit: UnitOfWork,
  { compressor }: PortraitBranch,
  portrait: Candidate,
  { latest, sessions, session }: PortraitSources & { readonly session: SessionRow },
): void {
  const { engine, changes } = unit
  const origin = originOf(engine, compressor.id, compressor.prompt, 'portrait')
  if (latest !== undefined) {
    const validUntil = Math.max(portrait.validFrom, latest.validFrom)
    changes.change('modify', latest.id, { validUntil }, origin)
  }
  const sources = sessions.map(({ id }) => id)
  changes.add(memoryOf(portrait, settingOfSession(unit, session), { sources }), origin)
}
