/** A turn that supports a memory, and the words in it that do. */
export interface Evidence {
  readonly turn: string
  /** The supporting words as they stand in the turn; `null` for the whole turn. */
  readonly quote: string | null
}

/** Evidence that a memory does not rest on yet, each once. */
export function freshEvidence(
  fact: { readonly evidence: readonly Evidence[] },
  told: readonly Evidence[],
): Evidence[] {
  const nameOf = ({ turn, quote }: Evidence): string => JSON.stringify([turn, quote])
  const known = new Set(fact.evidence.map(nameOf))
  return [...new Map(told.map((one) => [nameOf(one), one]))].flatMap(([name, one]) =>
    known.has(name) ? [] : [one],
  )
}
