import { findTermsAgain, onOneLine, splitSentences, type CountTokens, type Sentence } from '@keepsake/text'

/** Characters of the beginning that a shortened turn keeps: enough to tell what was being talked about. */
const BEGINNING = 64
const LEFT_OUT = '…'
const HAN = /\p{Script=Han}/u

export interface ClipOptions {
  /** Terms of the question: a sentence that holds them is kept before others. */
  readonly terms: ReadonlySet<string>
  /** What the shortened text may cost. Its beginning is kept even where that alone costs more. */
  readonly tokens: number
  readonly countTokens: CountTokens
}

/** The first words of a text, cut between words. */
function beginningOf(text: string): string {
  if (text.length <= BEGINNING * 1.25) return text
  if (HAN.test(text.slice(0, BEGINNING))) return text.slice(0, BEGINNING).toWellFormed()
  const space = text.indexOf(' ', BEGINNING)
  return space < 0 || space > BEGINNING * 1.5 ? text.slice(0, BEGINNING).toWellFormed() : text.slice(0, space)
}

/** How many different terms of the question a sentence holds. */
export function countAsked(text: string, terms: ReadonlySet<string>): number {
  return new Set(findTermsAgain(text).filter((term) => terms.has(term))).size
}

/** Sentences by what they hold of the question, then those that say most. */
function byWorth(sentences: readonly Sentence[], terms: ReadonlySet<string>): Sentence[] {
  return sentences
    .map((sentence) => ({
      sentence,
      asked: countAsked(sentence.text, terms),
      says: findTermsAgain(sentence.text).length,
    }))
    .sort((one, other) => other.asked - one.asked || other.says - one.says)
    .map(({ sentence }) => sentence)
}

/**
 * A turn's words shortened to a budget: its beginning, and the sentences that bear most on the question, in the order
 * they were said. Whole when it fits.
 *
 * @example
 * clipTurn('So, about the weekend. We walked. I lost my keys at the mill.', { terms: new Set(['key']), tokens: 14, countTokens })
 * // 'So, about the weekend. … I lost my keys at the mill.'
 */
export function clipTurn(text: string, { terms, tokens, countTokens }: ClipOptions): string {
  const plain = onOneLine(text)
  if (countTokens(plain) <= tokens) return plain
  const beginning = beginningOf(plain)
  const rest = splitSentences(plain).flatMap((sentence) => afterwards(sentence, beginning.length))
  let spent = countTokens(beginning)
  const kept: Sentence[] = []
  for (const sentence of byWorth(rest, terms)) {
    const cost = countTokens(`${LEFT_OUT} ${sentence.text}`)
    if (spent + cost > tokens) continue
    kept.push(sentence)
    spent += cost
  }
  return joinParts(beginning, kept, plain)
}

/** What of a sentence comes after a place in the text, so that the rest of one that was cut may still be kept. */
function afterwards({ text, start }: Sentence, from: number): Sentence[] {
  if (start >= from) return [{ text, start }]
  const rest = text.slice(from - start)
  const trimmed = rest.trim()
  return trimmed === '' ? [] : [{ text: trimmed, start: from + rest.indexOf(trimmed) }]
}

function joinParts(beginning: string, kept: readonly Sentence[], whole: string): string {
  let text = beginning
  let end = beginning.length
  for (const { text: sentence, start } of kept.toSorted((one, other) => one.start - other.start)) {
    const isNext = whole.slice(end, start).trim() === ''
    text += isNext ? ` ${sentence}` : ` ${LEFT_OUT} ${sentence}`
    end = start + sentence.length
  }
  return end < whole.length ? `${text} ${LEFT_OUT}` : text
}
