/** Words that strengthen what a Chinese sentence says. */
const CHINESE_INTENSIFIERS =
  /非常|特别|特別|超级|超級|极了|極了|太|真的|简直|簡直|居然|竟然|气死|氣死|天啊|天哪|哇/gu
/** Set by hand, not trained: an intensifier counts as half an exclamation mark, three at most. */
const INTENSIFIER_SHARE = 0.5
const MOST_INTENSIFIERS = 3
/** As much of a text as is read, in UTF-16 units. */
const MAX_LENGTH = 2000

/**
 * What can be told of arousal without knowing a language: whether there is an exclamation mark, several, a
 * question mark, both together, an ellipsis, a drawn-out letter.
 */
export function measureMarks(text: string): number[] {
  const plain = text.slice(0, MAX_LENGTH).normalize('NFKC')
  const has = (pattern: RegExp): number => (pattern.test(plain) ? 1 : 0)
  return [has(/!/), has(/!.*!/s), has(/\?/), has(/!\?|\?!/), has(/\.{3}|。。/), has(/(\p{L})\1\1/iu)]
}

/**
 * Arousal of a text that the word table cannot read. The marks' weights are fitted on EmoBank's English train
 * split; that marks mean the same elsewhere, and the intensifiers' weight, are assumptions.
 */
export function markArousal(
  text: string,
  marks: { readonly intercept: number; readonly weights: readonly number[] },
): number {
  const intensifiers = Math.min(
    MOST_INTENSIFIERS,
    text.slice(0, MAX_LENGTH).match(CHINESE_INTENSIFIERS)?.length ?? 0,
  )
  const exclamation = marks.weights[0] ?? 0
  return measureMarks(text).reduce(
    (sum, value, at) => sum + value * (marks.weights[at] ?? 0),
    marks.intercept + intensifiers * INTENSIFIER_SHARE * exclamation,
  )
}
