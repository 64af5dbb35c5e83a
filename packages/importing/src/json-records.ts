import { unreadable } from './import-error.ts'
import type { InputFile } from './input-file.ts'
import { scanJson, type Choose, type JsonPath, type Span } from './scan-json.ts'

/** A value of a file, with its place for errors: `chat.json:12 $.messages[3]`. */
export interface JsonRecord {
  readonly value: unknown
  readonly path: JsonPath
  readonly where: string
}

/** Returns an id or name as text. Some files contain it as a number. Returns `undefined` for any other value. */
export function nameIn(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

export const isAbsent = (value: unknown): value is null | undefined => value === null || value === undefined

export type JsonObject = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Reads the chosen values one at a time. */
export function* readJson(input: InputFile, choose: Choose): Generator<JsonRecord> {
  for (const span of scanJson(input, choose)) yield readSpan(input, span)
}

/** Reads consecutive values, or the items of a list. */
export const readItems = (input: InputFile): Generator<JsonRecord> =>
  readJson(input, (path, kind) => (path.length === 0 && kind === '[' ? 'enter' : 'take'))

/** Reads the value of a byte range. @throws ImportError naming line and path of invalid JSON */
export function readSpan(input: InputFile, { path, start, end, line }: Span): JsonRecord {
  const where = placeOf(input.name, line, path)
  try {
    return { value: JSON.parse(input.text(start, end)) as unknown, path, where }
  } catch {
    throw unreadable(`${where}: this is not JSON.`)
  }
}

function placeOf(name: string, line: number, path: JsonPath): string {
  return path.length === 0 ? `${name}:${line}` : within(`${name}:${line}`, path)
}

/** Returns the place of a part of a value, for errors: `chat.json:12 $.messages` becomes `chat.json:12 $.messages[3]`. */
export function within(where: string, path: JsonPath): string {
  const steps = path.reduce<string>(
    (text, step) => text + (typeof step === 'number' ? `[${step}]` : `.${step}`),
    '',
  )
  return / \$\S*$/.test(where) ? where + steps : `${where} $${steps}`
}
