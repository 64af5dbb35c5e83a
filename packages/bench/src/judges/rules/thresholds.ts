/**
 * A statement is held whole from this share of its content words on: of five words one may be said otherwise. Up to four,
 * every word counts. Numbers, dates and names have no such allowance.
 */
export const WHOLE = 0.8

/** Above this share it is held in part: more of it is said than is not. At half, two statements may share no more than their frame. */
export const PART = 0.5

/** From this share on a memory may be one of several that together hold a statement: below it, texts share words by chance. */
export const RELATED = 1 / 3

/** Words shown in a reason, at most. */
export const SHOWN_WORDS = 8
