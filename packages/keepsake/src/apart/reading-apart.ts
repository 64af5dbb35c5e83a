import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ReadingResults, ReadingTask } from './reading-tasks.ts'
import { ThreadError, ThreadPool } from './thread-pool.ts'

/** A thread takes half a second of a processor to start: it is, once so many rounds were read, for there are most likely more. */
const WORTH_STARTING = 512
/** A piece of fewer rounds costs less to read than to hand over. */
const WORTH_HANDING_OVER = 4
/** A text of so many characters is worth a thread by itself: it is more than talk, and there may be more of it. */
const LONG = 8_000
/** One of so many is read as much as rounds are, so many characters to a round. */
const LONGISH = 2_000
const CHARACTERS_OF_ROUND = 200

/** Source files are run as they are, built ones under their own ending. */
const WORKER = new URL(`./reading-worker${extname(fileURLToPath(import.meta.url))}`, import.meta.url)

/** All memories of a process share their threads. */
let shared: ThreadPool | undefined

/** Hands pieces of reading to threads, so that recalls are answered meanwhile. */
export class ReadingApart {
  readonly #pool: () => Pick<ThreadPool, 'run' | 'ready'>
  #rounds = 0

  constructor(pool: () => Pick<ThreadPool, 'run' | 'ready'> = () => (shared ??= new ThreadPool(WORKER))) {
    this.#pool = pool
  }

  /**
   * Has a thread do a piece.
   *
   * @param rounds how many it is of
   * @param characters of the longest of their texts: a long one is handed over whatever came before
   * @returns `null` where it is to be done here: it is small, there was little so far, or there is no thread
   */
  async read<Kind extends ReadingTask['kind']>(
    task: Extract<ReadingTask, { kind: Kind }>,
    rounds: number,
    characters = 0,
  ): Promise<ReadingResults[Kind] | null> {
    const isLongish = characters >= LONGISH
    this.#rounds += rounds + (isLongish ? characters / CHARACTERS_OF_ROUND : 0)
    if (characters >= LONG) return this.#hand(task, true)
    if (!(isLongish || rounds >= WORTH_HANDING_OVER) || this.#rounds < WORTH_STARTING) return null
    return this.#hand(task, false)
  }

  async #hand<Kind extends ReadingTask['kind']>(
    task: Extract<ReadingTask, { kind: Kind }>,
    isWaitedFor: boolean,
  ): Promise<ReadingResults[Kind] | null> {
    try {
      const pool = this.#pool()
      if (isWaitedFor) await pool.ready()
      return ((await pool.run(task)) ?? null) as ReadingResults[Kind] | null
    } catch (error) {
      if (error instanceof ThreadError) return null
      throw error
    }
  }
}
