import { splitSentences } from '@keepsake/text'
import type { Turn } from '../turns/turn.ts'
import type { Evidence } from './evidence.ts'
import type { Memory } from './memory.ts'
import { mentionsAnyOf } from './withdraw-words.ts'

/** Matches the end of a statement within a sentence: “…, and I'm learning the cello”. */
const CLAUSE_END = /(?<=[,;，；])\s*|\s+(?=(?:and|but|so)\s+(?:I|I'm|I’m|i|im|my|we|our)\b)/u

type TurnText = Pick<Turn, 'id' | 'text' | 'role'>

/** Returns the words of a turn that its utterance keeps: all, unless a fact of the turn was deleted. */
export function keptText(
  turn: Pick<Turn, 'id' | 'text'>,
  utterance: Pick<Memory, 'evidence'> | undefined,
): string {
  const quoted = utterance?.evidence.filter(({ turn: id, quote }) => id === turn.id && quote !== null) ?? []
  return quoted.length === 0 ? turn.text : quoted.map(({ quote }) => quote).join(' … ')
}

/** Returns a turn with the words that may be shown. */
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
