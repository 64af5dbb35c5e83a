/** Describes a value for an error message without quoting user text. */
export function describeValue(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (typeof value === 'string')
    return value === '' ? 'an empty string' : `a string of ${value.length} characters`
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (typeof value === 'number') return `the number ${value}`
  return value instanceof Date ? 'an invalid date' : `a value of type ${typeof value}`
}
