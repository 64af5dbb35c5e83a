import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { ImportError } from '../import-error.ts'
import type { PlacedTurn } from '../import-source.ts'
import type { FileHolds, ReadingNews, ReadingWork, RefusedFile } from './reading-messages.ts'

/** Runs the source in development, and the built file with its own extension otherwise. */
const THREAD = new URL(`./reading-thread${extname(fileURLToPath(import.meta.url))}`, import.meta.url)

export interface ReadingLimits {
  /** Milliseconds to read the whole file, and for each batch afterwards. 120,000 when absent. */
  readonly patienceMs?: number
  readonly memoryMb?: number
}

export class RefusedFileError extends ImportError {
  readonly format: RefusedFile['format']

  constructor({ message, question, format }: RefusedFile) {
    super(message, question)
    this.format = format
  }
}

/**
 * Reads a file in a worker thread, bounded in time and memory, so that no content can block the process.
 *
 * @example
 * const reading = new FileReading({ descriptor, name: 'chat.txt', settings })
 * try {
 *   const holds = await reading.holds
 *   for await (const placed of reading.turns()) …
 * } finally {
 *   await reading.close()
 * }
 */
export class FileReading {
  readonly #worker: Worker
  readonly #name: string
  readonly #limits: Required<ReadingLimits>
  #answer = Promise.withResolvers<ReadingNews>()
  /** The file's contents, read in full. @throws RefusedFileError, also when time or memory is exceeded */
  readonly holds: Promise<FileHolds>

  constructor(work: ReadingWork, limits: ReadingLimits = {}) {
    this.#name = work.name
    this.#limits = { patienceMs: 120_000, memoryMb: 512, ...limits }
    this.#worker = new Worker(THREAD, {
      workerData: work,
      resourceLimits: { maxOldGenerationSizeMb: this.#limits.memoryMb },
    })
    this.#worker.on('message', (news: ReadingNews) => this.#answer.resolve(news))
    this.#worker.on('error', (error) => this.#answer.reject(this.#failureOf(error)))
    this.#worker.on('exit', () =>
      this.#answer.reject(new ImportError(`Reading ${this.#name} was interrupted.`)),
    )
    this.holds = this.#hear().then((news) => {
      if ('holds' in news) return news.holds
      throw new TypeError('The thread that reads a file gave turns before it said what the file holds.')
    })
    // Closing early cancels the request.
    this.holds.catch(() => undefined)
  }

  /** The turns in order, read batch by batch on demand. After {@link holds}. */
  async *turns(): AsyncGenerator<PlacedTurn> {
    for (;;) {
      this.#answer = Promise.withResolvers<ReadingNews>()
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      this.#worker.postMessage('next')
      const news = await this.#hear()
      if (!('turns' in news)) throw new TypeError('The thread that reads a file gave no turns.')
      yield* news.turns
      if (news.isLast) return
    }
  }

  /** Ends the thread at any point. The file can be closed afterwards. */
  async close(): Promise<void> {
    this.#answer.promise.catch(() => undefined)
    await this.#worker.terminate()
  }

  async #hear(): Promise<Exclude<ReadingNews, { refused: unknown }>> {
    const { patienceMs } = this.#limits
    const late = setTimeout(() => {
      const seconds = Math.round(patienceMs / 1_000)
      this.#answer.reject(this.#refusal(`could not be read within ${seconds} seconds. Split it`))
      void this.#worker.terminate()
    }, patienceMs)
    try {
      const news = await this.#answer.promise
      if ('refused' in news) throw new RefusedFileError(news.refused)
      return news
    } finally {
      clearTimeout(late)
    }
  }

  #failureOf(error: Error): Error {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_WORKER_OUT_OF_MEMORY') return error
    return this.#refusal(`needs more than the ${this.#limits.memoryMb} MB allowed for reading it. Split it`)
  }

  #refusal(problem: string): RefusedFileError {
    return new RefusedFileError({ message: `${this.#name} ${problem}.`, question: null, format: null })
  }
}
