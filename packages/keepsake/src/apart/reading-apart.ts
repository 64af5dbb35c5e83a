import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ReadingResults, ReadingTask } from './reading-tasks.ts'
import { ThreadError, ThreadPool } from './thread-pool.ts'

/** A thread takes half a second of a processor to start: it is, once so many rounds were read, for there are most likely more. */
const WORTH_STARTING = 512
/** A piece of fewer rounds costs less to read than to hand over. */
const WORTH_HANDING_OVER = 4

/** Source files are run as they are, built ones under their own ending. */
const WORKER = new URL(`./reading-worker${extname(fileURLToPath(import.meta.url))}`, import.meta.url)

/** All memories of a process share their threads. */
let shared: ThreadPool | undefined

/** Hands pieces of reading to threads, so that recalls are answered meanwhile. */
export class ReadingApart {
  readonly #pool: () => Pick<ThreadPool, 'run'>
  #rounds = 0

  constructor(pool: () => Pick<ThreadPool, 'run'> = () => (shared ??= new ThreadPool(WORKER))) {
    this.#pool = pool
  }

  /**
   * Has a thread do a piece.
   *
   * @param rounds how many it is of
   * @returns `null` where it is to be done here: it is small, there was little so far, or there is no thread
   */
  async read<Kind extends ReadingTask['kind']>(
    task: Extract<ReadingTask, { kind: Kind }>,
    rounds: number,
  ): Promise<ReadingResults[Kind] | null> {
    this.#rounds += rounds
    if (rounds < WORTH_HANDING_OVER || this.#rounds < WORTH_STARTING) return null
    try {
      return ((await this.#pool().run(task)) ?? null) as ReadingResults[Kind] | null
    } catch (error) {
      if (error instanceof ThreadError) return null
      throw error
    }
  }
}
