/** Joins patterns into one, which matches what any of them matches. At the same place, the earlier pattern wins. */
export function joinPatterns(patterns: readonly RegExp[], flags: string): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join('|'), flags)
}
