/** The complaint, unless it holds: for lists of what is wrong. */
export function unless(holds: boolean, complaint: string): string[] {
  return holds ? [] : [complaint]
}

/** The complaint, when it is so. */
export function when(isWrong: boolean, complaint: string): string[] {
  return unless(!isWrong, complaint)
}
