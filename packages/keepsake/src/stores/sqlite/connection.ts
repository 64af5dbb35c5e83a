import { setTimeout as sleep } from 'node:timers/promises'
import { ClosedError } from '../../errors/closed-error.ts'
import type { CheckpointThread } from './checkpoint-thread.ts'
import type { JournalFlush } from './journal-flush.ts'
import type { LongReader } from './long-reader.ts'
import type { LongWriter, Steps } from './long-writer.ts'
import type { Sql } from './sql.ts'
import { sqliteCode, translateError } from './translate-error.ts'

/**
 * Between two tries while another process holds the file. It does so for fractions of a millisecond mostly, so that whoever waits asks
 * again at once; of many who wait one asks each millisecond, and whoever has asked often asks less often.
 */
const LONGEST_WAIT_MS = 20
const PATIENT_AFTER = 8
/** SQLite's numbers for `synchronous`. From the next on, each commit waits for the disk by itself. */
const NORMAL = 1

/**
 * An open file. SQLite answers at once, on this thread: what is run does its whole work in one go, so
 * calls never interleave within a transaction. While another process holds the file, a call waits by a timer and is tried again, and
 * everything else in this process goes on.
 */
export class Connection {
  readonly name: string
  readonly sql: Sql
  readonly #patienceMs: number
  readonly #journal: JournalFlush | null
  readonly #checkpoints: Pick<CheckpointThread, 'stop'> | null
  /** Calls whose commits are not yet known to be on the disk. */
  readonly #flushing = new Set<Promise<unknown>>()
  /** `synchronous` as it was set for this file, and as it stands: set anew only when a call needs it otherwise. */
  readonly #setTo: number
  #stands: number
  #isClosing = false
  /** Calls that wait for another process. */
  #held = 0
  #long: LongWriter | null = null
  #reader: LongReader | null = null

  /**
   * @param patienceMs how long a call waits for other processes
   * @param journal waits for the disk; `null`: each commit does so by itself, where it is set to
   * @param checkpoints copies the journal back into the file; `null`: whoever commits does
   */
  constructor(
    sql: Sql,
    patienceMs = 0,
    journal: JournalFlush | null = null,
    checkpoints: Pick<CheckpointThread, 'stop'> | null = null,
  ) {
    this.name = sql.database.name
    this.sql = sql
    this.#patienceMs = patienceMs
    this.#journal = journal
    this.#checkpoints = checkpoints
    this.#setTo = Number(sql.database.pragma('synchronous', { simple: true }))
    this.#stands = this.#setTo
  }

  get isOpen(): boolean {
    return this.sql.database.open && !this.#isClosing
  }

  /** Has those who write by this connection wait for what another one of this process writes. */
  waitFor(long: LongWriter): void {
    this.#long = long
  }

  /** Has whoever reads the same file in steps closed before this is. */
  closesAfter(reader: LongReader): void {
    this.#reader = reader
  }

  /** @throws ClosedError, or what SQLite threw, told as an error of the store. */
  run<Result>(work: (sql: Sql) => Result): Result {
    if (!this.isOpen) throw new ClosedError()
    try {
      this.#waitForDisk(this.#setTo)
      return work(this.sql)
    } catch (error) {
      throw translateError(error, this.name)
    }
  }

