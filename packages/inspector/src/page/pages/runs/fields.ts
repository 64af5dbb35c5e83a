// A file is anybody's: what it holds is looked at before it is believed.

/** What a record has under a name; `undefined` where it is no record. */
export function fieldOf(record: unknown, name: string): unknown {
  return typeof record === 'object' && record !== null ? (record as Record<string, unknown>)[name] : undefined
}

export function textOf(record: unknown, name: string): string | null {
  const value = fieldOf(record, name)
  return typeof value === 'string' ? value : null
}

export function numberOf(record: unknown, name: string): number | null {
  const value = fieldOf(record, name)
  return typeof value === 'number' ? value : null
}

/** The texts of a list; empty where there is no list. */
export function textsOf(record: unknown, name: string): readonly string[] {
  const value = fieldOf(record, name)
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}

/** Whether there is a text, and words in it. */
export const isText = (value: string | null | undefined): value is string =>
  value !== null && value !== undefined && value !== ''
