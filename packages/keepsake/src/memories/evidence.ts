/** A turn that supports a memory, and the words in it that do. */
export interface Evidence {
  /** Set where the words put the memory in doubt: they may mean that it is over. */
  readonly against?: boolean
  readonly turn: string
  /** The supporting words of the turn; `null` for the whole turn. */
  readonly quote: string | null
}

function nameOf({ turn, quote, against = false }: Evidence): string {
  return JSON.stringify([turn, quote, against])
}

/** Checks whether the last words on a memory put it in doubt. A later statement of it lifts the doubt. */
export function isQuestioned({ evidence }: { readonly evidence: readonly Evidence[] }): boolean {
  return evidence.at(-1)?.against === true
}

export function eachOnce(evidence: readonly Evidence[]): Evidence[] {
  return [...new Map(evidence.map((source) => [nameOf(source), source])).values()]
}

export function freshEvidence(
  fact: { readonly evidence: readonly Evidence[] },
  added: readonly Evidence[],
): Evidence[] {
  const known = new Set(fact.evidence.map(nameOf))
  return eachOnce(added).filter((source) => !known.has(nameOf(source)))
}

export function evidenceWith(
  fact: { readonly evidence: readonly Evidence[] },
  added: readonly Evidence[],
): Evidence[] {
  return [...fact.evidence, ...freshEvidence(fact, added)]
}
