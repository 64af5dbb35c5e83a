// Defines the profile, the few facts before every context.

/** The sections of a profile, in order. `health` includes diet and allergies, and `now` is what is going on. */
export const PROFILE_SLOTS = ['name', 'health', 'home', 'work', 'family', 'now'] as const
export type ProfileSlot = (typeof PROFILE_SLOTS)[number]

export interface ProfileLine {
  readonly slot: ProfileSlot
  /** Facts in plain words: “lives in Lyon”. */
  readonly text: string
  /** Ids of the facts. */
  readonly memories: readonly string[]
  readonly evidence: readonly { readonly turn: string }[]
  /** Start of the newest fact of the line, in milliseconds since 1970. */
  readonly validFrom: number
}

/** The few facts before every context, one line for each section of which something is known. */
export interface Profile {
  readonly lines: readonly ProfileLine[]
}
