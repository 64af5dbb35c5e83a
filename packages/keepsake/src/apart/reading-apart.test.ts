import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { getPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { makeTurn } from '../turns/turn-fixture.ts'
import { ReadingApart } from './reading-apart.ts'
import { doReading, type ReadingTask } from './reading-tasks.ts'
import { ThreadError, ThreadPool, threadsWorthwhile } from './thread-pool.ts'

const SIGNALS = {
  kind: 'signals',
  words: [
    { user: 'I got the job!!!', agent: 'How did it go?' },
    { user: '我爬山去了。', agent: '' },
  ],
  history: ['My cat is ill.', 'We moved to Lyon.'],
  historyLength: 2,
} as const satisfies ReadingTask

const FACTS = {
  kind: 'facts',
  segment: {
    scope: 1,
    session: 's1',
    sessionNumber: 1,
    round: 1,
    turns: [
      makeTurn({ id: 't1', text: 'I live in Lyon. Please forget that I like tea. I no longer play chess.' }),
    ],
  },
} as const satisfies ReadingTask

/** Until a thread is ready, a task is for whoever asks. */
async function whenReady(pool: ThreadPool, task: ReadingTask): Promise<unknown> {
  for (;;) {
    const running = pool.run(task)
    if (running !== null) return running
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

const TEXT = `${'I said a word about it. '.repeat(10)}My password is hunter2.`

describe('pieces of reading in a thread', () => {
  it.each([
    { kind: 'secrets', text: TEXT },
    { kind: 'document', text: TEXT },
  ] as const)('come to what they come to here: $kind', async (task) => {
    const pool = new ThreadPool(new URL('./reading-worker.ts', import.meta.url), 1)
    await pool.ready()
    expect(await pool.run(task)).toEqual(await doReading(task))
  })

  it('come to what they come to here', async () => {
    const pool = new ThreadPool(new URL('./reading-worker.ts', import.meta.url), 1)
    expect(await whenReady(pool, SIGNALS)).toEqual(await doReading(SIGNALS))
    expect(await whenReady(pool, FACTS)).toEqual(await doReading(FACTS))
  })

  it.skipIf(process.platform !== 'linux')('leave the processor to the thread that answers', async () => {
    const pool = new ThreadPool(new URL('./reading-worker.ts', import.meta.url), 1)
    await pool.ready()
    const niceOf = (thread: number | string): number | null => {
      try {
        const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8')
        return Number(stat.split(') ').at(-1)?.split(' ')[16])
      } catch {
        // A thread of a test before this one may end between being listed and being read.
        return null
      }
    }
    expect(niceOf(process.pid)).toBe(getPriority())
    expect(readdirSync('/proc/self/task').map(niceOf)).toContain(getPriority() + 10)
  })

  it('are left to whoever asks when no thread can be had', async () => {
    const missing = new ThreadPool(new URL('./no-such-module.ts', import.meta.url), 1)
    await missing.ready()
    expect(missing.run(SIGNALS)).toBeNull()
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(missing.run(SIGNALS)).toBeNull()
    expect(new ThreadPool(new URL('./reading-worker.ts', import.meta.url), 0).run(SIGNALS)).toBeNull()
  })

  it('keep no process alive that has nothing for them to do', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'keepsake-apart-'))
    // A file, for what is evaluated hands its flags on to its threads.
    const script = join(folder, 'ends-by-itself.mjs')
    writeFileSync(
      script,
      `import { ThreadPool } from ${JSON.stringify(new URL('./thread-pool.ts', import.meta.url))}
       const pool = new ThreadPool(new URL(${JSON.stringify(new URL('./reading-worker.ts', import.meta.url))}), 1)
       process.stdout.write(pool.run({ kind: 'secrets', text: '' }) === null ? 'left here' : 'handed over')`,
    )
    const ended = promisify(execFile)(process.execPath, [script], { timeout: 55_000 })
    await expect(ended).resolves.toEqual({ stdout: 'left here', stderr: '' })
    rmSync(folder, { recursive: true })
  })

  it('need a processor besides the caller’s', () => {
    expect([1, 2, 3, 64].map(threadsWorthwhile)).toEqual([0, 1, 2, 4])
  })
})

describe('handing pieces over', () => {
  const asked: unknown[] = []
  const ready = (): Promise<void> => Promise.resolve()
  const pool = { ready, run: async (given: unknown) => (asked.push(given), []) }

  it('begins when there was much to read, and leaves small pieces here', async () => {
    const apart = new ReadingApart(() => pool)
    expect(await apart.read(SIGNALS, 511)).toBeNull()
    expect(await apart.read(SIGNALS, 1)).toBeNull()
    expect(asked).toEqual([])
    expect(await apart.read(SIGNALS, 64)).toEqual([])
    expect(asked).toEqual([SIGNALS])
  })

  it('begins at once with a long text, which waits for a thread to be ready', async () => {
    const done: string[] = []
    const starting = {
      ready: async () => void (await new Promise((resolve) => setTimeout(resolve, 20)), done.push('ready')),
      run: async () => (done.push('run'), []),
    }
    const apart = new ReadingApart(() => starting)
    expect(await apart.read({ kind: 'secrets', text: '' }, 0, 7_999)).toBeNull()
    expect(await apart.read({ kind: 'secrets', text: '' }, 0, 8_000)).toEqual([])
    expect(done).toEqual(['ready', 'run'])
  })

  it('leaves here what a thread could not do, and hides no other failure', async () => {
    const run = async (error: unknown): Promise<never> => {
      throw error
    }
    const failing = (error: unknown) => new ReadingApart(() => ({ ready, run: () => run(error) }))
    expect(await failing(new ThreadError('gone')).read(SIGNALS, 600)).toBeNull()
    await expect(failing(new TypeError('a slip')).read(SIGNALS, 600)).rejects.toThrow('a slip')
  })
})
