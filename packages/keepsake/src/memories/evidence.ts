import { normaliseText } from '@keepsake/text'
import type { Turn } from '../turns/turn.ts'

/** A turn that supports a memory, and the supporting words. */
export interface Evidence {
  /** `true` if the words put the memory in doubt, because they may mean that it no longer holds. */
  readonly against?: boolean
  /** Set when the words say it wrongly, and the speaker or the application corrected them since. */
  readonly corrected?: boolean
  readonly turn: string
  /** The supporting words of the turn; `null` for the whole turn. */
  readonly quote: string | null
}

/** Checks whether a memory has evidence in the turn. */
export function restsOn({ evidence }: { readonly evidence: readonly Evidence[] }, turn: string): boolean {
  return evidence.some((source) => source.turn === turn)
}

/** Returns a key that is the same for equal evidence. */
function keyOf({ turn, quote, against = false }: Evidence): string {
  return JSON.stringify([turn, quote, against])
}

/** Checks whether the latest evidence of a memory puts it in doubt. A later statement of the memory ends the doubt. */
export function isQuestioned({ evidence }: { readonly evidence: readonly Evidence[] }): boolean {
  return evidence.at(-1)?.against === true
}

/** Marks the evidence that was corrected: all of it when no turn is named. */
export function markCorrected(evidence: readonly Evidence[], turn?: string): Evidence[] {
  return evidence.map((one) => ((turn ?? one.turn) === one.turn ? { ...one, corrected: true } : one))
}

/** Returns evidence without repetitions. */
export function eachOnce(evidence: readonly Evidence[]): Evidence[] {
  return [...new Map(evidence.map((source) => [keyOf(source), source])).values()]
}

/** Returns the added evidence that a memory does not have yet. */
export function freshEvidence(
  fact: { readonly evidence: readonly Evidence[] },
  added: readonly Evidence[],
): Evidence[] {
  const known = new Set(fact.evidence.map(keyOf))
  return eachOnce(added).filter((source) => !known.has(keyOf(source)))
}

/** Returns a memory's evidence with the added one, without repetitions. */
export function evidenceWith(
  fact: { readonly evidence: readonly Evidence[] },
  added: readonly Evidence[],
): Evidence[] {
  return [...fact.evidence, ...freshEvidence(fact, added)]
}

/** Matches the characters that are compared. Accents of Latin letters are ignored. */
const COMPARED = /[\p{L}\p{N}]|(?![\u0300-\u036F])\p{M}/u
const DIGIT = /\p{N}/u
/** Matches characters that are compared inside numbers, to distinguish 3.5 from 35. */
const IN_NUMBER = /[.,:/]/
const SPACED_LETTER = /[\p{L}\p{N}]/u
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u
/** Matches an ellipsis that replaces words in a quote. */
const ELLIPSIS = /\s*(?:\[\s*(?:…|\.{3,}|⋯+)\s*\]|…+|\.{3,}|⋯+)\s*/u
/** Maximum length of the text that a quote with ellipses covers, relative to the quote. */
const MAX_STRETCH = 6
/** Minimum length of a quote that is searched in other turns. Shorter ones occur there by chance. */
const MIN_LENGTH_ELSEWHERE = { spaced: 12, unspaced: 5 }

/** A text reduced to the characters that are compared. */
interface FoldedText {
  readonly text: string
  /** For each character of `text`, where it begins and ends in the source. */
  readonly starts: readonly number[]
  readonly ends: readonly number[]
}

/**
 * Finds a quote in a text, ignoring case, width, accents, spaces and punctuation. An ellipsis in the quote matches any words.
 *
 * @returns the words as the text has them; `null` if it does not contain the quote
 *
 * @example
 * locateQuote('Well, I’m a nurse – in Lyon.', "i'm a nurse in lyon") // 'I’m a nurse – in Lyon'
 */
