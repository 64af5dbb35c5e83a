const WIDTHS = { t: 5, s: 3, g: 4, q: 4 } as const

/**
 * An id that tells a system under test nothing but the order: `t00001` for a turn, `s001` a session, `g0001` a gold
 * memory, `q0001` a question.
 *
 * @param number from 1
 */
export function opaqueId(kind: keyof typeof WIDTHS, number: number): string {
  return `${kind}${String(number).padStart(WIDTHS[kind], '0')}`
}
