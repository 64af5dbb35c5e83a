import { stemmer } from '@orama/stemmers/english'
import { baseOf } from './irregular-forms.ts'

/** Maximum words in the cache before it is cleared. A full cache takes about 4 MB. A user's vocabulary is a few thousand words. */
const MAX_CACHED_WORDS = 50_000
/** Maximum letters of an English word. Longer runs are not stemmed. */
const LONGEST_WORD = 40

let cache = new Map<string, string>()

/**
 * Returns the Snowball English stem of a lower-case word of Latin letters.
 * “Moved”, “moving” and “moves” become “move”, irregular forms their base, and “colour” becomes “color”.
 * Other Latin-script languages get the same rules on both sides of a search, which does little harm.
 *
 * @example
 * stemEnglish('running') // 'run'
 */
export function stemEnglish(word: string): string {
  if (word.length < 3 || word.length > LONGEST_WORD) return word
  const cached = cache.get(word)
  if (cached !== undefined) return cached
  const stem = withOneSpelling(stemmer(baseOf(word)))
  if (cache.size >= MAX_CACHED_WORDS) cache = new Map()
  cache.set(word, stem)
  return stem
}

/** Unifies British and American spelling. Both sides of a search change alike, so “hour” and “four” are safe. */
function withOneSpelling(stem: string): string {
  return stem.length < 5 ? stem : stem.replace('our', 'or')
}
