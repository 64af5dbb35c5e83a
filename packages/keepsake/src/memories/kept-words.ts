import { splitSentences } from '@keepsake/text'
import type { Turn } from '../turns/turn.ts'
import type { Evidence } from './evidence.ts'
import type { Memory } from './memory.ts'
import { tellsAnyOf } from './withdraw-words.ts'

/** Matches the end of a statement within a sentence: “…, and I'm learning the cello”. */
const CLAUSE_END = /(?<=[,;，；])\s*|\s+(?=(?:and|but|so)\s+(?:I|I'm|I’m|i|im|my|we|our)\b)/u

type Said = Pick<Turn, 'id' | 'text' | 'role'>

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
 * What an utterance rests on once a fact told in it is removed: the clauses of its turns that share no telling word with the
 * fact. What only the agent said of it goes as well.
 *
 * @returns `null` where nothing the user said is left, or nothing shows which words told it
 */
export function evidenceWithout(
  utterance: Pick<Memory, 'evidence'>,
  turns: ReadonlyMap<string, Said>,
  fact: Pick<Memory, 'text' | 'value' | 'subject'>,
): Evidence[] | null {
  const said = [...new Set(utterance.evidence.map(({ turn }) => turn))].flatMap((id) => turns.get(id) ?? [])
  const tells = tellsAnyOf([fact.value ?? fact.text], [fact.subject])
  const rest = said.map((turn) => ({ turn, quotes: quotesWithout(keptText(turn, utterance), tells) }))
  const ofUser = rest.filter(({ turn }) => turn.role === 'user')
  const isCut = ofUser.some(({ quotes }) => quotes !== null)
  if (!isCut || ofUser.every(({ quotes }) => quotes?.length === 0)) return null
  return rest.flatMap(({ turn, quotes }): Evidence[] =>
    quotes === null ? [{ turn: turn.id, quote: null }] : quotes.map((quote) => ({ turn: turn.id, quote })),
  )
}

/** `null` where nothing goes. */
function quotesWithout(text: string, tells: (words: string) => boolean): string[] | null {
  const sentences = splitSentences(text).map((sentence) => sentence.text)
  if (!sentences.some(tells)) return null
  return sentences.flatMap((sentence) =>
    tells(sentence)
      ? sentence
          .split(CLAUSE_END)
          .map((clause) => clause.replace(/[\s,;，；]+$/, ''))
          .filter((clause) => !tells(clause) && isTelling(clause))
      : [sentence],
  )
}

function isTelling(clause: string): boolean {
  return (clause.match(/\p{Script=Han}|[\p{L}\p{N}'’]+/gu)?.length ?? 0) > 2
}
