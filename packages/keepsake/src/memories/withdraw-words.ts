import { findTerms, isEnglishFunctionWord, splitSentences } from '@keepsake/text'

/** Words that occur in every statement. */
const SCAFFOLDING = new Set(findTerms('user agent assistant 用户 助手'))

/** Returns content words: no function words, digits or names of the subject. */
function tellingTerms(texts: readonly string[], names: readonly string[]): Set<string> {
  const known = new Set(names.flatMap(findTerms))
  return new Set(
    texts.flatMap(findTerms).filter(
      (term) =>
        !known.has(term) &&
        !SCAFFOLDING.has(term) &&
        !/^\d+$/.test(term) &&
        // One character of Chinese stands in half of all sentences; two together tell.
        !/^\p{Script=Han}$/u.test(term) &&
        !isEnglishFunctionWord(term),
    ),
  )
}

/**
 * A text that a model wrote, without the sentences that may tell what was dropped: any that share a telling word with
 * it. Rather too many sentences go than too few.
 *
 * @param told what was dropped, in its own words
 * @param names of those it is about, who are told of elsewhere too
 * @returns `null` when it cannot be told which sentences they are, or none is left: then the text goes whole
 */
export function withoutTelling(
  text: string,
  told: readonly string[],
  names: readonly string[],
): string | null {
  return withoutSentences(text, tellsAnyOf(told, names))
}

/** Returns a test for words that share a content word with the deleted text. */
export function tellsAnyOf(told: readonly string[], names: readonly string[]): (words: string) => boolean {
  const terms = tellingTerms(told, names)
  return (words) => findTerms(words).some((term) => terms.has(term))
}

/** Keeps the sentences of a text that share no content word with the deleted texts; empty when none remain. */
export function restWithout(text: string, told: readonly string[]): string {
  const tells = tellsAnyOf(told, [])
  if (!splitSentences(text).some((sentence) => tells(sentence.text))) return text
  return withoutSentences(text, tells) ?? ''
}

/** Summaries put many things into one sentence, with semicolons between. */
const CLAUSE_END = /(?<=[；;])\s*/u

/** What was a clause and now ends the sentence gets its full stop. */
function joinParts(parts: readonly string[]): string {
  const isHan = parts.some((part) => /\p{Script=Han}/u.test(part))
  const joined = parts.join(isHan ? '' : ' ').trim()
  return joined.replace(/[；;]$/u, isHan ? '。' : '.')
}

/** The text without some of its sentences or clauses, line by line; `null` when none goes or none is left. */
export function withoutSentences(text: string, goes: (sentence: string) => boolean): string | null {
  let isCut = false
  const lines = text.split('\n').flatMap((line) => {
    const parts = splitSentences(line).flatMap((sentence) => sentence.text.split(CLAUSE_END))
    const kept = parts.filter((part) => !goes(part))
    isCut ||= kept.length < parts.length
    return kept.length === 0 ? [] : [joinParts(kept)]
  })
  return isCut && lines.length > 0 ? lines.join('\n') : null
}
