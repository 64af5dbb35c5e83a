/** As many as fit into a small integer beside what else is known of a text. */
const BITS = 24

/**
 * A mark of terms: a bit for each, which others may share. Terms that are all among other terms have no bit that the others' mark lacks,
 * so that marks alone tell of nearly all texts that neither repeats the other. 0 of no terms, and of nothing else.
 *
 * @example
 * (markTerms(['lyon']) & ~markTerms(['move', 'lyon'])) === 0 // true
 */
export function markTerms(terms: Iterable<string>): number {
  let mark = 0
  for (const term of terms) mark |= 1 << (hash(term) % BITS)
  return mark
}

/** FNV-1a, 32 bits (Fowler, Noll and Vo). */
function hash(term: string): number {
  let value = 0x811c9dc5
  for (let at = 0; at < term.length; at += 1) value = Math.imul(value ^ term.charCodeAt(at), 0x01000193)
  return value >>> 0
}
