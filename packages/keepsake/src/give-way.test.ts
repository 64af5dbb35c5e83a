import { describe, expect, it } from 'vitest'
import { giveWay, givingWay } from './give-way.ts'

/** As long as a step may hold the thread, and a little. */
function holdThread(): void {
  const until = performance.now() + 5
  while (performance.now() < until);
}

describe('giving way for work that somebody waits for', () => {
  it('goes on through small pieces though others stand in line, and lets them go first once it held the thread', async () => {
    holdThread()
    const order: string[] = []
    const others = Array.from({ length: 10 }, async () => {
      await giveWay()
      order.push('other')
    })
    const give = givingWay()
    for (let piece = 0; piece < 100; piece += 1) await give()
    order.push('pieces')
    holdThread()
    await give()
    order.push('held')
    await Promise.all(others)
    expect(order).toEqual(['pieces', ...Array.from({ length: 10 }, () => 'other'), 'held'])
  })
})
