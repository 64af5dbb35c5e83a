/** What a memory whose importance nobody judged (a story unit, an import) counts as: the middle of 1 to 10. */
export const UNJUDGED_IMPORTANCE = 5.5

/** A judged importance, 1 (mundane) to 10 (extremely important), as a share from 0 to 1. */
export function shareOfImportance(importance: number | null): number {
  return (Math.min(10, Math.max(1, importance ?? UNJUDGED_IMPORTANCE)) - 1) / 9
}
