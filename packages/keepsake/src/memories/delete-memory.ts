import type { ChangeSet } from './change-set.ts'
import type { Memory, Origin } from './memory.ts'
import type { MemoryChange, NewOperation } from './operation.ts'
import { withoutTelling } from './withdraw-words.ts'

/** Reason of a memory deleted on the user's request, shown by `explain`. */
export const ASKED_TO_FORGET = 'asked to be forgotten'

/** Why one went that may be what was asked for, until that is understood. */
export const HELD_BACK = 'held back: it may be what was asked to be forgotten'

/** Finds the memories based on a turn. */
export type MemoriesOfTurn = (turn: string) => Iterable<Memory>

/** Reason of a deletion, shown by `explain`, e.g. `removed by the application`. */
export interface DeletionReason {
  readonly reason: string
  readonly origin: Origin
  /** Returns the evidence that an utterance keeps; it is deleted when this is absent or returns `null`. */
  readonly keep?: (utterance: Memory) => Memory['evidence'] | null
  /** The operation it follows from, so that undoing that undoes this. */
  readonly parent?: string | null
}

/**
 * Deletes a memory and what would bring it back: the utterances it was drawn from, and the sentences of
 * summaries and story units that rest on the same turns. All that follows names the deletion as its parent,
 * so that undoing it undoes the whole.
 */
export function deleteMemory(
  changes: ChangeSet,
  memory: Memory,
  why: DeletionReason,
  memoriesOfTurn: MemoriesOfTurn,
): NewOperation {
  const operation = deleteAlone(changes, memory, why)
  const turns = new Set(memory.evidence.map((evidence) => evidence.turn))
  const following = { ...why, parent: why.parent ?? operation.id }
  for (const other of restingOn(turns, memoriesOfTurn)) {
    const current = changes.read(other.id)
    if (current === undefined || current.status !== 'live' || current.id === memory.id) continue
    if (current.form === 'utterance') dropOrCut(changes, current, following)
    else if (current.form !== 'fact')
      withdrawSentences(changes, current, following, { turns, dropped: memory })
  }
  return operation
}

function dropOrCut(changes: ChangeSet, utterance: Memory, why: DeletionReason): void {
  const evidence = why.keep?.(utterance) ?? null
  if (evidence === null) deleteAlone(changes, utterance, why)
  else changes.change('modify', utterance.id, { evidence }, why)
}

/** Deletes this one, and leaves what rests on the same turns. */
export function deleteAlone(changes: ChangeSet, memory: Memory, why: DeletionReason): NewOperation {
  return changes.change('delete', memory.id, { status: 'deleted', reason: why.reason }, why)
}

function restingOn(turns: ReadonlySet<string>, memoriesOfTurn: MemoriesOfTurn): Iterable<Memory> {
  const found = new Map<string, Memory>()
  for (const turn of turns) for (const memory of memoriesOfTurn(turn)) found.set(memory.id, memory)
  return found.values()
}

/** Takes what rests on the turns out of a summary or story unit, whether or not a memory of its own kept them. */
export function withdrawTurns(
  changes: ChangeSet,
  memory: Memory,
  turns: ReadonlySet<string>,
  why: DeletionReason,
): void {
  if (memory.status !== 'live' || !memory.evidence.some((evidence) => turns.has(evidence.turn))) return
  withdrawSentences(changes, memory, why, { turns, dropped: null })
}

/**
 * Takes out of an extractive summary (or a raw unit, which has no words of its own) what rests on the turns; deletes it
 * when nothing is left or its words cannot be told apart.
 */
function withdrawSentences(
  changes: ChangeSet,
  summary: Memory,
  why: DeletionReason,
  { turns, dropped }: { readonly turns: ReadonlySet<string>; readonly dropped: Memory | null },
): void {
  const change = (after: MemoryChange) => changes.change('modify', summary.id, after, why)
  const rest = summary.evidence.filter((evidence) => !turns.has(evidence.turn))
  if (rest.length > 0 && summary.text === '') {
    change({ evidence: rest })
    return
  }
  const isWritten = summary.evidence.some((evidence) => evidence.quote === null)
  const text = isWritten && dropped !== null && rest.length > 0 ? withoutDropped(summary.text, dropped) : null
  const quotes = rest.map((evidence) => evidence.quote)
  if (text !== null) change({ text, evidence: rest })
  else if (rest.length === 0 || quotes.includes(null)) deleteAlone(changes, summary, why)
  else change({ text: quotes.join(' '), evidence: rest })
}

/** Removes the sentences about a deleted memory from a model's text; `null` when they cannot be identified. */
function withoutDropped(text: string, { text: said, value, subject, evidence }: Memory): string | null {
  const told = [said, value ?? '', ...evidence.flatMap(({ quote }) => quote ?? [])]
  return said === '' ? null : withoutTelling(text, told, [subject])
}
