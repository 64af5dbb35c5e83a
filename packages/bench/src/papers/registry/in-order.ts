import type { PaperItem } from './paper.ts'

const KINDS = ['table', 'figure', 'section', 'appendix'] as const

/** Tables, then figures, then results in the text; each kind by number. */
export function inOrder(items: readonly PaperItem[]): readonly PaperItem[] {
  const kindOf = ({ id }: PaperItem): number => KINDS.findIndex((kind) => id.startsWith(kind))
  return items.toSorted(
    (one, other) => kindOf(one) - kindOf(other) || one.id.localeCompare(other.id, 'en', { numeric: true }),
  )
}
