/** A turn that supports a memory, and the words in it that do. */
export interface Evidence {
  readonly turn: string
  /** The supporting words as they stand in the turn; `null` for the whole turn. */
  readonly quote: string | null
}

function nameOf({ turn, quote }: Evidence): string {
  return JSON.stringify([turn, quote])
}

/** Evidence without what is named again. */
export function eachOnce(evidence: readonly Evidence[]): Evidence[] {
  return [...new Map(evidence.map((one) => [nameOf(one), one])).values()]
}

/** Evidence that a memory does not rest on yet, each once. */
export function freshEvidence(
  fact: { readonly evidence: readonly Evidence[] },
  told: readonly Evidence[],
): Evidence[] {
  const known = new Set(fact.evidence.map(nameOf))
  return eachOnce(told).filter((one) => !known.has(nameOf(one)))
}

/** What a memory rests on once it was told again. */
export function evidenceWith(
  fact: { readonly evidence: readonly Evidence[] },
  told: readonly Evidence[],
): Evidence[] {
  return [...fact.evidence, ...freshEvidence(fact, told)]
}
