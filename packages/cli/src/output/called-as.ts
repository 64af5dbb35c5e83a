import type { Io } from '../io.ts'

/**
 * How whoever reads a message can run the command again: `npx keepsake` where npm ran it in a project that holds it, `npx @keepsake/cli` where
 * npm fetched it for this once (its folder of such packages stands ahead in PATH then), else `keepsake`.
 *
 * @example
 * `Make one: ${calledAs(io)} keys create --name my-app`
 */
export function calledAs({ env }: Pick<Io, 'env'>): string {
  if (env['npm_command'] === undefined) return 'keepsake'
  return /[\\/]_npx[\\/]/.test(env['PATH'] ?? env['Path'] ?? '') ? 'npx @keepsake/cli' : 'npx keepsake'
}
