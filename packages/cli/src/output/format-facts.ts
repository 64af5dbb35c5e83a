import type { Memory } from 'keepsake'
import { shortId } from '../find-memory.ts'
import { formatDay } from './format-quantity.ts'
import { printable, wrap, type Style } from './style.ts'

/** Under the words of a fact, after its day. */
const HANGING = ' '.repeat(14)

/** Returns the facts without a key of the persona sheet. */
export function besidesSheet(facts: readonly Memory[]): Memory[] {
  return facts.filter((fact) => fact.form === 'fact' && fact.key === null)
}

/** Formats facts, newest first, one per line under a title. Returns an empty string for no facts. */
export function formatFacts(title: string, facts: readonly Memory[], limit: number, style: Style): string {
  if (facts.length === 0) return ''
  const shown = facts.toSorted((one, other) => other.validFrom - one.validFrom).slice(0, limit)
  const lines = shown.map(({ id, text, validFrom, validUntil }) => {
    const words = validUntil === null ? printable(text) : style.dim(printable(text))
    return wrap(
      `${words} ${style.dim(shortId(id))}`,
      style.width,
      `  ${style.dim(formatDay(validFrom))}  `,
      HANGING,
    )
  })
  const rest = facts.length - shown.length
  const more = rest > 0 ? [style.dim(`  … and ${rest} more: keepsake list --forms fact`)] : []
  return [style.bold(title), ...lines, ...more].join('\n')
}
