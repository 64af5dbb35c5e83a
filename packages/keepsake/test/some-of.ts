/** Of many similar cases the short tests run every fourth, and the long tests the others: `vitest.config.ts` names the files. */
export function someOf<Case>(cases: readonly Case[]): readonly Case[] {
  const isShort = process.env['KEEPSAKE_LONG_TESTS'] === undefined
  return cases.filter((_, index) => (index % 4 === 0) === isShort)
}
