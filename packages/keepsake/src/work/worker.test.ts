import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ChangeNote, Claim } from '../store/store.ts'
import { Worker, type WorkerTasks } from './worker.ts'

/** A change that queued no work. */
const NOTE: ChangeNote = { userId: 7, sequence: 0, turns: [], erasures: 0, hasJobs: false }

/** Jobs of people by number, each of them held by one at a time, as a store's claims have it. */
function queueOfPeople() {
  const waiting: number[] = []
  const held = new Map<number, Promise<void>>()
  async function hold<Result>(owner: number, work: (claim: Claim) => Promise<Result>): Promise<Result> {
    const at = waiting.indexOf(owner)
    if (at >= 0) waiting.splice(at, 1)
    const { promise, resolve } = Promise.withResolvers<void>()
    held.set(owner, promise)
    try {
      return await work({ id: `claim-${owner}`, userId: owner, scopes: [], jobs: [] })
    } finally {
      held.delete(owner)
      resolve()
    }
  }
  return {
    waiting,
    claims: {
      async next(work: (claim: Claim) => Promise<void>) {
        const owner = waiting.find((one) => !held.has(one))
        if (owner === undefined) return waiting.length > 0 ? ('held' as const) : ('nothing' as const)
        await hold(owner, work)
        return 'claimed' as const
      },
      async once(owner: number, work: (claim: Claim) => Promise<void>) {
        if (held.has(owner)) return 'held' as const
        await hold(owner, work)
        return 'claimed' as const
      },
      async of<Result>(owner: number, work: (claim: Claim) => Promise<Result>): Promise<Result> {
        while (held.has(owner)) await held.get(owner)
        return hold(owner, work)
      },
    },
  }
}

/** Work that goes on until it is opened. */
function gate() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { done: promise, open: () => resolve() }
}

function start(tasks: Partial<WorkerTasks> = {}) {
  const consolidated: number[] = []
  const reported: unknown[] = []
  const { waiting, claims } = queueOfPeople()
  const next = vi.spyOn(claims, 'next')
  const worker = new Worker({
    claims,
    consolidate: async ({ userId: owner }) => void consolidated.push(owner),
    embed: async () => undefined,
    writeUsage: async () => undefined,
    report: (error) => void reported.push(error),
    concurrency: 1,
    ...tasks,
  })
  /** Queues a job of a person, and says so. */
  const wake = (owner: number): void => {
    if (!waiting.includes(owner)) waiting.push(owner)
    worker.wake({ owner })
  }
  return { worker, wake, waiting, consolidated, reported, next }
}

beforeEach(() =>
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] }),
)
afterEach(() => vi.useRealTimers())

/** Lets the clock run, and what is due be done. */
const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds)

describe('a person whose memory is asked', () => {
  it('is worked for between any two who came before', async () => {
    const { worker, wake, consolidated } = start()
    for (let newcomer = 1; newcomer <= 6; newcomer += 1) wake(newcomer)
    wake(100)
    worker.markActive(100)
    await pass(40)
    expect(consolidated).toEqual([100, 1, 2, 3, 4, 5, 6])
  })

  it('is not kept from it by others who are asked, nor are those who are not', async () => {
    const { worker, wake, consolidated } = start()
    for (let newcomer = 1; newcomer <= 4; newcomer += 1) wake(newcomer)
    for (const present of [100, 101, 102]) {
      wake(present)
      worker.markActive(present)
    }
    await pass(40)
    expect(consolidated).toEqual([100, 1, 101, 2, 102, 3, 4])
  })
})

describe('a person who is woken', () => {
  it('is consolidated once for a burst, after its last', async () => {
    const { wake, consolidated } = start()
    for (let burst = 0; burst < 3; burst += 1) {
      wake(1)
      await pass(30)
    }
    expect(consolidated).toEqual([])
    await pass(10)
    expect(consolidated).toEqual([1])
    await pass(10_000)
    expect(consolidated).toEqual([1])
  })

  it('is held off by a steady stream for a second and no longer', async () => {
    const { wake, consolidated } = start()
    wake(1)
    for (let waited = 25; waited <= 1_000; waited += 25) {
      await pass(25)
      wake(2)
    }
    await pass(1)
    wake(1)
    await pass(38)
    expect(consolidated).toEqual([])
    await pass(1)
    expect(consolidated).toEqual([1, 2])
  })

  it('is held off anew once the first stream was read', async () => {
    const { wake, consolidated } = start()
    wake(1)
    await pass(40)
    await pass(5_000)
    wake(1)
    await pass(30)
    wake(1)
    await pass(30)
    expect(consolidated).toEqual([1])
    await pass(10)
    expect(consolidated).toEqual([1, 1])
  })

  it('goes on at once after what runs when it is woken meanwhile', async () => {
    const held = gate()
    const seen: number[] = []
    const { wake } = start({
      consolidate: async ({ userId: owner }) => {
        seen.push(owner)
        if (seen.length === 1) await held.done
      },
    })
    wake(1)
    await pass(40)
    wake(1)
    await pass(500)
    expect(seen).toEqual([1])
    held.open()
    await pass(0)
    expect(seen).toEqual([1, 1])
  })

  it('is found after a burst where the store notifies of it, and not looked for where no work was queued', async () => {
    const { worker, waiting, consolidated } = start()
    let notify = (_note: ChangeNote | null): void => undefined
    const ended: string[] = []
    worker.begin({
      watch: (listener) => {
        notify = listener
        return () => void ended.push('ended')
      },
    })
    await pass(100)
    waiting.push(7)
    notify({ ...NOTE, hasJobs: true })
    await pass(39)
    expect(consolidated).toEqual([])
    await pass(1)
    expect(consolidated).toEqual([7])
    waiting.push(8)
    notify(NOTE)
    await pass(500)
    expect(consolidated).toEqual([7])
    notify(null)
    await pass(40)
    expect(consolidated).toEqual([7, 8])
    await worker.stop()
    expect(ended).toEqual(['ended'])
  })

  it('is worked on beside as many others as there are lanes', async () => {
    const held = gate()
    const seen: number[] = []
    const { wake } = start({
      consolidate: async ({ userId: owner }) => {
        seen.push(owner)
        await held.done
      },
      concurrency: 2,
    })
    for (const owner of [1, 2, 3]) wake(owner)
    await pass(40)
    expect(seen).toEqual([1, 2])
    held.open()
    await pass(0)
    expect(seen).toEqual([1, 2, 3])
  })

  it('is worked on in one lane where no other waits', async () => {
    const { wake, consolidated, next } = start({ concurrency: 4 })
    wake(1)
    await pass(40)
    expect(consolidated).toEqual([1])
    // Once for the user, and once that finds nothing.
    expect(next).toHaveBeenCalledTimes(2)
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

describe('stopping', () => {
  it('finishes what runs and takes nothing more', async () => {
    const held = gate()
    const seen: string[] = []
    const { worker, wake } = start({
      consolidate: async ({ userId: owner }) => {
        seen.push(`${owner} begins`)
        await held.done
        seen.push(`${owner} ends`)
      },
    })
    wake(1)
    wake(2)
    await pass(40)
    const stopped = worker.stop().then(() => seen.push('stopped'))
    wake(3)
    held.open()
    await stopped
    await pass(10_000)
    expect(seen).toEqual(['1 begins', '1 ends', 'stopped'])
  })

  it('begins nothing that only waited', async () => {
    const { worker, wake, consolidated } = start()
    wake(1)
    await worker.stop()
    await pass(10_000)
    expect(consolidated).toEqual([])
  })
})
