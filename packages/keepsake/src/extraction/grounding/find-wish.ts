// Checks whether the user's words support a request to forget that a model read. Rules (`hearRequests`) find fewer requests.
import { maskUnspoken, splitSentences, withoutNonRequests } from '@keepsake/text'
import { matchAnyOf } from './word-lists.ts'
import words from './wishes.json' with { type: 'json' }

/** Match words that are part of any wish to forget, such as “erase” or “secret”. They show that a request is possible. */
const POSSIBLE_EN = matchAnyOf(words.possibleEnglish)
const POSSIBLE_ZH = matchAnyOf(words.possibleChinese, '')

/** Match words that usually ask to forget, such as “off the record”. One such sentence is enough for its turn. */
const LIKELY_EN = matchAnyOf(words.likelyEnglish)
const LIKELY_ZH = matchAnyOf(words.likelyChinese, '')

/** Checks whether a text may ask to forget something. */
export function mayAskToForget(text: string): boolean {
  return POSSIBLE_EN.test(text) || POSSIBLE_ZH.test(text)
}

/** Checks whether a text likely asks to forget something. */
export function likelyAsksToForget(text: string): boolean {
  const candidates = withoutNonRequests(text)
  return LIKELY_EN.test(candidates) || LIKELY_ZH.test(candidates)
}

/**
 * Checks whether a turn supports a request to forget that a model read. Its quoted sentence may ask for it, or another
 * sentence likely does. Text that the user quotes or pastes is ignored.
 *
 * @param quote words of the turn; `null` for the whole turn
 */
export function supportsForgetRequest(text: string, quote: string | null): boolean {
  const spoken = maskUnspoken(text)
  const index = quote === null ? 0 : text.indexOf(quote)
  if (index < 0) return false
  const spokenQuote = spoken.slice(index, index + (quote ?? text).length)
  if (!/[\p{L}\p{N}]/u.test(spokenQuote)) return false
  if (likelyAsksToForget(spoken)) return true
  return quote !== null && mayAskToForget(sentencesOfQuote(spoken, spokenQuote))
}

/** Returns the sentences that contain a part of a quote. */
function sentencesOfQuote(text: string, quote: string): string {
  const start = text.indexOf(quote)
  const end = start + quote.length
  const sentences = splitSentences(text).filter(
    (sentence) => sentence.start < end && sentence.start + sentence.text.length > start,
  )
  return sentences.map((sentence) => sentence.text).join(' ')
}
