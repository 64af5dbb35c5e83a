// Exports a user as lines of JSON, and checks and imports such lines.
import { yieldToEventLoop } from '../yield-to-event-loop.ts'
import {
  InvalidInputError,
  describeValue,
  LONGEST_NAME,
  LONGEST_TEXT,
  findImplausible,
  readTimeZone,
  type TextGate,
} from '@keepsake/text'
import { maskMetadata } from '../metadata/admit-metadata.ts'
import { readMetadata } from '@keepsake/text/names'
import type { ExportRow } from '../store/store.ts'
import type { ScopeRow } from '../scopes/scope.ts'
import { exportRowSchema } from './export-schema.ts'
import type { Engine } from '../work/engine.ts'
import type { ResolvedScope } from '../work/scope-handle.ts'

/** Exports a user's rows as JSON lines, without line ends, in the order that an import needs. */
export async function* exportScope(engine: Engine, resolved: ResolvedScope): AsyncGenerator<string> {
  const definitions = definitionsOf(engine)
  await engine.usage.write(resolved.owner)
  for await (const row of engine.store.exportUser(resolved.owner)) {
    yield JSON.stringify(row.row === 'keepsake-export' ? { ...row, ...definitions } : row)
    await yieldToEventLoop()
  }
}

/** Returns the options that give the rows their meaning, for readers of the file. An import ignores them: the application sets options. */
function definitionsOf({ filing, guidelines }: Engine): object {
  const { keep, never } = guidelines
  const keys = [...filing.keys.values()].map(({ id, description, json: schema, unit, category, merge }) => [
    id,
    { description, schema, unit, category, merge },
  ])
  return {
    ...(keep.length + never.length === 0 ? {} : { guidelines }),
    ...(filing.categories.size === 0 ? {} : { categories: Object.fromEntries(filing.categories) }),
    ...(keys.length === 0 ? {} : { keys: Object.fromEntries(keys) }),
  }
}

function parseLine(line: string, number: number): ExportRow {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (cause) {
    throw new InvalidInputError(
      `Line ${number} of the import is not JSON. Nothing was imported.`,
      { line: number },
      cause,
    )
  }
  const parsed = exportRowSchema.safeParse(value)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new InvalidInputError(
      `Line ${number} of the import is not a row of a Keepsake export: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}. Nothing was imported.`,
      { line: number },
    )
  }
  if (parsed.data.row === 'keepsake-export') return parsed.data
  // `parsed.data` has another order of fields, so the value itself is returned.
  const row = value as ExportRow
  const isOfAgent = 'role' in parsed.data && parsed.data.role === 'agent'
  return isOfAgent ? ({ ...row, role: 'assistant' } as ExportRow) : row
}

/** Fields that contain ids and names. They are refused if they contain a secret: with masks, two ids could become equal. */
const NAME_FIELDS: ReadonlySet<string> = new Set(
  'tenant user agent app session id name memory turn parent undoes sources branch'.split(' '),
)

const REQUIRED_FIELDS: ReadonlySet<string> = new Set('tenant user agent app id turn memory'.split(' '))

/** Refuses empty and malformed names, because no call could read or erase what they name. */
function requireName(name: string, description: string, line: number): void {
  if (name.trim() === '')
    throw new InvalidInputError(`${description} is empty. Nothing was imported.`, { line })
  if (!name.isWellFormed())
    throw new InvalidInputError(`${description} holds half of a character. Nothing was imported.`, { line })
}

const TIME_FIELDS: ReadonlySet<string> = new Set(
  'at startedAt lastAt endedAt validFrom validUntil learnedAt'.split(' '),
)
/** Maximum of counts and positions in a row. No scope has as many turns. */
const MAX_COUNT = 1_000_000_000
const COUNT_FIELDS: ReadonlySet<string> = new Set(
  'position number round sequence from to sessionNumber'.split(' '),
)

/** Refuses implausible times and counts. */
function requireNumber(field: string, value: number, line: number, now: number): void {
  const description = `"${field}" in line ${line} of the import`
  // A time of 0 means never, such as the last use of a memory that no recall has used.
  const problem = TIME_FIELDS.has(field) && value !== 0 ? findImplausible(value, now) : null
  if (problem !== null)
    throw new InvalidInputError(`${description} is ${value}, ${problem}. Nothing was imported.`, { line })
  if (COUNT_FIELDS.has(field) && (value < 0 || value > MAX_COUNT))
    throw new InvalidInputError(
      `${description} is ${value}, but must be from 0 to ${MAX_COUNT}. Nothing was imported.`,
      { line },
    )
}

/** Checks a name, or masks secrets in another text. */
async function admitText(gate: TextGate, field: string, text: string, line: number): Promise<string> {
  const isName = NAME_FIELDS.has(field)
  const maxLength = isName ? LONGEST_NAME : LONGEST_TEXT
  const description = `"${field}" in line ${line} of the import`
  if (text.length > maxLength)
    throw new InvalidInputError(
      `${description} is ${text.length} characters long; at most ${maxLength} are taken. Nothing was imported.`,
      { line },
    )
  if (!isName) return gate.admit(text)
  if (REQUIRED_FIELDS.has(field)) requireName(text, description, line)
  await gate.requireNames({ [description]: text })
  return text
}

interface ImportChecks {
  readonly gate: TextGate
  /** The current time by the memory's clock. */
  readonly now: number
}

/** Checks a row and masks its secrets, since anyone can write such a file. @throws InvalidInputError */
async function admitRow(row: ExportRow, { gate, now }: ImportChecks, line: number): Promise<ExportRow> {
  const admit = async (field: string, value: unknown): Promise<unknown> => {
    if (field === 'timeZone' && value !== null)
      return readTimeZone(value, `"timeZone" in line ${line} of the import`)
    if (typeof value === 'string') return admitText(gate, field, value, line)
    if (typeof value === 'number') requireNumber(field, value, line, now)
    if (field === 'metadata' && value !== null)
      return maskMetadata(readMetadata(value, `metadata in line ${line}`), (text) => gate.admit(text))
    if (Array.isArray(value)) return Promise.all(value.map((item) => admit(field, item)))
    if (typeof value !== 'object' || value === null) return value
    const fields = Object.entries(value).map(async ([name, inner]) => [
      await gate.admit(name),
      await admit(name, inner),
    ])
    return Object.fromEntries(await Promise.all(fields))
  }
  return (await admit('', row)) as ExportRow
}

async function* readRows(
  lines: AsyncIterable<string> | Iterable<string>,
  checks: ImportChecks,
): AsyncGenerator<ExportRow> {
  let number = 0
  for await (const line of lines) {
    number += 1
    await yieldToEventLoop()
    if (line.trim() !== '') yield await admitRow(parseLine(line, number), checks, number)
  }
}

/** Imports a whole export or nothing. @throws InvalidInputError that names the line. @throws NotPossibleError if the user exists. */
export async function importLines(
  { store, textGate: gate, now }: Pick<Engine, 'store' | 'textGate' | 'now'>,
  lines: AsyncIterable<string> | Iterable<string>,
): Promise<ScopeRow[]> {
  const given: unknown = lines
  const isIterable = Object(given) === given && (Symbol.asyncIterator in lines || Symbol.iterator in lines)
  if (!isIterable)
    throw new InvalidInputError(
      `import() takes the lines of an export, but it is given ${describeValue(given)}.`,
    )
  return store.importUser(readRows(lines, { gate, now: now() }))
}
