import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'

/** Names of all holders in this process that are not released. One process may open several stores. */
const holdersOfThisProcess = new Set<string>()

/** Identifies a store in this process as the holder of claims. Other processes can check whether the holder still runs. */
export interface ProcessHolder {
  readonly name: string
  /** Marks the holder as dead: it holds no claims any more. */
  release(): void
}

/** Makes a holder. Its name consists of the machine, the process id and a random part. */
export function makeHolder(): ProcessHolder {
  const name = [hostname(), process.pid, randomUUID()].join('/')
  holdersOfThisProcess.add(name)
  return { name, release: () => holdersOfThisProcess.delete(name) }
}

/** Whether the process of a holder still runs; `unknown` if it runs on another machine. */
export function stateOfHolder(name: string): 'alive' | 'dead' | 'unknown' {
  if (holdersOfThisProcess.has(name)) return 'alive'
  const [host, pid] = name.split('/')
  if (host !== hostname()) return 'unknown'
  // The name is not in `holdersOfThisProcess`, so an earlier process had this id and has ended. In a container the id is always 1.
  if (pid === String(process.pid)) return 'dead'
  return isRunning(Number(pid)) ? 'alive' : 'dead'
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: the process runs under another account.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
