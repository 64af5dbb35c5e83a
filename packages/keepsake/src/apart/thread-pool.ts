import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'

/** More do not help a memory, whose store is written by one thread. */
const MOST_THREADS = 4

/** As many as leave the caller a processor; none where there is but one. */
export function threadsWorthwhile(processors = availableParallelism()): number {
  return Math.max(0, Math.min(MOST_THREADS, processors - 1))
}

/** What a thread is sent. */
export interface ThreadTask {
  readonly id: number
  readonly given: unknown
}

/** What it says: that it is ready, or what came of a task. */
export type ThreadNews =
  | { readonly ready: true }
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly failure: string }

interface Pending {
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
}

/** A thread that did not do its task: whoever asked does it themself. */
export class ThreadError extends Error {
  override readonly name = 'ThreadError'
}

/** One thread, with what it was asked. It keeps the process alive only while something is. */
class Thread {
  readonly #worker: Worker
  readonly #pending = new Map<number, Pending>()
  readonly #ready = Promise.withResolvers<void>()
  #isReady = false
  isGone = false

  constructor(module: URL) {
    this.#worker = new Worker(module)
    this.#worker.on('message', (news: ThreadNews) => this.#hear(news))
    this.#worker.on('error', (error) => this.#end(error.message))
    this.#worker.on('exit', () => this.#end('it ended'))
    // After the listeners, for one to messages takes hold of the process again.
    this.#worker.unref()
  }

  /** How much it has to do; `null` while it starts. */
  get load(): number | null {
    return this.#isReady ? this.#pending.size : null
  }

  /** Resolves when it can do something, or never will. It keeps the process alive for that long. */
  async ready(): Promise<void> {
    if (this.#isReady || this.isGone) return
    this.#worker.ref()
    await this.#ready.promise
    if (this.#pending.size === 0) this.#worker.unref()
  }

  run(task: ThreadTask): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    this.#pending.set(task.id, { resolve, reject })
    this.#worker.ref()
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    this.#worker.postMessage(task)
    return promise
  }

  #hear(news: ThreadNews): void {
    if ('ready' in news) {
      this.#isReady = true
      this.#ready.resolve()
      return
    }
    const pending = this.#pending.get(news.id)
    this.#pending.delete(news.id)
    if (this.#pending.size === 0) this.#worker.unref()
    if ('result' in news) pending?.resolve(news.result)
    else pending?.reject(new ThreadError(news.failure))
  }

  #end(why: string): void {
    this.isGone = true
    this.#ready.resolve()
    for (const { reject } of this.#pending.values()) reject(new ThreadError(`A thread is gone: ${why}.`))
    this.#pending.clear()
  }
}

/**
 * A few threads that run a module each, started when they are first wanted. Where one cannot be started (a bundle that lacks the
 * module, a limit of the host) or dies, no more are: everything is then done by whoever asks.
 */
export class ThreadPool {
  readonly #module: URL
  readonly #size: number
  #threads: Thread[] | null = null
  #asked = 0

  constructor(module: URL, size = threadsWorthwhile()) {
    this.#module = module
    this.#size = size
  }

  /** Has a thread do a task. @returns `null` where none is ready: do it yourself */
  run(given: unknown): Promise<unknown> | null {
    this.#threads ??= this.#start()
    if (this.#threads.some(({ isGone }) => isGone)) return null
    const free = this.#threads
      .filter(({ load }) => load !== null)
      .toSorted((one, other) => (one.load ?? 0) - (other.load ?? 0))[0]
    if (free === undefined) return null
    this.#asked += 1
    return free.run({ id: this.#asked, given })
  }

  /** Resolves once a thread can take a task, or none ever will: for what is worth waiting for. */
  async ready(): Promise<void> {
    this.#threads ??= this.#start()
    if (this.#threads.length > 0) await Promise.race(this.#threads.map((thread) => thread.ready()))
  }

  #start(): Thread[] {
    try {
      return Array.from({ length: this.#size }, () => new Thread(this.#module))
    } catch {
      // A host without threads: everything is done here.
      return []
    }
  }
}
