import { onTestFinished } from 'vitest'
import { openMemory, type Keepsake, type OpenOptions } from '../src/index.ts'

/** Opens a memory (kept nowhere unless a path is given) and closes it when the test is over. */
export async function openForTest(options: OpenOptions = {}): Promise<Keepsake> {
  const keepsake = await openMemory({ path: ':memory:', ...options })
  onTestFinished(() => keepsake.close())
  return keepsake
}

/** A clock that stands still until it is moved. */
export function stoppedClock(start = '2024-03-04T10:00:00Z') {
  let time = Date.parse(start)
  return {
    now: () => time,
    forward: (milliseconds: number) => {
      time += milliseconds
    },
  }
}
