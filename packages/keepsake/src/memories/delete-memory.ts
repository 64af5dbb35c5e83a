// Deletes a memory together with everything that repeats its words.
import { splitSentences, findTerms, isEnglishFunctionWord } from '@keepsake/text'
import type { Turn } from '../turns/turn.ts'
import type { ChangeSet } from './change-set.ts'
import type { Evidence } from './evidence.ts'
import type { Memory, Origin } from './memory.ts'
import type { NewOperation } from './operation.ts'

/** Reason of a memory deleted on the user's request, shown by `explain`. */
export const ASKED_TO_FORGET = 'asked to be forgotten'

/** Reason of a memory withheld while a request is unresolved. */
export const WITHHELD = 'held back: it may be what was asked to be forgotten'

/** Returns the memories with evidence in a turn. */
export type MemoriesOfTurn = (turn: string) => Iterable<Memory>

export interface DeletionReason {
  /** The reason that `explain` shows, such as `removed by the application`. */
  readonly reason: string
  readonly origin: Origin
  /** Returns the evidence that an utterance keeps. The utterance is deleted when this is absent or returns `null`. */
  readonly keep?: (utterance: Memory) => Memory['evidence'] | null
  /** The parent operation; undoing it undoes this one. */
  readonly parent?: string | null
}

/**
 * Deletes a memory and the utterances of its turns, and removes sentences about it from summaries and blocks. Other facts of these turns
 * stay, because they state something else. One undo of the deletion reverts all.
 */
export function deleteMemory(
  changes: ChangeSet,
  memory: Memory,
  why: DeletionReason,
  memoriesOfTurn: MemoriesOfTurn,
): NewOperation {
  const operation = deleteAlone(changes, memory, why)
  const turns = new Set(memory.evidence.map((evidence) => evidence.turn))
  const consequence = { ...why, parent: why.parent ?? operation.id }
  const ids = new Set([...turns].flatMap((turn) => [...memoriesOfTurn(turn)].map(({ id }) => id)))
  for (const id of ids) {
    const other = changes.read(id)
    if (other === undefined || other.status !== 'live' || id === memory.id || other.form === 'fact') continue
    if (other.form === 'utterance') deleteOrCutUtterance(changes, other, consequence)
    else if (other.form === 'block') cutBlock(changes, other, makeMentionTest(memory), consequence)
    else removeFromSummary(changes, other, consequence, { turns, deleted: memory })
  }
  return operation
}

/** Deletes an utterance, or leaves the evidence that the caller wants to keep. */
function deleteOrCutUtterance(changes: ChangeSet, utterance: Memory, why: DeletionReason): void {
  const evidence = why.keep?.(utterance) ?? null
  if (evidence === null) deleteAlone(changes, utterance, why)
  else changes.change('modify', utterance.id, { evidence }, why)
}

/** Removes sentences from a block, and deletes the block if nothing remains. */
export function cutBlock(
  changes: ChangeSet,
  block: Memory,
  isRemoved: (sentence: string) => boolean,
  why: DeletionReason,
): void {
  if (!isRemoved(block.text)) return
  const text = withoutSentences(block.text, isRemoved)
  if (text === null) deleteAlone(changes, block, why)
  else changes.change('modify', block.id, { text }, why)
}

/** Deletes a memory and nothing else. */
export function deleteAlone(changes: ChangeSet, memory: Memory, why: DeletionReason): NewOperation {
  return changes.change('delete', memory.id, { status: 'deleted', reason: why.reason }, why)
}

/** Removes the parts of a summary or story unit that come from the turns. */
export function removeTurns(
  changes: ChangeSet,
  memory: Memory,
  turns: ReadonlySet<string>,
  why: DeletionReason,
): void {
  if (memory.status !== 'live' || !memory.evidence.some((evidence) => turns.has(evidence.turn))) return
  removeFromSummary(changes, memory, why, { turns, deleted: null })
}

/**
 * Removes the parts of a summary or story unit that come from the turns. A summary of quotes keeps the quotes of other turns. A summary
 * of a model loses the sentences about the deleted memory. If neither is possible, the whole summary is deleted, because it may repeat
 * deleted words.
 */
function removeFromSummary(
  changes: ChangeSet,
  summary: Memory,
  why: DeletionReason,
  { turns, deleted }: { readonly turns: ReadonlySet<string>; readonly deleted: Memory | null },
): void {
  const evidence = summary.evidence.filter(({ turn }) => !turns.has(turn))
  const isWithoutText = summary.text === ''
  const text = isWithoutText ? '' : remainingText(summary, evidence, deleted)
  if (evidence.length === 0 || text === null) deleteAlone(changes, summary, why)
  else changes.change('modify', summary.id, isWithoutText ? { evidence } : { text, evidence }, why)
}

/** Returns the text of a summary after a deletion; `null` if it is not known which words to remove. */
function remainingText(
  summary: Memory,
  evidence: readonly Evidence[],
  deleted: Memory | null,
): string | null {
  const isByModel = summary.evidence.some(({ quote }) => quote === null)
  const hasDeletedText = deleted !== null && deleted.text !== ''
  const cut = isByModel && hasDeletedText ? withoutSentences(summary.text, makeMentionTest(deleted)) : null
  if (cut !== null) return cut
  const quotes = evidence.flatMap(({ quote }) => quote ?? [])
  return quotes.length === evidence.length ? quotes.join(' ') : null
}

/** Returns a test for texts that mention a deleted memory. */
function makeMentionTest({ text, value, subject, evidence }: Memory): (words: string) => boolean {
  return mentionsAnyOf([text, value ?? '', ...evidence.flatMap(({ quote }) => quote ?? [])], [subject])
}

