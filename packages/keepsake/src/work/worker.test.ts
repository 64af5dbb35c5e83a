import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ScopeRow } from '../scopes/scope.ts'
import { Worker, type WorkerTasks } from './worker.ts'

const rowOf = (scope: number): ScopeRow => {
  return { owner: 1, scope, tenant: 'default', user: 'ana', agent: null, app: null }
}
const [ONE, TWO, THREE] = [rowOf(1), rowOf(2), rowOf(3)]

/** Work that goes on until it is let go. */
function gate() {
  let open: () => void = () => undefined
  const done = new Promise<void>((resolve) => (open = resolve))
  return { done, open: () => open() }
}

function start(tasks: Partial<WorkerTasks> = {}) {
  const consolidated: number[] = []
  const reported: unknown[] = []
  const worker = new Worker({
    consolidate: async (row) => void consolidated.push(row.scope),
    embed: async () => undefined,
    report: (row, error) => reported.push([row?.scope ?? null, error]),
    concurrency: 1,
    ...tasks,
  })
  return { worker, consolidated, reported }
}

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => vi.useRealTimers())

/** Lets the clock run, and what is due be done. */
const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds)

describe('a scope that is woken', () => {
  it('is consolidated after 40 ms of quiet', async () => {
    const { worker, consolidated } = start()
    worker.wake(ONE)
    await pass(39)
    expect(consolidated).toEqual([])
    await pass(1)
    expect(consolidated).toEqual([1])
  })

  it('is consolidated once for a burst, after its last', async () => {
    const { worker, consolidated } = start()
    for (let burst = 0; burst < 3; burst += 1) {
      worker.wake(ONE)
      await pass(30)
    }
    expect(consolidated).toEqual([])
    await pass(10)
    expect(consolidated).toEqual([1])
    await pass(10_000)
    expect(consolidated).toEqual([1])
  })

  it('is held off by a steady stream for a second and no longer', async () => {
    const { worker, consolidated } = start()
    worker.wake(ONE)
    for (let waited = 25; waited <= 1_000; waited += 25) {
      await pass(25)
      worker.wake(TWO)
    }
    await pass(1)
    worker.wake(ONE)
    await pass(38)
    expect(consolidated).toEqual([])
    await pass(1)
    expect(consolidated).toEqual([1, 2])
  })

  it('is held off anew once the first stream was read', async () => {
    const { worker, consolidated } = start()
    worker.wake(ONE)
    await pass(40)
    await pass(5_000)
    worker.wake(ONE)
    await pass(30)
    worker.wake(ONE)
    await pass(30)
    expect(consolidated).toEqual([1])
    await pass(10)
    expect(consolidated).toEqual([1, 1])
  })

  it('goes on at once after what runs when it is woken meanwhile', async () => {
    const held = gate()
    const seen: number[] = []
    const { worker } = start({
      consolidate: async ({ scope }) => {
        seen.push(scope)
        if (seen.length === 1) await held.done
      },
    })
    worker.wake(ONE)
    await pass(40)
    worker.wake(ONE)
    await pass(500)
    expect(seen).toEqual([1])
    held.open()
    await pass(0)
    expect(seen).toEqual([1, 1])
  })

  it('is reported when it fails, and holds up no other', async () => {
    const fault = new Error('a fault')
    const seen: number[] = []
    const { worker, reported } = start({
      consolidate: async ({ scope }) => {
        seen.push(scope)
        if (scope === 1) throw fault
      },
    })
    worker.wake(ONE)
    worker.wake(TWO)
    await pass(40)
    expect([seen, reported]).toEqual([[1, 2], [[1, fault]]])
  })

  it('is worked on beside as many others as there are lanes', async () => {
    const held = gate()
    const seen: number[] = []
    const { worker } = start({
      consolidate: async ({ scope }) => {
        seen.push(scope)
        await held.done
      },
      concurrency: 2,
    })
    for (const row of [ONE, TWO, THREE]) worker.wake(row)
    await pass(40)
    expect(seen).toEqual([1, 2])
    held.open()
    await pass(0)
    expect(seen).toEqual([1, 2, 3])
  })
})

