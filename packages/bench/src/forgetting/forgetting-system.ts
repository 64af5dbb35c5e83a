import type { ForgettingTalk, TalkUnit } from './forgetting-talk.ts'

/** What the harness needs of a memory that forgets, so that others can be measured the same way. */
export interface ForgettingSystem {
  readonly name: string
  /** Starts with nothing remembered. The talk is the one that will be heard. */
  start(talk: ForgettingTalk): ForgettingRun | Promise<ForgettingRun>
}

/** One talk's memory, from the first session on. */
export interface ForgettingRun {
  /** A unit is said: its user's turn is put to recall, reinforcing what comes up, and then the unit is stored. */
  hear(unit: TalkUnit): void | Promise<void>
  /** The session ends and the policy lets go. Answers the ids of the units still held. */
  endSession(session: number): ReadonlySet<string> | Promise<ReadonlySet<string>>
  /** Ids of units held, best first, without reinforcing. */
  ask(question: string): readonly string[] | Promise<readonly string[]>
  close(): void | Promise<void>
}
