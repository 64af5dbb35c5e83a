import type { Draw } from '../metrics/seeded-draw.ts'

/**
 * Something that goes wrong while a memory is at work. One file each in `kinds/`, listed in `all-faults.ts`; `bench faults`
 * tries each of them again and again with seeds of their own.
 *
 * @example
 * export const fullDisk: Fault = {
 *   name: 'full-disk',
 *   about: 'The disk is full for a while.',
 *   async try({ folder, draw }) {
 *     const promised = new Promised()
 *     … // do it; promised.keep('ana', text) for what was acknowledged
 *     return { tried: { refused_writes: 3 }, broken: await findBroken({ path, promised }) }
 *   },
 * }
 */
export interface Fault {
  /** `kill-server`: a slice of the report. */
  readonly name: string
  /** What is done, in a sentence. */
  readonly about: string
  /** Why it cannot be tried on this machine, in a sentence; `null`: it can. Always when absent. */
  readonly lacks?: () => Promise<string | null>
  /** Does it once. What it starts is ended, and what it opens closed, when it returns. */
  readonly try: (trial: Trial) => Promise<Outcome>
}

/** One time that something goes wrong. */
export interface Trial {
  /** An empty folder of its own, removed afterwards. */
  readonly folder: string
  /** All chance of a trial, so that it can be done again. Times of processes are not in its hands. */
  readonly draw: Draw
  readonly seed: number
}

export interface Outcome {
  /** What was done, counted: `{ kills: 1, cut_off_requests: 4 }`. A trial in which nothing was tried shows nothing. */
  readonly tried: Readonly<Record<string, number>>
  /** What does not hold afterwards and should, a sentence each. */
  readonly broken: readonly string[]
}