describe('something small', () => {
  it('runs off the caller’s path, and is reported when it fails', async () => {
    const { worker, reported } = start()
    const seen: string[] = []
    worker.later(ONE, async () => void seen.push('done'))
    const fault = new Error('a fault')
    worker.later(TWO, () => Promise.reject(fault))
    expect(seen).toEqual([])
    await worker.drain()
    expect([seen, reported]).toEqual([['done'], [[2, fault]]])
  })
})

describe('missing vectors', () => {
  it('are made once a document and person at a time', async () => {
    const held = gate()
    const asked: unknown[] = []
    const { worker } = start({
      embed: async (owner, documents) => {
        asked.push([owner, documents])
        await held.done
      },
    })
    worker.embedLater(1, ['a', 'b'])
    worker.embedLater(1, ['b', 'c'])
    worker.embedLater(1, ['c'])
    worker.embedLater(2, ['a'])
    worker.embedLater(3, [])
    await new Promise((resolve) => setImmediate(resolve))
    expect(asked).toEqual([
      [1, ['a', 'b']],
      [1, ['c']],
      [2, ['a']],
    ])
    held.open()
    await worker.drain()
    worker.embedLater(1, ['b'])
    await worker.drain()
    expect(asked.slice(3)).toEqual([[1, ['b']]])
  })

  it('are made again when making them failed; nobody’s scope is at fault', async () => {
    const fault = new Error('a fault')
    let calls = 0
    const { worker, reported } = start({
      embed: async () => {
        calls += 1
        if (calls === 1) throw fault
      },
    })
    worker.embedLater(1, ['a'])
    await worker.drain()
    worker.embedLater(1, ['a'])
    await worker.drain()
    expect([calls, reported]).toEqual([2, [[null, fault]]])
  })

  it('are given up when the worker stops, and not begun after', async () => {
    const stopped: boolean[] = []
    const { worker } = start({
      embed: async (_owner, _documents, isStopped) => {
        stopped.push(isStopped())
        await new Promise((resolve) => setImmediate(resolve))
        stopped.push(isStopped())
      },
    })
    worker.embedLater(1, ['a'])
    await new Promise((resolve) => setImmediate(resolve))
    await worker.stop()
    expect(stopped).toEqual([false, true])
    worker.embedLater(1, ['b'])
    await worker.drain()
    expect(stopped).toHaveLength(2)
  })
})

describe('draining', () => {
  it('does at once what waits, and what that wakes', async () => {
    const { worker, consolidated } = start({
      consolidate: async (row) => {
        consolidated.push(row.scope)
        if (row.scope === 1) worker.later(row, async () => worker.wake(TWO))
      },
    })
    worker.wake(ONE)
    await worker.drain()
    expect(consolidated).toEqual([1, 2])
    await pass(10_000)
    expect(consolidated).toEqual([1, 2])
  })

  it('is over at once when nothing waits', async () => {
    await start().worker.drain()
  })
})

describe('stopping', () => {
  it('finishes what runs and takes nothing more', async () => {
    const held = gate()
    const seen: string[] = []
    const { worker } = start({
      consolidate: async ({ scope }) => {
        seen.push(`${scope} begins`)
        await held.done
        seen.push(`${scope} ends`)
      },
    })
    worker.wake(ONE)
    worker.wake(TWO)
    await pass(40)
    const stopped = worker.stop().then(() => seen.push('stopped'))
    worker.wake(THREE)
    held.open()
    await stopped
    await pass(10_000)
    expect(seen).toEqual(['1 begins', '1 ends', 'stopped'])
  })

  it('begins nothing that only waited', async () => {
    const { worker, consolidated } = start()
    worker.wake(ONE)
    await worker.stop()
    await pass(10_000)
    expect(consolidated).toEqual([])
  })
})
