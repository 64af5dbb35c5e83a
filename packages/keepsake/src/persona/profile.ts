/** What a profile tells of, in its order. */
export const PROFILE_SLOTS = ['name', 'health', 'home', 'work', 'family', 'now'] as const
export type ProfileSlot = (typeof PROFILE_SLOTS)[number]

/** A line of the profile. */
export interface ProfileLine {
  readonly slot: ProfileSlot
  /** What is known, as short as it can be said; or, where no statement tells of it, the user's own words. */
  readonly text: string
  /** The memories it was made from. */
  readonly memories: readonly string[]
  /** The turns it rests on. */
  readonly evidence: readonly { readonly turn: string }[]
  /** When the newest of it became so, milliseconds since 1970. */
  readonly validFrom: number
  /** Whether it quotes the user instead of stating what is known. */
  readonly isQuoted: boolean
}

/** The little that should be known in every talk: who somebody is, what to mind, and what goes on now. */
export interface Profile {
  readonly lines: readonly ProfileLine[]
}