/** Matches the end of a statement within a sentence: “…, and I'm learning the cello”. */
const CLAUSE_END = /(?<=[,;，；])\s*|\s+(?=(?:and|but|so)\s+(?:I|I'm|I’m|i|im|my|we|our)\b)/u

type TurnText = Pick<Turn, 'id' | 'text' | 'role'>

/** Returns the words of a turn that its utterance keeps: all of them, unless a fact of the turn was deleted. */
export function wordsOfUtterance(
  turn: Pick<Turn, 'id' | 'text'>,
  utterance: Pick<Memory, 'evidence'> | undefined,
): string {
  if (utterance === undefined || utterance.evidence.every(({ quote }) => quote === null)) return turn.text
  const quoted = utterance.evidence.filter(({ turn: id, quote }) => id === turn.id && quote !== null)
  return quoted.length === 0 ? turn.text : quoted.map(({ quote }) => quote).join(' … ')
}

/** Returns a turn with the words that its utterance keeps. */
export function withUtteranceWords<AnyTurn extends Pick<Turn, 'id' | 'text'>>(
  turn: AnyTurn,
  utterance: Pick<Memory, 'evidence'> | undefined,
): AnyTurn {
  const text = wordsOfUtterance(turn, utterance)
  return text === turn.text ? turn : { ...turn, text }
}

/** An utterance's evidence without a fact: clauses that share no content word with it. `null` if nothing remains. */
export function evidenceWithout(
  utterance: Pick<Memory, 'evidence'>,
  turns: ReadonlyMap<string, TurnText>,
  fact: Pick<Memory, 'text' | 'value' | 'subject'>,
): Evidence[] | null {
  const turnIds = new Set(utterance.evidence.map(({ turn }) => turn))
  const utteranceTurns = [...turnIds].flatMap((id) => turns.get(id) ?? [])
  const mentions = mentionsAnyOf([fact.value ?? fact.text], [fact.subject])
  const rest = utteranceTurns.map((turn) => ({
    turn,
    quotes: quotesWithout(wordsOfUtterance(turn, utterance), mentions),
  }))
  const ofUser = rest.filter(({ turn }) => turn.role === 'user')
  const isCut = ofUser.some(({ quotes }) => quotes !== null)
  if (!isCut || ofUser.every(({ quotes }) => quotes?.length === 0)) return null
  return rest.flatMap(({ turn, quotes }): Evidence[] =>
    quotes === null ? [{ turn: turn.id, quote: null }] : quotes.map((quote) => ({ turn: turn.id, quote })),
  )
}

/** Returns the sentences and clauses of a text that do not mention something; `null` if no sentence mentions it. */
function quotesWithout(text: string, mentions: (words: string) => boolean): string[] | null {
  const sentences = splitSentences(text).map((sentence) => sentence.text)
  if (!sentences.some(mentions)) return null
  return sentences.flatMap((sentence) => {
    if (!mentions(sentence)) return [sentence]
    const clauses = sentence.split(CLAUSE_END).map((clause) => clause.replace(/[\s,;，；]+$/, ''))
    // Clauses of one or two words, such as “and so”, say nothing alone.
    return clauses.filter((clause) => !mentions(clause) && countWords(clause) > 2)
  })
}

function countWords(clause: string): number {
  return clause.match(/\p{Script=Han}|[\p{L}\p{N}'’]+/gu)?.length ?? 0
}

/** Terms that occur in every statement. */
const GENERAL_TERMS = new Set(findTerms('user agent assistant 用户 助手'))

/** Returns the content terms of texts, without function words, digits and names of the subject. */
function contentTerms(texts: readonly string[], names: readonly string[]): Set<string> {
  const known = new Set(names.flatMap(findTerms))
  return new Set(
    texts.flatMap(findTerms).filter(
      (term) =>
        !known.has(term) &&
        !GENERAL_TERMS.has(term) &&
        !/^\d+$/.test(term) &&
        // Single Chinese characters occur in most sentences; pairs are distinctive.
        !/^\p{Script=Han}$/u.test(term) &&
        !isEnglishFunctionWord(term),
    ),
  )
}

/** Returns a test for texts that share a content word with the deleted texts. */
export function mentionsAnyOf(
  deleted: readonly string[],
  names: readonly string[],
): (words: string) => boolean {
  const terms = contentTerms(deleted, names)
  return (words) => findTerms(words).some((term) => terms.has(term))
}

/** Removes the sentences that share a content word with the deleted texts; empty when none remain. */
export function removeMentions(text: string, deleted: readonly string[]): string {
  const mentions = mentionsAnyOf(deleted, [])
  if (!splitSentences(text).some((sentence) => mentions(sentence.text))) return text
  return withoutSentences(text, mentions) ?? ''
}

/** Matches the end of a statement in a summary, which joins clauses by semicolons. */
const STATEMENT_END = /(?<=[；;])\s*/u

/** Joins clauses again, with a full stop at the end. */
function joinParts(parts: readonly string[]): string {
  const isHan = parts.some((part) => /\p{Script=Han}/u.test(part))
  const joined = parts.join(isHan ? '' : ' ').trim()
  return joined.replace(/[；;]$/u, isHan ? '。' : '.')
}

/** Removes sentences or clauses from a text; `null` if none matches or none remains. */
export function withoutSentences(text: string, isRemoved: (sentence: string) => boolean): string | null {
  let isCut = false
  const lines = text.split('\n').flatMap((line) => {
    const parts = splitSentences(line).flatMap((sentence) => sentence.text.split(STATEMENT_END))
    const kept = parts.filter((part) => !isRemoved(part))
    isCut ||= kept.length < parts.length
    return kept.length === 0 ? [] : [joinParts(kept)]
  })
  return isCut && lines.length > 0 ? lines.join('\n') : null
}
