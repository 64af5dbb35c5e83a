/** Joins patterns into one that matches where any of them does. At the same place, earlier patterns win. */
export function joinPatterns(patterns: readonly RegExp[], flags: string): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join('|'), flags)
}
