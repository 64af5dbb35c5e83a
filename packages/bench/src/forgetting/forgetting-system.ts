import type { ForgettingTalk, TalkUnit } from './forgetting-talk.ts'

/** The interface of a memory that forgets, so that others can be measured the same way. */
export interface ForgettingSystem {
  readonly name: string
  start(talk: ForgettingTalk): ForgettingRun | Promise<ForgettingRun>
}

/** One talk's memory, from the first session on. */
export interface ForgettingRun {
  /** Processes a unit: its user turn is recalled with reinforcement, and then the unit is stored. */
  hear(unit: TalkUnit): void | Promise<void>
  /** Ends the session and applies the policy. @returns the ids of the remaining units */
  endSession(session: number): ReadonlySet<string> | Promise<ReadonlySet<string>>
  /** Ids of held units, best first, without reinforcing. */
  ask(question: string): readonly string[] | Promise<readonly string[]>
  close(): void | Promise<void>
}
