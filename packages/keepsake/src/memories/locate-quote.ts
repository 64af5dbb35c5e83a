import { normaliseText } from '@keepsake/text'
import type { Turn } from '../turns/turn.ts'
import type { Evidence } from './evidence.ts'

/** Matches characters that are compared; accents of Latin letters are dropped. */
const KEPT = /[\p{L}\p{N}]|(?![\u0300-\u036F])\p{M}/u
const DIGIT = /\p{N}/u
/** Inside a number these distinguish 3.5 from 35. */
const IN_NUMBER = /[.,:/]/
const SPACED_LETTER = /[\p{L}\p{N}]/u
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u
/** Words left out of a quote. */
const LEFT_OUT = /\s*(?:\[\s*(?:…|\.{3,}|⋯+)\s*\]|…+|\.{3,}|⋯+)\s*/u
/** Maximum length of the span of a quote with ellipses, relative to the quote. */
const MOST_STRETCHED = 6
/** Shorter quotes occur in many turns by chance. */
const LEAST_ELSEWHERE = { spaced: 12, unspaced: 5 }

interface Folded {
  readonly text: string
  /** For each character of `text`, where its source begins and ends. */
  readonly starts: readonly number[]
  readonly ends: readonly number[]
}

/**
 * Finds a quote in a turn, ignoring case, width, accents, spaces, punctuation and words left out by an ellipsis.
 *
 * @returns the turn's own words; `null` if it does not contain them
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
    .split(LEFT_OUT)
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
  if (parts.length > 1 && end - start > MOST_STRETCHED * wanted.length) return null
  return text.slice(start, end)
}

/** Keeps the evidence that its turn contains, in the turn's own words. */
export function standingEvidence(evidence: readonly Evidence[], turns: readonly Turn[]): Evidence[] {
  return evidence.flatMap(({ turn: id, quote }): Evidence[] => {
    const turn = turns.find((turn) => turn.id === id)
    if (turn === undefined) return []
    if (quote === null) return [{ turn: id, quote }]
    const words = locateQuote(turn.text, quote)
    return words === null ? [] : [{ turn: id, quote: words }]
  })
}

/**
 * Corrects inexact quotes, and the turn of misattributed ones. Evidence that cannot be found stays for grounding to
 * refuse.
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

/** Finds the only turn that contains a quote too long for chance. */
function locateElsewhere(quote: string, turns: readonly Turn[]): Evidence | null {
  const words = fold(quote).text
  const least = UNSPACED.test(words) ? LEAST_ELSEWHERE.unspaced : LEAST_ELSEWHERE.spaced
  if (words.length < least) return null
  const holding = turns.flatMap((turn) => {
    const found = locateQuote(turn.text, quote)
    return found === null ? [] : [{ turn: turn.id, quote: found }]
  })
  return holding.length === 1 ? (holding[0] ?? null) : null
}

/** Reduces a text to normalised letters and digits, with offsets into the source. */
function fold(text: string): Folded {
  const folded: string[] = []
  const starts: number[] = []
  const ends: number[] = []
  let index = 0
  for (const character of text) {
    const end = index + character.length
    if (isKept(character, text[index - 1], text[end])) {
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

function isKept(character: string, before: string | undefined, after: string | undefined): boolean {
  if (KEPT.test(character)) return true
  return IN_NUMBER.test(character) && DIGIT.test(before ?? '') && DIGIT.test(after ?? '')
}

/** Finds whole words: "art" is not in "party". Scripts without spaces match anywhere. */
function findWords(source: Folded, text: string, words: string, from: number): number {
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
