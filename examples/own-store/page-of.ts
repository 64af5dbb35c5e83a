import type * as kit from 'keepsake/store-kit'

interface Page {
  readonly newestFirst?: boolean | undefined
  readonly limit?: number | undefined
}

/** The first of what is in order, or the last. */
export function pageOf<Row>(rows: readonly Row[], { newestFirst = false, limit }: Page): Row[] {
  return (newestFirst ? rows.toReversed() : [...rows]).slice(0, limit)
}

/** How many there are of every status, form and type, in a fixed order. */
export function countKinds(memories: readonly kit.Memory[]): kit.MemoryCount[] {
  const counted = new Map<string, kit.MemoryCount>()
  for (const { status, form, type } of memories) {
    const kind = [status, form, type].join(' ')
    counted.set(kind, { status, form, type, count: (counted.get(kind)?.count ?? 0) + 1 })
  }
  return [...counted].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, count]) => count)
}
