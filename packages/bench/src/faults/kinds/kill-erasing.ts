import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Child } from '../../processes/child.ts'
import type { Fault, Outcome, Trial } from '../fault.ts'
import { findBroken } from '../find-broken.ts'
import { ERASER, findErased, readErasing, type EraseWork } from './eraser.ts'

const USERS = ['ana', 'bea']
const ROUNDS = 30
const EARLIEST_MS = 200
const LATEST_MS = 1_500
const LONGEST_STOP_MS = 700

/** Two processes remember and erase on one file, and something happens to the first. */
async function whileErasing(
  { folder, draw, seed }: Trial,
  happen: (first: Child<number>) => Promise<'gone' | 'goes on'>,
): Promise<Outcome> {
  const own = join(folder, 'memory')
  mkdirSync(own)
  const path = join(own, 'memory.db')
  const notesOf = (user: string): string => join(folder, `${user}.jsonl`)
  const children = USERS.map((user, number) => {
    const request = { path, notes: notesOf(user), user, rounds: ROUNDS, seed: seed * 2 + number }
    return new Child<number>(ERASER, request satisfies EraseWork)
  })
  const [first, second] = children as [Child<number>, Child<number>]
  first.started.catch(() => undefined)
  await sleep(draw.whole(EARLIEST_MS, LATEST_MS))
  const state = await happen(first)
  for (const child of state === 'gone' ? [second] : [first, second]) {
    await child.started
    await child.release()
  }
  const broken: string[] = []
  let [acknowledged, erasures] = [0, 0]
  for (const user of USERS) {
    const { promised, erased } = readErasing(notesOf(user))
    acknowledged += promised.size
    erasures += erased.length
    broken.push(...(await findErased(own, path, erased)), ...(await findBroken({ path, promised })))
  }
  return { tried: { acknowledged, erasures }, broken }
}

/** A process is killed while it erases, and another goes on. */
export const killErasing: Fault = {
  name: 'kill-erasing',
  about: 'Two processes remember and erase on one file; one is killed (SIGKILL).',
  async try(trial) {
    const { tried, broken } = await whileErasing(trial, async (first) => {
      await first.kill()
      return 'gone'
    })
    return { tried: { kills: 1, ...tried }, broken }
  },
}

/** A process stands still for a while, with whatever lock it holds. */
export const stopErasing: Fault = {
  name: 'stop-erasing',
  about: 'Two processes remember and erase on one file; one stands still for a while (SIGSTOP).',
  async try(trial) {
    const { tried, broken } = await whileErasing(trial, async (first) => {
      first.signal('SIGSTOP')
      await sleep(trial.draw.whole(1, LONGEST_STOP_MS))
      first.signal('SIGCONT')
      return 'goes on'
    })
    return { tried: { stops: 1, ...tried }, broken }
  },
}
