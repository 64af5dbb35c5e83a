import type { Quantity } from './read-quantities.ts'

interface ComparedQuantities {
  readonly agreed: readonly Quantity[]
  readonly conflicting: readonly { readonly expected: Quantity; readonly found: Quantity }[]
  /** Expected quantities that are not found and have no other number in their place. */
  readonly missing: readonly Quantity[]
}

/** Compares quantities. A quantity conflicts if the found text has another of the same kind and unit in its place. */
export function compareQuantities(
  expected: readonly Quantity[],
  found: readonly Quantity[],
): ComparedQuantities {
  const agreed: Quantity[] = []
  const conflicting: { expected: Quantity; found: Quantity }[] = []
  const missing: Quantity[] = []
  for (const quantity of expected) {
    if (hasQuantity(found, quantity)) {
      if (!quantity.isOptional) agreed.push(quantity)
      continue
    }
    const rival = found.find((other) => couldReplace(quantity, other) && !hasQuantity(expected, other))
    if (rival !== undefined) conflicting.push({ expected: quantity, found: rival })
    else if (!quantity.isOptional) missing.push(quantity)
  }
  return { agreed, conflicting, missing }
}

/** Shows a quantity for a judge's reason, such as `2 dog` or `month 3`. */
export function showQuantity({ kind, value, unit }: Quantity): string {
  return kind === 'number' ? [value, unit ?? ''].join(' ').trim() : `${kind} ${value}`
}

/** Reports whether quantities contain one of this kind and value. The unit does not matter. */
export function hasQuantity(quantities: readonly Quantity[], { kind, value }: Quantity): boolean {
  return quantities.some((quantity) => quantity.kind === kind && quantity.value === value)
}

/** Reports whether another quantity is acceptable instead of the expected one. */
function couldReplace(expected: Quantity, other: Quantity): boolean {
  if (expected.kind !== other.kind) return false
  const isEitherOptional = expected.isOptional || other.isOptional
  if (expected.unit === other.unit)
    return expected.unit !== null || !isEitherOptional || expected.kind === 'half-day'
  return (expected.unit === null || other.unit === null) && !isEitherOptional
}
