/** How long this process's event loop was held: from one look at what waits to the next, by the processor time of this thread. */
export interface Holds {
  /** Milliseconds of processor time; what the machine did meanwhile does not count. */
  readonly longestMs: number
  /** How many were of over 20 milliseconds. */
  readonly long: number
}

const LOOK_EVERY_MS = 1
const LONG_MS = 20

/** Watches from now on. @returns what tells of the holds until then, and begins anew */
export function watchHolds(): () => Holds {
  let [longestMs, long] = [0, 0]
  let before = threadTime()
  const look = (): void => {
    const now = threadTime()
    const held = now - before
    before = now
    longestMs = Math.max(longestMs, held)
    if (held > LONG_MS) long += 1
    setTimeout(look, LOOK_EVERY_MS).unref()
  }
  look()
  return () => {
    const holds = { longestMs, long }
    longestMs = long = 0
    return holds
  }
}

/** Of this thread in milliseconds; of the whole process where Node does not tell them apart (before 22.19). */
export function threadTime(): number {
  const { user, system } =
    typeof process.threadCpuUsage === 'function' ? process.threadCpuUsage() : process.cpuUsage()
  return (user + system) / 1_000
}
