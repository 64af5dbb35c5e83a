const DAY_MARK = /^\[(\d{4}-\d\d-\d\d)\] /

/** Marks quoted talk with its day for a judge; statements have none. */
export function withDay({
  text,
  saidAt,
}: {
  readonly text: string
  readonly saidAt?: number | undefined
}): string {
  return saidAt === undefined ? text : `[${new Date(saidAt).toISOString().slice(0, 10)}] ${text}`
}

/** Splits the day mark of {@link withDay}, `null` for a statement, from the text. */
export function readDay(marked: string): { readonly day: string | null; readonly text: string } {
  const mark = DAY_MARK.exec(marked)
  return { day: mark?.[1] ?? null, text: marked.slice(mark?.[0].length ?? 0) }
}
