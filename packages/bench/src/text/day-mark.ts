const DAY_MARK = /^\[(\d{4}-\d\d-\d\d)\] /

/** Talk as it was said, marked with its day, as a judge is shown it; a statement, which has no such time, as it stands. */
export function withDay({
  text,
  saidAt,
}: {
  readonly text: string
  readonly saidAt?: number | undefined
}): string {
  return saidAt === undefined ? text : `[${new Date(saidAt).toISOString().slice(0, 10)}] ${text}`
}

/** The day that {@link withDay} marked a text with, `null` for a statement, and the text without it. */
export function readDay(marked: string): { readonly day: string | null; readonly text: string } {
  const mark = DAY_MARK.exec(marked)
  return { day: mark?.[1] ?? null, text: marked.slice(mark?.[0].length ?? 0) }
}
