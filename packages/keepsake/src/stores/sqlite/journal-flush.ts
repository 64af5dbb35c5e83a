import { close, fdatasync, openSync } from 'node:fs'
import { promisify } from 'node:util'
import { StoreError } from '../../errors/store-error.ts'

/** Brings a file's data to the disk. */
type Sync = (file: number) => Promise<void>

/**
 * Brings the journal to the disk, off this thread: who waits is told when everything that was committed before it asked is there. One
 * flush does for all who asked while the one before it ran, so that many writers at a time wait for the disk together.
 *
 * As safe as SQLite's own flush at each commit: the journal is written in order, and nothing of it is overwritten before a checkpoint
 * has flushed both files. A commit can be read before it is on the disk; nobody was told of it then.
 */
export class JournalFlush {
  readonly #name: string
  readonly #sync: Sync
  #file: number | null = null
  #running: Promise<void> | null = null
  #next: Promise<void> | null = null
  #failure: StoreError | null = null

  /** @param name the database's file, which is in WAL mode and stays open */
  constructor(name: string, sync: Sync = promisify(fdatasync)) {
    this.#name = name
    this.#sync = sync
  }

  /**
   * Resolves when what was committed is on the disk.
   *
   * @throws StoreError `store-failed` when the disk refused, and ever after: what is written behind a gap would be lost with it.
   */
  flush(): Promise<void> {
    if (this.#running === null) return this.#begin()
    // The one that runs may have begun before the commit.
    this.#next ??= this.#running.then(
      () => this.#begin(),
      () => this.#begin(),
    )
    return this.#next
  }

  /** Waits for what runs, and lets go of the journal. Before the database is closed. */
  async close(): Promise<void> {
    await (this.#next ?? this.#running)?.catch(() => undefined)
    const file = this.#file
    this.#file = null
    if (file !== null) await promisify(close)(file)
  }

  #begin(): Promise<void> {
    this.#next = null
    const running = this.#flushOnce().finally(() => {
      if (this.#running === running) this.#running = null
    })
    this.#running = running
    return running
  }

  async #flushOnce(): Promise<void> {
    if (this.#failure !== null) throw this.#failure
    try {
      // There since the first commit, and the same file for as long as the database is open. Windows flushes only what may be written.
      this.#file ??= openSync(`${this.#name}-wal`, 'r+')
      await this.#sync(this.#file)
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause)
      this.#failure = new StoreError(
        'store-failed',
        `The store "${this.#name}": what was written did not reach the disk (${reason}). Whether it is kept is not known. Check the disk, then open the store again.`,
        { cause, details: { file: this.#name } },
      )
      throw this.#failure
    }
  }
}