  /**
   * As `run`, and again while another process holds the file, until the patience ends. What is run must be all or nothing.
   * @throws StoreError `store-busy` then
   */
  call<Result>(work: (sql: Sql) => Result): Promise<Result> {
    return this.#call((sql) => {
      this.#waitForDisk(this.#setTo)
      return work(sql)
    })
  }

  /** As `call`, for what only reads. */
  read<Result>(work: (sql: Sql) => Result): Promise<Result> {
    return this.#call(work)
  }

  async #call<Result>(work: (sql: Sql) => Result): Promise<Result> {
    const deadline = performance.now() + this.#patienceMs
    for (let tries = 0; ; tries += 1) {
      if (!this.isOpen) throw new ClosedError()
      try {
        return work(this.sql)
      } catch (error) {
        if (!isHeld(error) || performance.now() >= deadline) throw translateError(error, this.name)
      }
      await (this.#long?.ending ?? this.#waitInLine(tries))
    }
  }

  async #waitInLine(tries: number): Promise<void> {
    this.#held += 1
    await sleep(Math.min(LONGEST_WAIT_MS, this.#held + tries / PATIENT_AFTER))
    this.#held -= 1
  }

  /**
   * Runs one transaction in steps: all of them or nothing. Nothing else may write by this connection meanwhile.
   *
   * @param between awaited after each step
   * @throws StoreError `store-busy` where another process holds the file for too long; what the steps throw
   */
  async callInSteps<Result>(
    work: (sql: Sql) => Steps<Result>,
    between: () => Promise<void>,
  ): Promise<Result> {
    await this.callWithoutFlush(({ database }) => database.exec('BEGIN IMMEDIATE'))
    return this.#takeSteps(work, between)
  }

  /** The same of what only reads: it sees the file as it stood at its first step. */
  async readInSteps<Result>(
    work: (sql: Sql) => Steps<Result>,
    between: () => Promise<void>,
  ): Promise<Result> {
    await this.read(({ database }) => database.exec('BEGIN'))
    return this.#takeSteps(work, between)
  }

  async #takeSteps<Result>(work: (sql: Sql) => Steps<Result>, between: () => Promise<void>): Promise<Result> {
    const { database } = this.sql
    try {
      const steps = work(this.sql)
      for (;;) {
        const step = steps.next()
        if (step.done === true) {
          database.exec('COMMIT')
          return step.value
        }
        await between()
      }
    } catch (error) {
      if (database.inTransaction) database.exec('ROLLBACK')
      this.sql.numbers.clear()
      throw translateError(error, this.name)
    }
  }

  /** For what need not outlive a failure of power: in WAL mode a commit does not wait for the disk; the next that does takes it along. */
  callWithoutFlush<Result>(work: (sql: Sql) => Result): Promise<Result> {
    return this.#call((sql) => {
      this.#waitForDisk(Math.min(NORMAL, this.#setTo))
      return work(sql)
    })
  }

  #waitForDisk(level: number): void {
    if (this.#stands === level) return
    this.sql.database.pragma(`synchronous = ${level}`)
    this.#stands = level
  }

  /**
   * As `call`; what was committed is on the disk when it is answered, as far as the file is set to that. The disk is waited for off this thread
   * and out of the transaction, by all who wait at the same time together.
   */
  async callDurably<Result>(work: (sql: Sql) => Result): Promise<Result> {
    return this.#journal === null ? this.call(work) : this.whenFlushed(this.callWithoutFlush(work))
  }

  /** What was written to this file's journal, by whichever connection of this process, once it is on the disk. */
  async whenFlushed<Result>(written: Promise<Result>): Promise<Result> {
    const flushing = written.then(async (result) => {
      await this.#journal?.flush()
      return result
    })
    this.#flushing.add(flushing)
    try {
      return await flushing
    } finally {
      this.#flushing.delete(flushing)
    }
  }

  /** Takes no more calls, and closes the file when nobody waits for the disk. */
  async close(): Promise<void> {
    this.#isClosing = true
    await Promise.allSettled(this.#flushing)
    await this.#long?.close()
    await this.#reader?.close()
    await this.#journal?.close()
    await this.#checkpoints?.stop()
    this.sql.database.close()
  }

  /** As `run`, for work that waits in between. */
  async wait<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result> {
    return this.#long === null ? this.#wait(work) : this.#long.without(() => this.#wait(work))
  }

  async #wait<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result> {
    if (!this.isOpen) throw new ClosedError()
    try {
      this.#waitForDisk(this.#setTo)
      return await work(this.sql)
    } catch (error) {
      throw translateError(error, this.name)
    }
  }

  /** A method of the store that reads: runs a function with what it is given. */
  reading<Given extends unknown[], Result>(
    work: (sql: Sql, ...given: Given) => Result,
  ): (...given: Given) => Promise<Result> {
    return (...given) => this.read((sql) => work(sql, ...given))
  }

  /** The same of one that may write, durably. */
  method<Given extends unknown[], Result>(
    work: (sql: Sql, ...given: Given) => Result,
  ): (...given: Given) => Promise<Result> {
    return (...given) => this.callDurably((sql) => work(sql, ...given))
  }
}

function isHeld(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED)/.test(sqliteCode(error) ?? '')
}
