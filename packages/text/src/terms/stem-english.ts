import { stemmer } from '@orama/stemmers/english'
import { baseOf } from './irregular-forms.ts'

/** Words remembered before the cache starts anew; a person's vocabulary is a few thousand. About 4 MB when full. */
const CACHE_LIMIT = 50_000
/** Longer runs of letters are not English words; stemming them costs time and says nothing. */
const LONGEST_WORD = 40

let cache = new Map<string, string>()

/**
 * The Snowball English stem of a lower-case word of Latin letters: “moved”, “moving” and “moves” meet in “move”,
 * irregular forms in their base, and “colour” in “color”.
 * Words of other Latin-script languages pass the same rules on both sides of a search, which does little harm.
 *
 * @example
 * stemEnglish('running') // 'run'
 */
export function stemEnglish(word: string): string {
  if (word.length < 3 || word.length > LONGEST_WORD) return word
  const known = cache.get(word)
  if (known !== undefined) return known
  const stem = withOneSpelling(stemmer(baseOf(word)))
  if (cache.size >= CACHE_LIMIT) cache = new Map()
  cache.set(word, stem)
  return stem
}

/** People who talk to each other spell differently. On both sides of a search, so that “hour” and “four” take no harm. */
function withOneSpelling(stem: string): string {
  return stem.length < 5 ? stem : stem.replace('our', 'or')
}
