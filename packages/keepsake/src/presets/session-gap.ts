/** A silence of four hours ends a session nobody named: longer than a meal or a meeting, shorter than a night. */
export const SESSION_GAP = 4 * 60 * 60 * 1000
