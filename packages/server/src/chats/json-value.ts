/** An object of JSON. */
export type JsonRecord = Readonly<Record<string, unknown>>

/** The value as an object; `null` for anything else. */
export function asRecord(value: unknown): JsonRecord | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonRecord) : null
}

/** The value as a list; an empty one for anything else. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** The value as a string that says something; `null` for anything else. */
export function asName(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null
}

/** `null` for what is not JSON: an answer that was handed on as it is, and says nothing to be remembered. */
export function parseOrNull(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return null
  }
}
