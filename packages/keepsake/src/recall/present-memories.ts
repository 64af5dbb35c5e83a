import type { Evidence } from '../memories/evidence.ts'
import type { Memory } from '../memories/memory.ts'
import { keptText } from '../memories/kept-words.ts'
import type { RecalledEvidence, RecalledMemory } from '../retrieval/recall-types.ts'
import type { Turn } from '../turns/turn.ts'
import type { UserState } from '../user-state/user-state.ts'
import { turnsOf, utteranceText } from '../work/read-memories.ts'
import type { Asking } from './asked-question.ts'
import type { FoundMemory } from './found-memory.ts'

/** Whether something that rests on a turn was deleted and no live utterance keeps it: its words may no longer be shown. */
function isWithdrawn(cache: UserState, turn: string): boolean {
  if (cache.utteranceOf(turn) !== undefined) return false
  const { done = false } = cache.memoriesOfTurn(turn, { statuses: ['deleted'] }).next()
  return !done
}

/**
 * The words of a turn that may be shown as evidence: all of them while it is kept or waits, else those that a
 * live memory quotes, and none once it was withdrawn.
 */
function evidenceText(cache: UserState, turn: Turn, quote: string | null): string | null {
  const keeper = cache.utteranceOf(turn.id)
  if (keeper !== undefined) return keptText(turn, keeper)
  const known = cache.turns.get(turn.id)
  if (known !== undefined && cache.isPending(known)) return turn.text
  return isWithdrawn(cache, turn.id) ? null : quote
}

function withoutWithdrawn(cache: UserState, evidence: readonly Evidence[]): readonly Evidence[] {
  if (!evidence.some(({ turn, quote }) => quote !== null && isWithdrawn(cache, turn))) return evidence
  return evidence.map((one) => (isWithdrawn(cache, one.turn) ? { ...one, quote: null } : one))
}

function presentEvidence(
  cache: UserState,
  found: FoundMemory,
  turns: ReadonlyMap<string, Turn>,
): RecalledEvidence[] {
  const evidence: RecalledEvidence[] = []
  for (const { turn: id, quote } of restsOn(found.memory)) {
    const turn = turns.get(id)
    if (turn === undefined) continue
    const { session, role, speaker, at, timeZone } = turn
    const text = evidenceText(cache, turn, quote)
    const metadata = text === null ? null : turn.metadata
    const score = found.turns.get(id) ?? 0
    evidence.push({ turn: id, session, role, speaker, at, timeZone, text, metadata, score })
  }
  return evidence.sort((one, other) => other.score - one.score)
}

/** What is shown of what a memory rests on: of talk each turn once, of statements the words that tell them. */
function restsOn(memory: Memory): readonly Evidence[] {
  if (memory.form !== 'utterance') return memory.evidence
  const [first] = memory.evidence
  if (first !== undefined && memory.evidence.length === 1) return [{ turn: first.turn, quote: null }]
  return [...new Set(turnsOf(memory))].map((turn) => ({ turn, quote: null }))
}

/** What was found as it said at a time; nothing when it said nothing yet. */
function versionOf(found: FoundMemory, asOf: number): FoundMemory[] {
  const { memory } = found
  if (memory.form === 'utterance' || memory.validFrom <= asOf) return [found]
  const past = memory.past.find((version) => version.validFrom <= asOf && asOf < version.validUntil)
  return past === undefined ? [] : [{ ...found, memory: { ...memory, ...past, past: [] } }]
}

/** A memory as it may be handed out: with its words, and without quotes from withdrawn turns. */
function worded(cache: UserState, memory: Memory, turns: ReadonlyMap<string, Turn>): Memory {
  const text = memory.form === 'utterance' ? utteranceText(memory, turns) : memory.text
  const evidence = withoutWithdrawn(cache, memory.evidence)
  const past = memory.past.map((version) => ({
    ...version,
    evidence: withoutWithdrawn(cache, version.evidence),
  }))
  return { ...memory, text, evidence, past }
}

function presentOne(cache: UserState, found: FoundMemory, turns: ReadonlyMap<string, Turn>): RecalledMemory {
  const { score, parts, pending } = found
  const told = worded(cache, found.memory, turns)
  const last = pending ? turns.get(found.memory.evidence.at(-1)?.turn ?? '') : undefined
  const memory =
    last === undefined ? told : { ...told, learnedAt: last.at, validFrom: last.at, metadata: last.metadata }
  return { memory, score, parts, pending, evidence: presentEvidence(cache, found, turns) }
}

/** Loads the words of what was found, as they may be shown; of what was asked about as of a time, what it said then. */
export async function presentMemories(
  { asked: { asOf }, turns }: Asking,
  cache: UserState,
  found: readonly FoundMemory[],
): Promise<RecalledMemory[]> {
  const versions = asOf === null ? found : found.flatMap((one) => versionOf(one, asOf))
  const said = await turns.read(versions.flatMap((one) => turnsOf(one.memory)))
  return versions.map((one) => presentOne(cache, one, said))
}
