import type { Candidate } from '../memories/candidate.ts'
import type { Memory } from '../memories/memory.ts'
import type { PortraitBranch } from '../presets/preset.ts'
import type { ScopeRow } from '../scopes/scope.ts'
import { eventScope } from '../scopes/scope-key.ts'
import type { SessionRow } from '../stores/store.ts'
import type { Turn } from '../turns/turn.ts'
import { commitChanges } from '../work/commit-changes.ts'
import type { Engine } from '../work/engine.ts'
import { isDropped, livingTurns } from './living-turns.ts'
import { memoryOf } from '../memories/make-memory.ts'
import { momentOf, originOf, startChanges } from '../work/moment.ts'
import type { OwnerCache } from '../work/owner-cache.ts'

/** How often a portrait is made anew because something changed while it was written. */
const ATTEMPTS = 3

/** What a portrait is made from, as of one reading of the memories. */
interface Material {
  readonly latest: Memory | undefined
  /** Live session memories, oldest first. */
  readonly sessions: readonly Memory[]
  /** Those of them that the latest portrait does not rest on. */
  readonly fresh: readonly Memory[]
}

/** All versions of the portrait, oldest first. Only the last one still holds. */
export function portraitVersions(memories: Iterable<Memory>): Memory[] {
  return [...memories]
    .filter((memory) => memory.form === 'portrait' && memory.status === 'live')
    .sort((one, other) => one.validFrom - other.validFrom || (one.id < other.id ? -1 : 1))
}

/** A session memory, or a segment of the story that was told when it was read. */
function isTelling(memory: Memory): boolean {
  return memory.form === 'summary' || (memory.form === 'story' && memory.level === 1 && memory.text !== '')
}

function materialOf(cache: OwnerCache, row: ScopeRow): Material {
  const all = [...cache.memories({ scopes: new Set([row.scope]) })]
  const latest = portraitVersions(all).at(-1)
  const sessions = all
    .filter((memory) => memory.status === 'live' && isTelling(memory))
    .sort((one, other) => one.validFrom - other.validFrom)
  const known = new Set(latest?.sources)
  return { latest, sessions, fresh: sessions.filter((memory) => !known.has(memory.id)) }
}

/** Whether there is enough that the latest portrait does not know. */
function isDue(branch: PortraitBranch, material: Material, session: SessionRow): boolean {
  const { latest, sessions, fresh } = material
  const every = branch.every ?? 1
  if (sessions.length > 0) return fresh.length >= every
  if (latest === undefined) return true
  const isAgain = latest.sessionNumber === session.number && latest.learnedAt < session.lastAt
  return isAgain || session.number - latest.sessionNumber >= every
}

/** Whether everything that a portrait was made from may still be told. */
function stillHolds(cache: OwnerCache, material: Material, turns: readonly Turn[]): boolean {
  const isLive = (memory: Memory | undefined): boolean =>
    memory === undefined || cache.known(memory.id)?.memory.status === 'live'
  return (
    isLive(material.latest) &&
    material.sessions.every(isLive) &&
    turns.every((turn) => !isDropped(cache, turn))
  )
}

/** Without session memories (Resum), a portrait rests on what the last one rested on and the session's own turns. */
function evidenceOf(material: Material, turns: readonly { readonly id: string }[]): Candidate['evidence'] {
  const told = material.sessions.flatMap((memory) => memory.evidence)
  const before = material.latest?.evidence ?? []
  const said = material.sessions.length === 0 ? turns.map((turn) => ({ turn: turn.id, quote: null })) : []
  const ids = new Set([...before, ...told, ...said].map((evidence) => evidence.turn))
  return [...ids].map((turn) => ({ turn, quote: null }))
}

function portraitCandidate(
  text: string,
  material: Material,
  turns: readonly { readonly id: string }[],
): Candidate {
  return {
    form: 'portrait',
    type: 'persona',
    subject: 'user',
    text,
    key: null,
    value: null,
    level: 0,
    evidence: evidenceOf(material, turns),
    validFrom: 0,
    validUntil: null,
    signals: { arousal: null, surprise: null, importance: null },
  }
}

async function addVersion(
  engine: Engine,
  row: ScopeRow,
  session: SessionRow,
  branch: PortraitBranch,
  candidate: Candidate,
  material: Material,
  guard: { readonly epoch: number; readonly from: number; readonly to: number },
): Promise<boolean> {
  const cache = await engine.caches.get(row.owner)
  const changes = startChanges(engine, cache, await momentOf(engine, row, cache))
  const { compressor } = branch
  const origin = originOf(engine, compressor.id, compressor.prompt)
  const at = session.lastAt
  if (material.latest !== undefined)
    changes.change(
      'modify',
      material.latest.id,
      { validUntil: Math.max(at, material.latest.validFrom) },
      origin,
    )
  const place = {
    session: session.id,
    sessionNumber: session.number,
    round: cache.roundAt(row.scope, Number.POSITIVE_INFINITY),
    learnedAt: at,
  }
  const sources = material.sessions.map((memory) => memory.id)
  changes.add(memoryOf({ ...candidate, validFrom: at }, place, 'other', null, sources), origin)
  const { epoch, ...range } = guard
  // How far portraits have come also tells another process, whose model answered later, that this one is made.
  const progress = [{ branch: branch.kind, ...range }]
  return (await commitChanges(engine, row, changes, { epoch, progress })) !== null
}

/** Makes a new version of the portrait when a session ended (COMEDY's task 2). The old one is kept, with when it held. */
export async function compressPortrait(engine: Engine, row: ScopeRow, session: SessionRow): Promise<void> {
  const branch = engine.preset.branches.find((one) => one.kind === 'portrait')
  if (branch === undefined) return
  const { compressor } = branch
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const cache = await engine.caches.get(row.owner)
    const { epoch } = cache.version
    const { branches, lastPosition: to } = await engine.store.progress(row.owner, row.scope)
    const from = branches[branch.kind] ?? 0
    const material = materialOf(cache, row)
    if (!isDue(branch, material, session)) return
    const turns = await livingTurns(engine, row, cache, session.id)
    const goesOn = compressor.mode === 'incremental' && material.latest !== undefined
    const text = await compressor.compress(
      {
        previous: goesOn ? (material.latest?.text ?? null) : null,
        sessions: goesOn ? material.fresh : material.sessions,
        turns,
      },
      { ask: engine.language?.for(eventScope(row)) ?? null, embedding: engine.wordVectors },
    )
    if (text === null || text.trim() === '') return
    const candidate = portraitCandidate(text, material, turns)
    const isWritten = await engine.caches.lock(row.owner, 'write').runExclusive(async () => {
      const current = await engine.caches.get(row.owner)
      if (!stillHolds(current, material, turns)) return false
      return addVersion(engine, row, session, branch, candidate, material, { epoch, from, to })
    })
    if (isWritten) return
  }
}
