import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'

/** Per process; several stores and servers may run in it. */
const alive = new Set<string>()

/** Who holds something that is to be done once, in a form that another process can tell alive from dead. */
export interface ProcessHolder {
  readonly name: string
  /** Says that nothing is held under this name any more. */
  release(): void
}

/** Names this process: machine, process and a random part. */
export function makeHolder(): ProcessHolder {
  const name = [hostname(), process.pid, randomUUID()].join('/')
  alive.add(name)
  return { name, release: () => alive.delete(name) }
}

/**
 * Whether the process of a name still runs: `dead` when it ran on this machine and its process is gone, `unknown` when it ran
 * on another. A process id that is ours with a name that is not was that of an earlier process (in a container it is always 1).
 */
export function stateOfHolder(name: string): 'alive' | 'dead' | 'unknown' {
  if (alive.has(name)) return 'alive'
  const [host, pid] = name.split('/')
  if (host !== hostname()) return 'unknown'
  if (pid === String(process.pid)) return 'dead'
  return isRunning(Number(pid)) ? 'alive' : 'dead'
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it runs, under another account.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