export function locateQuote(text: string, quote: string): string | null {
  const wanted = quote.trim()
  if (wanted === '') return null
  if (text.includes(wanted)) return wanted
  const source = fold(text)
  const parts = wanted
    .split(ELLIPSIS)
    .map((part) => fold(part).text)
    .filter((part) => part !== '')
  if (parts.length === 0) return null
  const spans: { start: number; end: number }[] = []
  for (const part of parts) {
    const start = findWords(source, text, part, spans.at(-1)?.end ?? 0)
    if (start === -1) return null
    spans.push({ start, end: start + part.length })
  }
  const start = source.starts[spans[0]?.start ?? 0] ?? 0
  const end = source.ends[(spans.at(-1)?.end ?? 1) - 1] ?? text.length
  if (parts.length > 1 && end - start > MAX_STRETCH * wanted.length) return null
  return text.slice(start, end)
}

/** Returns the evidence whose quote is in its turn, in the words of the turn. */
export function keepLocated(evidence: readonly Evidence[], turns: readonly Turn[]): Evidence[] {
  return evidence.flatMap(({ turn: id, quote }): Evidence[] => {
    const turn = turns.find((turn) => turn.id === id)
    if (turn === undefined) return []
    if (quote === null) return [{ turn: id, quote }]
    const words = locateQuote(turn.text, quote)
    return words === null ? [] : [{ turn: id, quote: words }]
  })
}

/**
 * Corrects inexact quotes, and the turn of a quote that is in another one. Evidence that is not found stays as it is; grounding refuses
 * it.
 *
 * @param turns the turns of the segment
 */
export function repairEvidence(evidence: readonly Evidence[], turns: readonly Turn[]): Evidence[] {
  return evidence.map((source) => {
    if (source.quote === null) return source
    const named = turns.find((turn) => turn.id === source.turn)
    const found = named === undefined ? null : locateQuote(named.text, source.quote)
    if (found !== null) return { turn: source.turn, quote: found }
    return locateElsewhere(source.quote, turns) ?? source
  })
}

/** Finds a long quote in other turns; `null` unless exactly one contains it. */
function locateElsewhere(quote: string, turns: readonly Turn[]): Evidence | null {
  const words = fold(quote).text
  const minLength = UNSPACED.test(words) ? MIN_LENGTH_ELSEWHERE.unspaced : MIN_LENGTH_ELSEWHERE.spaced
  if (words.length < minLength) return null
  const matches = turns.flatMap((turn) => {
    const found = locateQuote(turn.text, quote)
    return found === null ? [] : [{ turn: turn.id, quote: found }]
  })
  return matches.length === 1 ? (matches[0] ?? null) : null
}

/** Reduces a text to normalised letters and digits, with their places in the source. */
function fold(text: string): FoldedText {
  const folded: string[] = []
  const starts: number[] = []
  const ends: number[] = []
  let index = 0
  for (const character of text) {
    const end = index + character.length
    if (isCompared(character, text[index - 1], text[end])) {
      for (const piece of normaliseText(character)) {
        for (const unit of piece) folded.push(unit)
        for (let unit = 0; unit < piece.length; unit++) {
          starts.push(index)
          ends.push(end)
        }
      }
    }
    index = end
  }
  return { text: folded.join(''), starts, ends }
}

function isCompared(character: string, before: string | undefined, after: string | undefined): boolean {
  if (COMPARED.test(character)) return true
  return IN_NUMBER.test(character) && DIGIT.test(before ?? '') && DIGIT.test(after ?? '')
}

/** Finds words as whole words: "art" is not in "party". In scripts without spaces they match anywhere. */
function findWords(source: FoldedText, text: string, words: string, from: number): number {
  for (let i = source.text.indexOf(words, from); i !== -1; i = source.text.indexOf(words, i + 1)) {
    const before = text[(source.starts[i] ?? 0) - 1] ?? ''
    const after = text[source.ends[i + words.length - 1] ?? text.length] ?? ''
    const first = words[0] ?? ''
    const last = words.at(-1) ?? ''
    const isCutBefore = isSpaced(before) && isSpaced(first)
    const isCutAfter = isSpaced(after) && isSpaced(last)
    if (!isCutBefore && !isCutAfter) return i
  }
  return -1
}

function isSpaced(character: string): boolean {
  return SPACED_LETTER.test(character) && !UNSPACED.test(character)
}
