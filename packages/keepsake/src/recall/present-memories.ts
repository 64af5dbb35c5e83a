import type { Evidence } from '../memories/evidence.ts'
import type { Memory } from '../memories/memory.ts'
import { keptText } from '../memories/kept-words.ts'
import type { RecalledEvidence, RecalledMemory } from '../retrieval/recall-types.ts'
import type { Turn } from '../turns/turn.ts'
import type { OwnerCache } from '../work/owner-cache.ts'
import { turnsOf, utteranceText } from '../work/read-memories.ts'
import type { Asking } from './asked-question.ts'
import type { FoundMemory } from './found-memory.ts'

/** Whether something that rests on a turn was deleted and no live utterance keeps it: its words may no longer be shown. */
function isWithdrawn(cache: OwnerCache, turn: string): boolean {
  if (cache.utteranceOf(turn) !== undefined) return false
  const { done = false } = cache.memoriesOfTurn(turn, { statuses: ['deleted'] }).next()
  return !done
}

/**
 * The words of a turn that may be shown as evidence: all of them while it is kept or waits, else those that a
 * live memory quotes, and none once it was withdrawn.
 */
function evidenceText(cache: OwnerCache, turn: Turn, quote: string | null): string | null {
  const known = cache.turn(turn.id)
  const isWhole = cache.utteranceOf(turn.id) !== undefined || (known !== undefined && cache.isPending(known))
  if (isWhole) return keptText(turn, cache.utteranceOf(turn.id))
  return isWithdrawn(cache, turn.id) ? null : quote
}

function withoutWithdrawn(cache: OwnerCache, evidence: readonly Evidence[]): readonly Evidence[] {
  if (!evidence.some(({ turn, quote }) => quote !== null && isWithdrawn(cache, turn))) return evidence
  return evidence.map((one) => (isWithdrawn(cache, one.turn) ? { ...one, quote: null } : one))
}

/** A memory as it may be handed out: quotes from withdrawn turns are left out of it as well. */
function withoutWithdrawnQuotes(cache: OwnerCache, memory: Memory): Memory {
  const evidence = withoutWithdrawn(cache, memory.evidence)
  const past = memory.past.map((version) => ({
    ...version,
    evidence: withoutWithdrawn(cache, version.evidence),
  }))
  return { ...memory, evidence, past }
}

function presentEvidence(
  cache: OwnerCache,
  found: FoundMemory,
  turns: ReadonlyMap<string, Turn>,
): RecalledEvidence[] {
  const isUtterance = found.memory.form === 'utterance'
  const each = isUtterance
    ? [...new Set(turnsOf(found.memory))].map((turn) => ({ turn, quote: null }))
    : found.memory.evidence
  const evidence = each.flatMap(({ turn: id, quote }): RecalledEvidence[] => {
    const turn = turns.get(id)
    if (turn === undefined) return []
    const { session, role, speaker, at, timeZone } = turn
    const text = evidenceText(cache, turn, quote)
    const metadata = text === null ? null : turn.metadata
    const score = found.turns.get(id) ?? 0
    return [{ turn: id, session, role, speaker, at, timeZone, text, metadata, score }]
  })
  return evidence.sort((one, other) => other.score - one.score)
}

/** What a memory said at a time; `null` when it said nothing yet. */
function versionAt(memory: Memory, asOf: number | null): Memory | null {
  if (asOf === null || memory.form === 'utterance' || memory.validFrom <= asOf) return memory
  const past = memory.past.find((version) => version.validFrom <= asOf && asOf < version.validUntil)
  return past === undefined ? null : { ...memory, ...past, past: [] }
}

function presentOne(cache: OwnerCache, found: FoundMemory, turns: ReadonlyMap<string, Turn>): RecalledMemory {
  const { memory: version, score, parts, pending } = found
  const last = turns.get(version.evidence.at(-1)?.turn ?? '')
  const timed =
    pending && last !== undefined
      ? { ...version, learnedAt: last.at, validFrom: last.at, metadata: last.metadata }
      : version
  const worded = timed.form === 'utterance' ? { ...timed, text: utteranceText(timed, turns) } : timed
  const memory = withoutWithdrawnQuotes(cache, worded)
  return { memory, score, parts, pending, evidence: presentEvidence(cache, found, turns) }
}

/** Loads the words of what was found, as they may be shown; of what was asked about as of a time, what it said then. */
export async function presentMemories(
  { asked, turns }: Asking,
  cache: OwnerCache,
  found: readonly FoundMemory[],
): Promise<RecalledMemory[]> {
  const versions = found.flatMap((one): FoundMemory[] => {
    const memory = versionAt(one.memory, asked.asOf)
    return memory === null ? [] : [{ ...one, memory }]
  })
  const said = await turns.read(versions.flatMap((one) => turnsOf(one.memory)))
  return versions.map((one) => presentOne(cache, one, said))
}
