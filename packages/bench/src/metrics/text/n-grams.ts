/** Stands between the words of an n-gram's key; no word segment holds it. */
const SEPARATOR = '\u0000'

/** The runs of `size` words of a text, in order, repeats included. */
export function nGramsOf(words: readonly string[], size: number): string[] {
  const grams: string[] = []
  for (let at = 0; at + size <= words.length; at++) grams.push(words.slice(at, at + size).join(SEPARATOR))
  return grams
}

/** How often each comes. */
export function countEach(items: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1)
  return counts
}

/** How many of `candidate` are in `reference`, each counted at most as often as it is there. */
export function countMatches(candidate: readonly string[], reference: readonly string[]): number {
  const left = countEach(reference)
  let matches = 0
  for (const item of candidate) {
    const remaining = left.get(item) ?? 0
    if (remaining === 0) continue
    matches++
    left.set(item, remaining - 1)
  }
  return matches
}
