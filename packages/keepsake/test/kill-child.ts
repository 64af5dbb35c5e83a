import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Runs a script in a process of its own, kills it with SIGKILL some time after its first line or a later one, and gives the
 * whole lines it had printed. A line that is there was acknowledged; one cut off was not.
 *
 * @param script a .ts or .js file. It prints `ready` once it is about to begin.
 * @param afterMs milliseconds from that line to the kill.
 * @param lines how many lines are waited for before: 1 is `ready`. On a busy machine nothing may be done by a time, however long.
 * @throws Error when the script ends by itself, with what it wrote to stderr: it was to run until killed.
 */
export async function runUntilKilled(
  script: string,
  args: readonly string[],
  afterMs: number,
  lines = 1,
): Promise<string[]> {
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  let complained = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complained += text))
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text))
  const closed = once(child, 'close')
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  child.stdout.on('data', () => {
    if (printed.split('\n').length > lines) begin()
  })
  await Promise.race([begun, closed])
  await Promise.race([sleep(afterMs), closed])
  const wasRunning = child.exitCode === null
  child.kill('SIGKILL')
  await closed
  if (!wasRunning) throw new Error(`${script} ended by itself with ${child.exitCode}: ${complained}`)
  return printed.split('\n').slice(0, -1)
}

/** Runs a script to its end and gives its lines. @throws Error when it fails. */
export async function runToEnd(script: string, args: readonly string[]): Promise<string[]> {
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  let complained = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complained += text))
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text))
  await once(child, 'close')
  if (child.exitCode !== 0) throw new Error(`${script} ended with ${child.exitCode}: ${complained}`)
  return printed.split('\n').slice(0, -1)
}
