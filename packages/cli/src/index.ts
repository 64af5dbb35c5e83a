import { runCli } from './run-cli.ts'

export { runCli } from './run-cli.ts'
export type { Input, Io, Output } from './io.ts'

/** Runs the command line of this process, for `bin/keepsake.mjs`. */
export async function main(): Promise<void> {
  // A reader that stops early (`keepsake list | head`) is not an error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
    throw error
  })
  const { stdin, stdout, stderr, env } = process
  process.exitCode = await runCli(process.argv.slice(2), { stdin, stdout, stderr, env })
}
