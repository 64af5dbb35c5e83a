import type { Quantity } from './read-quantities.ts'

interface ComparedQuantities {
  readonly agreed: readonly Quantity[]
  readonly conflicting: readonly { readonly expected: Quantity; readonly found: Quantity }[]
  /** Expected, without another number in its place. */
  readonly missing: readonly Quantity[]
}

/**
 * Compares numbers and parts of dates one by one. A number conflicts when the other text has one of the same kind in its place: of the same
 * unit or of none, and not itself expected.
 */
export function compareQuantities(
  expected: readonly Quantity[],
  found: readonly Quantity[],
): ComparedQuantities {
  const agreed: Quantity[] = []
  const conflicting: { expected: Quantity; found: Quantity }[] = []
  const missing: Quantity[] = []
  for (const one of expected) {
    if (hasQuantity(found, one)) {
      if (!one.isOptional) agreed.push(one)
      continue
    }
    const rival = found.find((other) => couldReplace(one, other) && !hasQuantity(expected, other))
    if (rival !== undefined) conflicting.push({ expected: one, found: rival })
    else if (!one.isOptional) missing.push(one)
  }
  return { agreed, conflicting, missing }
}

/** `2 dog`, `month 3`. */
export function showQuantity({ kind, value, unit }: Quantity): string {
  return kind === 'number' ? [value, unit ?? ''].join(' ').trim() : `${kind} ${value}`
}

/** Whether a number or part of a date is among others, whatever is counted. */
export function hasQuantity(all: readonly Quantity[], { kind, value }: Quantity): boolean {
  return all.some((one) => one.kind === kind && one.value === value)
}

function couldReplace(one: Quantity, other: Quantity): boolean {
  if (one.kind !== other.kind) return false
  if (one.unit === other.unit)
    return one.unit !== null || !(one.isOptional || other.isOptional) || one.kind === 'half-day'
  return (one.unit === null || other.unit === null) && !one.isOptional && !other.isOptional
}
