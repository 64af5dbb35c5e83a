import type { Draw } from '../metrics/seeded-draw.ts'

/** What an attacker has: one ordinary key, and some seconds. */
export interface Assault {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly draw: Draw
  /** When it is over, by `performance.now()`. */
  readonly until: number
  /** A request as JSON; how it was answered is counted. */
  readonly send: (method: string, path: string, body?: unknown) => Promise<Response | null>
}

/** The worst that one key can do of a kind. Each comes back when its time is over. */
export interface Attack {
  readonly name: string
  /** What is done, in a sentence. */
  readonly about: string
  readonly run: (assault: Assault) => Promise<void>
}

/** Does something again and again, several at a time, until the time is over; each at least once, however long it took to begin. */
export async function again(
  { until }: Assault,
  atATime: number,
  once: (index: number) => Promise<unknown>,
): Promise<void> {
  let index = 0
  const lane = async (): Promise<void> => {
    do await once(index++)
    while (performance.now() < until)
  }
  await Promise.all(Array.from({ length: atATime }, lane))
}
