/** Matches a day before a text, such as `[2026-01-05] `. */
const DAY_MARK = /^\[(\d{4}-\d\d-\d\d)\] /

/** Puts the day before a quoted message, so that a judge sees when it was said. Statements have no day. */
export function withDay({
  text,
  saidAt,
}: {
  readonly text: string
  readonly saidAt?: number | undefined
}): string {
  return saidAt === undefined ? text : `[${new Date(saidAt).toISOString().slice(0, 10)}] ${text}`
}

/** Splits the day that {@link withDay} added from the text. `day` is `null` for a statement. */
export function readDay(marked: string): { readonly day: string | null; readonly text: string } {
  const mark = DAY_MARK.exec(marked)
  return { day: mark?.[1] ?? null, text: marked.slice(mark?.[0].length ?? 0) }
}
