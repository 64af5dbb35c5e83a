import type { ForgettingTalk, TalkUnit } from './forgetting-talk.ts'

/** A memory that forgets. Every system that has this interface is measured in the same way. */
export interface ForgettingSystem {
  readonly name: string
  start(talk: ForgettingTalk): ForgettingRun | Promise<ForgettingRun>
}

/** The memory of one talk, from the first session on. */
export interface ForgettingRun {
  /** Recalls for the user's turn of a unit, which reinforces memories. Then stores the unit. */
  hear(unit: TalkUnit): void | Promise<void>
  /** Ends the session and applies the policy. @returns the ids of the remaining units */
  endSession(session: number): ReadonlySet<string> | Promise<ReadonlySet<string>>
  /** Finds units that are still remembered, best first, without reinforcing them. @returns their ids */
  ask(question: string): readonly string[] | Promise<readonly string[]>
  close(): void | Promise<void>
}
