// Leaves the words of deleted facts out of utterances and summaries.
import { splitSentences, findTerms, isEnglishFunctionWord } from '@keepsake/text'
import type { Turn } from '../turns/turn.ts'
import type { Evidence } from './evidence.ts'
import type { Memory } from './memory.ts'

/** Matches the end of a statement within a sentence: “…, and I'm learning the cello”. */
const CLAUSE_END = /(?<=[,;，；])\s*|\s+(?=(?:and|but|so)\s+(?:I|I'm|I’m|i|im|my|we|our)\b)/u

type TurnText = Pick<Turn, 'id' | 'text' | 'role'>

/** Returns the words of a turn that its utterance keeps: all, unless a fact of the turn was deleted. */
export function keptText(
  turn: Pick<Turn, 'id' | 'text'>,
  utterance: Pick<Memory, 'evidence'> | undefined,
): string {
  if (utterance === undefined || utterance.evidence.every(({ quote }) => quote === null)) return turn.text
  const quoted = utterance.evidence.filter(({ turn: id, quote }) => id === turn.id && quote !== null)
  return quoted.length === 0 ? turn.text : quoted.map(({ quote }) => quote).join(' … ')
}

export function asKept<Whole extends Pick<Turn, 'id' | 'text'>>(
  turn: Whole,
  utterance: Pick<Memory, 'evidence'> | undefined,
): Whole {
  const text = keptText(turn, utterance)
  return text === turn.text ? turn : { ...turn, text }
}

/**
 * Returns an utterance's evidence without a deleted fact: the clauses that share no content word with it. The agent's
 * words about it are removed as well.
 *
 * @returns `null` if nothing of the user remains, or no words of the fact are found
 */
export function evidenceWithout(
  utterance: Pick<Memory, 'evidence'>,
  turns: ReadonlyMap<string, TurnText>,
  fact: Pick<Memory, 'text' | 'value' | 'subject'>,
): Evidence[] | null {
  const said = [...new Set(utterance.evidence.map(({ turn }) => turn))].flatMap((id) => turns.get(id) ?? [])
  const mentions = mentionsAnyOf([fact.value ?? fact.text], [fact.subject])
  const rest = said.map((turn) => ({ turn, quotes: quotesWithout(keptText(turn, utterance), mentions) }))
  const ofUser = rest.filter(({ turn }) => turn.role === 'user')
  const isCut = ofUser.some(({ quotes }) => quotes !== null)
  if (!isCut || ofUser.every(({ quotes }) => quotes?.length === 0)) return null
  return rest.flatMap(({ turn, quotes }): Evidence[] =>
    quotes === null ? [{ turn: turn.id, quote: null }] : quotes.map((quote) => ({ turn: turn.id, quote })),
  )
}

/** Returns the remaining quotes; `null` if all remain. */
function quotesWithout(text: string, mentions: (words: string) => boolean): string[] | null {
  const sentences = splitSentences(text).map((sentence) => sentence.text)
  if (!sentences.some(mentions)) return null
  return sentences.flatMap((sentence) =>
    mentions(sentence)
      ? sentence
          .split(CLAUSE_END)
          .map((clause) => clause.replace(/[\s,;，；]+$/, ''))
          .filter((clause) => !mentions(clause) && wordsIn(clause) > 2)
      : [sentence],
  )
}

function wordsIn(clause: string): number {
  return clause.match(/\p{Script=Han}|[\p{L}\p{N}'’]+/gu)?.length ?? 0
}

/** Words that occur in every statement. */
const SCAFFOLDING = new Set(findTerms('user agent assistant 用户 助手'))

/** Returns content words: no function words, digits or names of the subject. */
function contentTerms(texts: readonly string[], names: readonly string[]): Set<string> {
  const known = new Set(names.flatMap(findTerms))
  return new Set(
    texts.flatMap(findTerms).filter(
      (term) =>
        !known.has(term) &&
        !SCAFFOLDING.has(term) &&
        !/^\d+$/.test(term) &&
        // Single Chinese characters occur in most sentences; pairs are distinctive.
        !/^\p{Script=Han}$/u.test(term) &&
        !isEnglishFunctionWord(term),
    ),
  )
}

/** Returns a test for words that share a content word with the deleted text. */
export function mentionsAnyOf(
  deleted: readonly string[],
  names: readonly string[],
): (words: string) => boolean {
  const terms = contentTerms(deleted, names)
  return (words) => findTerms(words).some((term) => terms.has(term))
}

/** Keeps the sentences of a text that share no content word with the deleted texts; empty when none remain. */
export function restWithout(text: string, deleted: readonly string[]): string {
  const mentions = mentionsAnyOf(deleted, [])
  if (!splitSentences(text).some((sentence) => mentions(sentence.text))) return text
  return withoutSentences(text, mentions) ?? ''
}

/** Summaries join clauses by semicolons. */
const STATEMENT_END = /(?<=[；;])\s*/u

/** Ends the last clause with a full stop. */
function joinParts(parts: readonly string[]): string {
  const isHan = parts.some((part) => /\p{Script=Han}/u.test(part))
  const joined = parts.join(isHan ? '' : ' ').trim()
  return joined.replace(/[；;]$/u, isHan ? '。' : '.')
}

/** Removes sentences or clauses, line by line; `null` if none matches or none remains. */
export function withoutSentences(text: string, goes: (sentence: string) => boolean): string | null {
  let isCut = false
  const lines = text.split('\n').flatMap((line) => {
    const parts = splitSentences(line).flatMap((sentence) => sentence.text.split(STATEMENT_END))
    const kept = parts.filter((part) => !goes(part))
    isCut ||= kept.length < parts.length
    return kept.length === 0 ? [] : [joinParts(kept)]
  })
  return isCut && lines.length > 0 ? lines.join('\n') : null
}
