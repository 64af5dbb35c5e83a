import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { threadTime, watchHolds } from './watch-holds.ts'

/** By the clock that is watched: what other threads of this process do meanwhile is none of it. */
function spin(milliseconds: number): void {
  const until = threadTime() + milliseconds
  while (threadTime() < until);
}

it('tells how long the event loop was held, and begins anew', async () => {
  const holds = watchHolds()
  await sleep(20)
  for (let turn = 0; turn < 3; turn += 1) {
    spin(40)
    await sleep(5)
  }
  const { longestMs, long } = holds()
  expect(longestMs).toBeGreaterThanOrEqual(35)
  expect(long).toBeGreaterThanOrEqual(3)
  // A busy machine holds the loop by itself now and then.
  await expect.poll(() => holds().longestMs).toBeLessThan(35)
})
