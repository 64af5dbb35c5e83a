/** Of many cases alike every fourth in the short tests, and all of them in the long ones: `vitest.config.ts` names the files. */
export function someOf<Case>(cases: readonly Case[]): readonly Case[] {
  return process.env['KEEPSAKE_LONG_TESTS'] === undefined ? cases.filter((_, at) => at % 4 === 0) : cases
}
