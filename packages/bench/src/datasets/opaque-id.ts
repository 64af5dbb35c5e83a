/** Number of digits of an id, by kind. */
const WIDTHS = { t: 5, s: 3, g: 4, q: 4 } as const

/** Makes an id that reveals only the order: `t00001` (turn), `s001` (session), `g0001` (gold memory), `q0001` (question). */
export function opaqueId(kind: keyof typeof WIDTHS, number: number): string {
  return `${kind}${String(number).padStart(WIDTHS[kind], '0')}`
}

/** Generates the ids of one conversation in order, counting each kind separately. */
export function opaqueIds(first = 1): (kind: keyof typeof WIDTHS) => string {
  const next = { t: first, s: first, g: first, q: first }
  return (kind) => opaqueId(kind, next[kind]++)
}
