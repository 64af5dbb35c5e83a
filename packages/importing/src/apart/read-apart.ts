import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { ImportError } from '../import-error.ts'
import type { PlacedTurn } from '../import-source.ts'
import type { FileHolds, ReadingNews, ReadingWork, RefusedFile } from './reading-messages.ts'

/** Runs the source in development, and the built file with its own extension otherwise. */
const THREAD = new URL(`./reading-thread${extname(fileURLToPath(import.meta.url))}`, import.meta.url)

/** Limits of a thread that reads a file. */
export interface ReadingLimits {
  /** Milliseconds to read the whole file once, and then for each batch of turns. Default 120,000. */
  readonly patienceMs?: number
  /** Megabytes of memory. Default 512. */
  readonly memoryMb?: number
}

/** The error for a file that cannot be read within its limits, or not at all. */
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
  /** The thread's next message. */
  #nextMessage = Promise.withResolvers<ReadingNews>()
  /** A survey of the file, which was read in full. @throws RefusedFileError, also if time or memory is exceeded */
  readonly holds: Promise<FileHolds>

  constructor(work: ReadingWork, limits: ReadingLimits = {}) {
    this.#name = work.name
    this.#limits = { patienceMs: 120_000, memoryMb: 512, ...limits }
    this.#worker = new Worker(THREAD, {
      workerData: work,
      resourceLimits: { maxOldGenerationSizeMb: this.#limits.memoryMb },
    })
    this.#worker.on('message', (message: ReadingNews) => this.#nextMessage.resolve(message))
    this.#worker.on('error', (error) => this.#nextMessage.reject(this.#failureOf(error)))
    this.#worker.on('exit', () =>
      this.#nextMessage.reject(new ImportError(`Reading ${this.#name} was interrupted.`)),
    )
    this.holds = this.#receive().then((message) => {
      if ('holds' in message) return message.holds
      throw new TypeError(
        'The thread that reads a file sent turns before it reported the contents of the file.',
      )
    })
    // A caller that closes early may not wait for the survey, whose rejection must not end the process.
    this.holds.catch(() => undefined)
  }

  /** Returns the turns in order, read batch by batch on demand. Callers await {@link holds} before. */
  async *turns(): AsyncGenerator<PlacedTurn> {
    for (;;) {
      this.#nextMessage = Promise.withResolvers<ReadingNews>()
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      this.#worker.postMessage('next')
      const message = await this.#receive()
      if (!('turns' in message)) throw new TypeError('The thread that reads a file sent no turns.')
      yield* message.turns
      if (message.isLast) return
    }
  }

  /** Ends the thread at any point. The file can be closed afterwards. */
  async close(): Promise<void> {
    this.#nextMessage.promise.catch(() => undefined)
    await this.#worker.terminate()
  }

  /** Waits for the thread's next message. Ends the thread if the message is late. */
  async #receive(): Promise<Exclude<ReadingNews, { refused: unknown }>> {
    const { patienceMs } = this.#limits
    const timer = setTimeout(() => {
      const seconds = Math.round(patienceMs / 1_000)
      this.#nextMessage.reject(this.#refusal(`could not be read within ${seconds} seconds. Split it`))
      void this.#worker.terminate()
    }, patienceMs)
    try {
      const message = await this.#nextMessage.promise
      if ('refused' in message) throw new RefusedFileError(message.refused)
      return message
    } finally {
      clearTimeout(timer)
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
