import { yieldToEventLoop } from '../yield-to-event-loop.ts'
import {
  InvalidInputError,
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

/** A person's rows as JSON lines (without line ends), in an order in which they can be read back. */
export async function* exportScope(engine: Engine, resolved: ResolvedScope): AsyncGenerator<string> {
  const definitions = definitionsOf(engine)
  await engine.usage.write(resolved.owner)
  for await (const row of engine.store.exportUser(resolved.owner)) {
    yield JSON.stringify(row.row === 'keepsake-export' ? { ...row, ...definitions } : row)
    await yieldToEventLoop()
  }
}

/** What the memory was opened with, for readers of the file. An import does not apply it: it is the application's to give. */
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
  // The value as it was read, not as parsed: the schema's order of keys is not the export's.
  const row = value as ExportRow
  const isOfAgent = 'role' in parsed.data && parsed.data.role === 'agent'
  return isOfAgent ? ({ ...row, role: 'assistant' } as ExportRow) : row
}

/** Fields that hold ids and names: masked, one would be taken for another. */
const NAMES: ReadonlySet<string> = new Set(
  'tenant user agent app session id name memory turn parent undoes sources branch'.split(' '),
)

const REQUIRED: ReadonlySet<string> = new Set('tenant user agent app id turn memory'.split(' '))

/** A person, session or turn without a name, or with half a character in it, could neither be read nor erased afterwards. */
function requireName(name: string, what: string, number: number): void {
  const wrong = name.trim() === '' ? 'is empty' : name.isWellFormed() ? null : 'holds half of a character'
  if (wrong !== null) throw new InvalidInputError(`${what} ${wrong}. Nothing was imported.`, { line: number })
}

const TIMES: ReadonlySet<string> = new Set(
  'at startedAt lastAt endedAt validFrom validUntil learnedAt'.split(' '),
)
/** Turns of one scope: more are no talk. */
const LAST_POSITION = 1_000_000_000
const COUNTS: ReadonlySet<string> = new Set('position number round sequence from to sessionNumber'.split(' '))

/** A number of a row: a time at which something can have been said, a place in the order. */
function requireNumber(field: string, value: number, number: number, now: number): void {
  const what = `"${field}" in line ${number} of the import`
  // 0 stands for never, as in a memory that no recall has touched.
  const wrong = TIMES.has(field) && value !== 0 ? findImplausible(value, now) : null
  if (wrong !== null)
    throw new InvalidInputError(`${what} is ${value}, ${wrong}. Nothing was imported.`, { line: number })
  if (COUNTS.has(field) && (value < 0 || value > LAST_POSITION))
    throw new InvalidInputError(
      `${what} is ${value}, but must be from 0 to ${LAST_POSITION}. Nothing was imported.`,
      { line: number },
    )
}

/** One text of a row, by the field it stands in. */
async function admitText(gate: TextGate, field: string, text: string, number: number): Promise<string> {
  const isName = NAMES.has(field)
  const longest = isName ? LONGEST_NAME : LONGEST_TEXT
  const what = `"${field}" in line ${number} of the import`
  if (text.length > longest)
    throw new InvalidInputError(
      `${what} is ${text.length} characters long; at most ${longest} are taken. Nothing was imported.`,
      { line: number },
    )
  if (!isName) return gate.admit(text)
  if (REQUIRED.has(field)) requireName(text, what, number)
  await gate.requireNames({ [what]: text })
  return text
}

interface Admitting {
  readonly gate: TextGate
  /** By the memory's clock. */
  readonly now: number
}

/**
 * A row as it may be stored. What an own export holds came through the gate when it was said; yet anybody can write a file of
 * that form, and one may come from a memory that masks nothing.
 *
 * @throws InvalidInputError for an id or name that holds a secret, and for what is too long
 */
async function admitRow(row: ExportRow, { gate, now }: Admitting, number: number): Promise<ExportRow> {
  const admit = async (field: string, value: unknown): Promise<unknown> => {
    if (field === 'timeZone' && value !== null)
      return readTimeZone(value, `"timeZone" in line ${number} of the import`)
    if (typeof value === 'string') return admitText(gate, field, value, number)
    if (typeof value === 'number') requireNumber(field, value, number, now)
    if (field === 'metadata' && value !== null)
      return maskMetadata(readMetadata(value, `metadata in line ${number}`), (text) => gate.admit(text))
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
  admitting: Admitting,
): AsyncGenerator<ExportRow> {
  let number = 0
  for await (const line of lines) {
    number += 1
    await yieldToEventLoop()
    if (line.trim() !== '') yield await admitRow(parseLine(line, number), admitting, number)
  }
}

/** Reads an export back, all or none. @throws InvalidInputError naming the line; NotPossibleError when the person has rows already. */
export async function importLines(
  { store, textGate: gate, now }: Pick<Engine, 'store' | 'textGate' | 'now'>,
  lines: AsyncIterable<string> | Iterable<string>,
): Promise<ScopeRow[]> {
  return store.importUser(readRows(lines, { gate, now: now() }))
}
