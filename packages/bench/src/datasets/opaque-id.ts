const WIDTHS = { t: 5, s: 3, g: 4, q: 4 } as const

/** An id that reveals only the order: `t00001` for a turn, `s001` a session, `g0001` a gold memory, `q0001` a question. */
export function opaqueId(kind: keyof typeof WIDTHS, number: number): string {
  return `${kind}${String(number).padStart(WIDTHS[kind], '0')}`
}

/** Generates the ids of one conversation in order, counting each kind separately. */
export function opaqueIds(first = 1): (kind: keyof typeof WIDTHS) => string {
  const next = { t: first, s: first, g: first, q: first }
  return (kind) => opaqueId(kind, next[kind]++)
}
