import { ebbinghaus, moom, type MoomOptions } from '@keepsake/papers'
import type { Variant } from '../reproduce/by-variants.ts'

const variant = (row: string, beside: string | null, options: MoomOptions): Variant => {
  return { row, beside, preset: (form) => moom({ ...form, ...options }) }
}

/** MOOM's Table 2: one branch, the other, both. */
export const BRANCHES: readonly Variant[] = [
  variant('moom, plot alone', 'NSB Only', { branches: 'plot' }),
  variant('moom, persona alone', 'PCB Only', { branches: 'persona' }),
  variant('moom', 'MOOM', {}),
]

/** The paper's, without a named unit; here characters. */
const CAPACITIES = [2_000, 3_000, 6_000, 10_000] as const

/** MOOM's Figures 3 and 7: three ways to forget at each capacity, and no forgetting. */
export const CAPACITY_VARIANTS: readonly Variant[] = [
  ...CAPACITIES.flatMap((characters) => {
    const at = `${characters / 1_000}k`
    return [
      variant(`with inhibition, ${at}`, null, { characters }),
      variant(`without inhibition, ${at}`, null, { characters, inhibits: false }),
      byCurve(`Ebbinghaus curve, ${at}`, { characters }),
    ]
  }),
  variant('without a limit', null, { characters: Number.POSITIVE_INFINITY }),
]

/** The Ebbinghaus curve in the place of competition and inhibition. */
function byCurve(row: string, options: MoomOptions): Variant {
  return {
    row,
    beside: null,
    preset: (form) => ({
      ...moom({ ...form, ...options, inhibits: false }),
      policy: ebbinghaus({ unit: 'days' }),
    }),
  }
}
