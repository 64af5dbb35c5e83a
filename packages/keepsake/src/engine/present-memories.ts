import type { Memory } from '../operations/memory.ts'
import type { RecalledEvidence, RecalledMemory } from '../retrieval/recall-types.ts'
import type { Turn } from '../turns/turn.ts'
import type { Engine } from './engine.ts'
import type { OwnerCache } from './owner-cache.ts'
import type { FoundMemory } from './rank-memories.ts'
import { readTurns, utteranceText } from './read-memories.ts'

/**
 * The words of a turn that may be shown as evidence. A turn that no live utterance keeps is shown only in the
 * words a live memory quotes, and not at all once something that rests on it was deleted.
 */
function evidenceText(cache: OwnerCache, turn: Turn, quote: string | null): string | null {
  const known = cache.turn(turn.id)
  if (cache.utteranceOf(turn.id) !== undefined || (known !== undefined && cache.isPending(known)))
    return turn.text
  const deleted = [...cache.memoriesOfTurn(turn.id)].some((memory) => memory.status === 'deleted')
  return deleted ? null : quote
}

function presentEvidence(
  cache: OwnerCache,
  found: FoundMemory,
  turns: ReadonlyMap<string, Turn>,
): RecalledEvidence[] {
  const evidence = found.memory.evidence.flatMap(({ turn: id, quote }): RecalledEvidence[] => {
    const turn = turns.get(id)
    if (turn === undefined) return []
    const { session, role, speaker, at } = turn
    return [
      {
        turn: id,
        session,
        role,
        speaker,
        at,
        text: evidenceText(cache, turn, quote),
        score: found.turns.get(id) ?? 0,
      },
    ]
  })
  return evidence.sort((one, other) => other.score - one.score)
}

/** What a memory said at a time; `null` when it said nothing yet. */
function versionAt(memory: Memory, asOf: number | null): Memory | null {
  if (asOf === null || memory.form === 'utterance' || memory.validFrom <= asOf) return memory
  const past = memory.past.find((version) => version.validFrom <= asOf && asOf < version.validUntil)
  return past === undefined ? null : { ...memory, ...past, past: [] }
}

function presentOne(
  cache: OwnerCache,
  found: FoundMemory,
  turns: ReadonlyMap<string, Turn>,
  asOf: number | null,
): RecalledMemory[] {
  const version = versionAt(found.memory, asOf)
  if (version === null) return []
  const last = turns.get(version.evidence.at(-1)?.turn ?? '')
  const timed =
    found.pending && last !== undefined ? { ...version, learnedAt: last.at, validFrom: last.at } : version
  const memory = timed.form === 'utterance' ? { ...timed, text: utteranceText(timed, turns) } : timed
  const { score, parts, pending } = found
  return [{ memory, score, parts, pending, evidence: presentEvidence(cache, found, turns) }]
}

/** Loads the words of what was found, as they may be shown. */
export async function presentMemories(
  engine: Engine,
  owner: number,
  found: readonly FoundMemory[],
  asOf: number | null,
): Promise<RecalledMemory[]> {
  const cache = await engine.caches.get(owner)
  const turns = await readTurns(
    engine,
    owner,
    found.flatMap((one) => one.memory.evidence.map((evidence) => evidence.turn)),
  )
  return found.flatMap((one) => presentOne(cache, one, turns, asOf))
}
