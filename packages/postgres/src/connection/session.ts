import type { SqlPart } from './sql-part.ts'

/** Rows as arrays of their columns: half the time of objects. */
export type Cells = readonly unknown[]

export interface Answer {
  readonly rows: readonly Cells[]
  readonly columns: readonly string[]
  /** Rows that the statement wrote or read. */
  readonly count: number
}

/**
 * One connection to Postgres while somebody has it to himself. Statements run in the order in which they are given; what is
 * given without waiting in between goes to the server together.
 */
export interface Session {
  /** Runs one statement with what is bound in it. */
  ask(statement: SqlPart): Promise<Answer>
  /** Runs statements of the code's own, in which nothing is bound, in one go. */
  command(text: string): Promise<void>
  /**
   * Which life of the server this is: another one after it stopped, crashed or was replaced, each of which cuts its connections.
   * Sent like a statement, the first time.
   */
  life(): Promise<string>
}

/** Where sessions come from. */
export interface Sessions {
  /** Shown in messages: the address without what is secret in it. */
  readonly name: string
  /** A session for as long as `work` lasts. One that was cut is not given out again. */
  use<Result>(work: (session: Session) => Promise<Result>): Promise<Result>
  /** Has `listener` called when the server turns out to live another life than before, ahead of what is asked of it then. */
  onNewLife?(listener: () => void): void
  /**
   * Hears what is notified on a channel, on a connection of its own that is made again when it is cut; and hears an empty text once it
   * listens, and listens again. @returns what ends it
   */
  listen(channel: string, hear: (payload: string) => void): Promise<() => Promise<void>>
  close(): Promise<void>
}
