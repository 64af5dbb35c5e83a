import { candidateOf, type Candidate, memoryOf } from '../memories/candidate.ts'
import { isOver, type Memory, type MemoryForm } from '../memories/memory.ts'
import { UNSAFE, type Unsafe, portraitVersions } from '../portrait/compressor.ts'
import type { PortraitBranch } from '../presets/preset.ts'
import { eventScope, type ScopeRow } from '../scopes/scope.ts'
import type { SessionRow } from '../store/store.ts'
import type { Engine } from '../work/engine.ts'
import { settingOfSession, originOf, viewScope, type ScopeView, tellingLeftOut } from '../work/scope-view.ts'
import { openWriter } from '../work/scope-guidelines.ts'
import { decideAndCommit, type UnitOfWork } from '../work/unit-of-work.ts'
import { turnsToSummarise } from './turns-to-summarise.ts'
import { isDropped } from '../work/living-turns.ts'
import { screenSummary } from './screen-texts.ts'

/** The input of a portrait, as of one revision. */
interface Material {
  readonly latest: Memory | undefined
  /** Live session memories, oldest first. */
  readonly sessions: readonly Memory[]
  /** Sessions that the latest portrait does not rest on. */
  readonly fresh: readonly Memory[]
  /** Live facts, if the compressor reads them. */
  readonly profile: readonly Memory[]
}

/** Accepts session summaries and non-empty segments of the story. */
function isSummary(memory: Memory): boolean {
  return memory.form === 'summary' || (memory.form === 'story' && memory.level === 1 && memory.text !== '')
}

function materialOf({ engine, row, state }: ScopeView, { compressor }: PortraitBranch): Material {
  const liveOf = (...forms: MemoryForm[]): Memory[] => [
    ...state.listMemories({ scopes: new Set([row.scope]), forms, statuses: ['live'] }),
  ]
  const latest = portraitVersions(liveOf('portrait')).at(-1)
  const sessions = liveOf('summary', 'story')
    .filter(isSummary)
    .sort((a, b) => a.validFrom - b.validFrom)
  const known = new Set(latest?.sources)
  const fresh = sessions.filter((memory) => !known.has(memory.id))
  const profile = compressor.readsProfile === true ? liveOf('fact') : []
  return { latest, sessions, fresh, profile: profile.filter((fact) => !isOver(fact, engine.now())) }
}

/** Checks whether enough is new since the latest portrait. */
function isDue(branch: PortraitBranch, material: Material, session: SessionRow): boolean {
  const { latest, sessions, fresh } = material
  const every = branch.every ?? 1
  const turns = fresh.reduce((sum, { evidence }) => sum + evidence.length, 0)
  const least = latest === undefined ? 0 : (branch.leastTurns ?? 0)
  if (sessions.length > 0) return fresh.length >= every && turns >= least
  if (latest === undefined) return true
  const isAgain = latest.sessionNumber === session.number && latest.learnedAt < session.lastAt
  return isAgain || session.number - latest.sessionNumber >= every
}

/** Without session memories (Resum), a portrait rests on its predecessor's evidence and the session's turns. */
function evidenceOf(material: Material, turns: readonly { readonly id: string }[]): Candidate['evidence'] {
  const fromMemories = [...material.profile, ...material.sessions].flatMap((memory) => memory.evidence)
  const before = material.latest?.evidence ?? []
  const said = material.sessions.length === 0 ? turns.map((turn) => ({ turn: turn.id, quote: null })) : []
  const ids = new Set([...before, ...fromMemories, ...said].map((evidence) => evidence.turn))
  return [...ids].map((turn) => ({ turn, quote: null }))
}

/** A portrait draft with a check whether it is still valid. */
interface PortraitDraft {
  /** `null` if there was nothing to write, `UNSAFE` if the text must not be stored. */
  readonly portrait: Candidate | Unsafe | null
  readonly material: Material
  readonly revision: number
  readonly stillHolds: (view: ScopeView) => boolean
}

interface Version {
  readonly portrait: Candidate
  readonly material: Material
}

async function writePortrait(
  view: ScopeView,
  branch: PortraitBranch,
  session: SessionRow,
): Promise<PortraitDraft> {
  const { engine, row, state } = view
  const { compressor } = branch
  const { revision } = state
  const material = materialOf(view, branch)
  const { latest, sessions, fresh, profile } = material
  const turns = turnsToSummarise(view, session.id)
  const stillHolds = (now: ScopeView): boolean =>
    now.state.erasedRevision <= revision &&
    materialOf(now, branch).latest?.id === latest?.id &&
    [...profile, ...sessions].every(({ id }) => now.state.memories.get(id)?.status === 'live') &&
    turns.every((turn) => !isDropped(now.state, turn))
  const isIncremental = compressor.mode === 'incremental' && latest !== undefined
  const { ask, checking, never } = await openWriter(engine, row, 'portrait')
  const written = await compressor.compress(
    {
      previous: isIncremental ? latest.text : null,
      sessions: isIncremental ? fresh : sessions,
      turns,
      profile,
    },
    {
      ask,
      embedding: engine.wordVectors,
      onLeftOut: tellingLeftOut(view, compressor),
    },
  )
  const text =
    written === null || written === UNSAFE ? written : await screenSummary(written, never, checking)
  if (text === UNSAFE) return { portrait: UNSAFE, material, revision, stillHolds }
  if (text === null || text.trim() === '') return { portrait: null, material, revision, stillHolds }
  const evidence = evidenceOf(material, turns)
  const portrait = candidateOf({ form: 'portrait', type: 'persona', text, evidence })
  return { portrait, material, revision, stillHolds }
}

function addVersion(
  unit: UnitOfWork,
  branch: PortraitBranch,
  session: SessionRow,
  { material, portrait: written }: Version,
): void {
  const { engine, changes } = unit
  const { latest, sessions } = material
  const origin = originOf(engine, branch.compressor.id, branch.compressor.prompt, 'portrait')
  const validFrom = session.lastAt
  if (latest !== undefined)
    changes.change('modify', latest.id, { validUntil: Math.max(validFrom, latest.validFrom) }, origin)
  const sources = sessions.map((memory) => memory.id)
  const portrait = { ...written, validFrom }
  changes.add(memoryOf(portrait, settingOfSession(unit, session), { sources }), origin)
}

/** Adds a portrait version when a session ends (COMEDY's task 2). The previous version stays, with its end date. */
export async function compressPortrait(engine: Engine, row: ScopeRow, session: SessionRow): Promise<void> {
  const branch = engine.preset.branches.find((branch) => branch.kind === 'portrait')
  if (branch === undefined) return
  for (let written: PortraitDraft | null = null; ;) {
    const view = await viewScope(engine, row)
    if (!isDue(branch, materialOf(view, branch), session)) return
    const { branches, lastPosition: to } = view.state.progress(row.scope)
    if (written === null || !written.stillHolds(view)) written = await writePortrait(view, branch, session)
    const { portrait, revision, stillHolds } = written
    if (portrait === null) return
    if (portrait === UNSAFE) {
      const event = { scope: eventScope(row), session: session.id, outcome: 'unsafe' } as const
      engine.events.emit('portrait-not-made', event)
      return
    }
    const version = { material: written.material, portrait }
    // The progress also makes a slower process discard its own portrait of this session.
    const progress = [{ branch: branch.kind, from: branches[branch.kind] ?? 0, to }]
    const terms = { revision, progress, stillHolds }
    const add = (unit: UnitOfWork): void => addVersion(unit, branch, session, version)
    if ((await decideAndCommit(engine, row, add, terms)) !== null) return
  }
}
