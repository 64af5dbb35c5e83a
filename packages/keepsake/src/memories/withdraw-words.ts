import { findTerms, isEnglishFunctionWord, splitSentences } from '@keepsake/text'

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
const CLAUSE_END = /(?<=[；;])\s*/u

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
    const parts = splitSentences(line).flatMap((sentence) => sentence.text.split(CLAUSE_END))
    const kept = parts.filter((part) => !goes(part))
    isCut ||= kept.length < parts.length
    return kept.length === 0 ? [] : [joinParts(kept)]
  })
  return isCut && lines.length > 0 ? lines.join('\n') : null
}
