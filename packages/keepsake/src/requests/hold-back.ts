import type { ForgetRequest, Segment } from '../extraction/extractor.ts'
import { likelyAsksToForget } from '../extraction/grounding/find-wish.ts'
import { deleteMemory, HELD_BACK } from '../memories/delete-memory.ts'
import type { Origin } from '../memories/memory.ts'
import { maskUnspoken, splitSentences } from '@keepsake/text'
import type { Turn } from '../turns/turn.ts'
import type { UnitOfWork } from '../work/unit-of-work.ts'
import { restingOn, turnsJustSaid } from './find-targets.ts'

/**
 * Withholds memories when the model's answer was unusable and rules find no target: the turn that likely asks, and the text right before
 * it. It is a deletion that is undone once the turns are read.
 *
 * @see releaseHeld
 */
export async function holdBackUnread(unit: UnitOfWork, segment: Segment, origin: Origin): Promise<void> {
  for (const turn of segment.turns) {
    const request = turn.role === 'user' ? likelyRequest(turn) : null
    if (request === null) continue
    const just = await turnsJustSaid(unit, request, turn)
    hold(unit, [turn.id, ...just], origin)
  }
}

/** Finds a sentence that likely asks to forget something, as a request without a topic. */
function likelyRequest(turn: Turn): ForgetRequest | null {
  const asking = splitSentences(maskUnspoken(turn.text)).find(({ text }) => likelyAsksToForget(text))
  if (asking === undefined) return null
  const quote = turn.text.slice(asking.start, asking.start + asking.text.length)
  return { kind: 'forget', about: null, evidence: { turn: turn.id, quote } }
}

/** Deletes every memory based on the turns, in a way that can be undone. */
function hold(unit: UnitOfWork, turns: readonly string[], origin: Origin): void {
  const { state, changes } = unit
  for (const { id } of restingOn(unit, turns)) {
    const memory = changes.read(id)
    if (memory?.status !== 'live' || (memory.form !== 'utterance' && memory.form !== 'fact')) continue
    deleteMemory(changes, memory, { reason: HELD_BACK, origin }, (turn) => state.memoriesOfTurn(turn))
  }
}

/** Restores memories withheld for a segment's turns, now that these are read; their requests are applied afterwards. */
export function releaseHeld({ state, changes }: UnitOfWork, { turns }: Segment, origin: Origin): void {
  const held = new Set<string>()
  for (const turn of turns)
    for (const { id, status, reason } of state.memoriesOfTurn(turn.id))
      if (status === 'deleted' && reason === HELD_BACK) held.add(id)
  for (const id of held) changes.change('restore', id, { status: 'live', reason: null }, origin)
}
