import type { ChangeSet } from './change-set.ts'
import type { Memory, Origin } from './memory.ts'
import type { MemoryChange, NewOperation } from './operation.ts'
import { mentionsAnyOf, withoutSentences } from './kept-words.ts'

/** Reason of a memory deleted on the user's request, shown by `explain`. */
export const ASKED_TO_FORGET = 'asked to be forgotten'

/** Reason of a memory withheld while a request is unresolved. */
export const HELD_BACK = 'held back: it may be what was asked to be forgotten'

export type MemoriesOfTurn = (turn: string) => Iterable<Memory>

/** Reason of a deletion, shown by `explain`, e.g. `removed by the application`. */
export interface DeletionReason {
  readonly reason: string
  readonly origin: Origin
  /** Returns the evidence that an utterance keeps; it is deleted when this is absent or returns `null`. */
  readonly keep?: (utterance: Memory) => Memory['evidence'] | null
  /** The parent operation; undoing it undoes this one. */
  readonly parent?: string | null
}

/**
 * Deletes a memory with its utterances, and its sentences in summaries and story units. All following operations name
 * the deletion as their parent.
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
  for (const otherMemory of restingOn(turns, memoriesOfTurn)) {
    const current = changes.read(otherMemory.id)
    if (current === undefined || current.status !== 'live' || current.id === memory.id) continue
    if (current.form === 'utterance') dropOrCut(changes, current, following)
    else if (current.form === 'block') cutBlock(changes, current, tellsOfDeleted(memory), following)
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

/** Removes sentences from a block. One of which nothing is left is deleted. */
export function cutBlock(
  changes: ChangeSet,
  block: Memory,
  goes: (sentence: string) => boolean,
  why: DeletionReason,
): void {
  if (!goes(block.text)) return
  const text = withoutSentences(block.text, goes)
  if (text === null) deleteAlone(changes, block, why)
  else changes.change('modify', block.id, { text }, why)
}

/** Deletes a memory alone. */
export function deleteAlone(changes: ChangeSet, memory: Memory, why: DeletionReason): NewOperation {
  return changes.change('delete', memory.id, { status: 'deleted', reason: why.reason }, why)
}

function restingOn(turns: ReadonlySet<string>, memoriesOfTurn: MemoriesOfTurn): Iterable<Memory> {
  const found = new Map<string, Memory>()
  for (const turn of turns) for (const memory of memoriesOfTurn(turn)) found.set(memory.id, memory)
  return found.values()
}

/** Removes what rests on the turns from a summary or story unit. */
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
 * Removes what rests on the turns from an extractive summary or a raw unit; deletes it if nothing remains or its
 * sentences cannot be separated.
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
function withoutDropped(text: string, dropped: Memory): string | null {
  return dropped.text === '' ? null : withoutSentences(text, tellsOfDeleted(dropped))
}

/** Returns a test for words about a deleted memory. */
function tellsOfDeleted({ text, value, subject, evidence }: Memory): (words: string) => boolean {
  return mentionsAnyOf([text, value ?? '', ...evidence.flatMap(({ quote }) => quote ?? [])], [subject])
}
