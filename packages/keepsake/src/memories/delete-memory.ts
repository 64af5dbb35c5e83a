import type { ChangeSet } from './change-set.ts'
import type { Memory, Origin } from './memory.ts'
import { withoutTelling } from './withdraw-words.ts'

/** Why a memory went that the talk asked to drop: kept with it, and told by `explain`. */
export const ASKED_TO_FORGET = 'asked to be forgotten'

/** Which memories rest on a turn. */
export type MemoriesOfTurn = (turn: string) => Iterable<Memory>

/**
 * Deletes a memory and what would bring it back: the utterances it was drawn from, and the sentences of
 * summaries and story units that rest on the same turns. All that follows names the deletion as its parent,
 * so that undoing it undoes the whole.
 *
 * @param reason shown by `explain`, e.g. `removed by the application`.
 */
export function deleteMemory(
  changes: ChangeSet,
  memory: Memory,
  why: { readonly reason: string; readonly origin: Origin },
  memoriesOfTurn: MemoriesOfTurn,
  parent: string | null = null,
): void {
  const after = { status: 'deleted', reason: why.reason } as const
  const operation = changes.change('delete', memory.id, after, why.origin, { parent })
  const turns = new Set(memory.evidence.map((evidence) => evidence.turn))
  const links = { parent: parent ?? operation.id }
  for (const other of restingOn(turns, memoriesOfTurn)) {
    const current = changes.read(other.id)
    if (current === undefined || current.status !== 'live' || current.id === memory.id) continue
    if (current.form === 'utterance') changes.change('delete', current.id, after, why.origin, links)
    else if (current.form !== 'fact') withdrawSentences(changes, current, turns, why, links, memory)
  }
}

function restingOn(turns: ReadonlySet<string>, memoriesOfTurn: MemoriesOfTurn): Iterable<Memory> {
  const found = new Map<string, Memory>()
  for (const turn of turns) for (const memory of memoriesOfTurn(turn)) found.set(memory.id, memory)
  return found.values()
}

/**
 * Takes what rests on the turns out of a summary or story unit, whether or not a memory of its own kept them.
 *
 * @param parent the operation this follows from, so that undoing that undoes this
 */
export function withdrawTurns(
  changes: ChangeSet,
  memory: Memory,
  turns: ReadonlySet<string>,
  why: { readonly reason: string; readonly origin: Origin },
  parent: string | null,
): void {
  if (memory.status !== 'live' || !memory.evidence.some((evidence) => turns.has(evidence.turn))) return
  withdrawSentences(changes, memory, turns, why, { parent })
}

/** Takes out of an extractive summary (or a raw unit, which has no words of its own) what rests on the turns; drops it when nothing is left or its words cannot be told apart. */
function withdrawSentences(
  changes: ChangeSet,
  summary: Memory,
  turns: ReadonlySet<string>,
  why: { readonly reason: string; readonly origin: Origin },
  links: { readonly parent: string | null },
  dropped: Memory | null = null,
): void {
  const rest = summary.evidence.filter((evidence) => !turns.has(evidence.turn))
  const quotes = rest.map((evidence) => evidence.quote)
  if (rest.length > 0 && summary.text === '') {
    changes.change('modify', summary.id, { evidence: rest }, why.origin, links)
    return
  }
  const isWritten = summary.evidence.some((evidence) => evidence.quote === null)
  const text = isWritten && dropped !== null && rest.length > 0 ? withoutDropped(summary.text, dropped) : null
  if (text !== null) {
    changes.change('modify', summary.id, { text, evidence: rest }, why.origin, links)
    return
  }
  if (rest.length === 0 || quotes.includes(null)) {
    changes.change('delete', summary.id, { status: 'deleted', reason: why.reason }, why.origin, links)
    return
  }
  changes.change('modify', summary.id, { text: quotes.join(' '), evidence: rest }, why.origin, links)
}

/** What a model wrote, without what tells of a memory that was dropped; `null` where its words do not show which part that is. */
function withoutDropped(text: string, { text: said, value, subject, evidence }: Memory): string | null {
  const told = [said, value ?? '', ...evidence.flatMap(({ quote }) => quote ?? [])]
  return said === '' ? null : withoutTelling(text, told, [subject])
}
