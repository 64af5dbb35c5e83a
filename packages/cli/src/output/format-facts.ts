import type { Memory } from 'keepsake'
import { shortId } from '../find-memory.ts'
import { formatDay } from './format-quantity.ts'
import { printable, wrap, type Style } from './style.ts'

/** What is known besides the persona sheet: facts that fit none of its keys. */
export function besidesSheet(facts: readonly Memory[]): Memory[] {
  return facts.filter((fact) => fact.form === 'fact' && fact.key === null)
}

/** Facts for people, newest first: a line each, under a title; an empty string where there are none. */
export function formatFacts(
  title: string,
  facts: readonly Memory[],
  style: Style,
  options: { readonly limit: number; readonly indent?: string },
): string {
  if (facts.length === 0) return ''
  const indent = options.indent ?? ''
  const shown = facts.toSorted((one, other) => other.validFrom - one.validFrom).slice(0, options.limit)
  const lines = shown.map((fact) => {
    const text = fact.validUntil === null ? printable(fact.text) : style.dim(printable(fact.text))
    return wrap(
      `${text} ${style.dim(shortId(fact.id))}`,
      style.width,
      `${indent}  ${style.dim(formatDay(fact.validFrom))}  `,
      ' '.repeat(indent.length + 14),
    )
  })
  const rest = facts.length - shown.length
  const more = rest > 0 ? [style.dim(`${indent}  … and ${rest} more: keepsake list --forms fact`)] : []
  return [`${indent}${style.bold(title)}`, ...lines, ...more].join('\n')
}
