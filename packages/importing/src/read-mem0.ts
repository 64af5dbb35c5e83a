import { createHash } from 'node:crypto'
import { given, type Metadata, readMetadata } from '@keepsake/text/names'
import { z } from 'zod'
import { unreadable } from './import-error.ts'
import type { ImportSettings, ImportSource, PlacedTurn } from './import-source.ts'
import type { InputFile } from './input-file.ts'
import { requireOne } from './of-person.ts'
import { isAbsent, isObject, readItems, type JsonObject, within } from './json-records.ts'
import { readMoment } from './read-moment.ts'

/** The session of statements without a run. */
const NO_RUN = 'mem0'

/** Lists in which an export may wrap its memories. */
const WRAPPERS = ['results', 'memories', 'data'] as const

const NAME = z
  .union([z.string().max(400), z.number().transform(String)], 'must be a string of at most 400 characters.')
  .nullish()
  .transform((name) => name || null)
const TIME = z.string('must be a time such as "2026-03-01T10:00:00Z".').nullish()
const NO_TEXT =
  "must be the memory's text. An export with a custom schema (get_memory_export) contains no memories. Save the result of get_all instead."

/** A memory of Mem0. Mem0's TypeScript client writes its fields in camel case. */
const ENTRY = z.preprocess(
  (value) => (isObject(value) ? withSnakeCase(value) : value),
  z.object(
    {
      memory: z
        .string(NO_TEXT)
        .refine((text) => text.trim() !== '', 'is empty. Remove the memory, or add its text.'),
      user_id: NAME,
      agent_id: NAME,
      app_id: NAME,
      run_id: NAME,
      updated_at: TIME,
      created_at: TIME,
      id: NAME,
      metadata: z.unknown().optional(),
      categories: z.unknown().optional(),
    },
    'a Mem0 memory is an object such as {"id": "…", "memory": "…"}.',
  ),
)

interface Statement extends PlacedTurn {
  readonly turn: PlacedTurn['turn'] & { readonly id: string }
}

/** Reads the result of Mem0's `get_all`. Each memory becomes a note. No facts are extracted from it, since no words of the user support it. */
export function readMem0(input: InputFile, settings: ImportSettings): ImportSource {
  const read = entriesOf(input)
    .map((entry) => readEntry(entry, settings))
    .toArray()
  // Pages overlap if memories were added while they were saved.
  const statements = [...new Map(read.map((statement) => [statement.turn.id, statement])).values()]
  if (settings.user !== undefined && settings.of === undefined) {
    const people = new Map<string, number>()
    for (const { user } of statements) people.set(user ?? '', (people.get(user ?? '') ?? 0) + 1)
    requireOne(input.name, people, settings)
  }
  return { name: input.name, format: 'mem0', turns: () => inOrder(statements) }
}

interface Entry {
  readonly value: unknown
  /** File, line and path, for errors. */
  readonly where: string
}

function* entriesOf(input: InputFile): Generator<Entry> {
  for (const { value, where } of readItems(input)) yield* unwrap({ value, where })
}

/** Returns the memories of a list, a page or nested pages, each with its place in the file. */
function unwrap({ value, where }: Entry): Entry[] {
  if (Array.isArray(value))
    return value.flatMap((item: unknown, index) => unwrap({ value: item, where: within(where, [index]) }))
  const wrapper = isObject(value) && WRAPPERS.find((name) => Array.isArray(value[name]))
  if (!isObject(value) || !wrapper) return [{ value, where }]
  return (value[wrapper] as unknown[]).map((item, index) => ({
    value: item,
    where: within(where, [wrapper, index]),
  }))
}

function readEntry({ value, where }: Entry, settings: ImportSettings): Statement {
  const read = ENTRY.safeParse(value)
  if (!read.success) {
    const [issue] = read.error.issues
    const [field] = issue?.path ?? []
    throw unreadable(`${where}: ${field === undefined ? '' : `"${String(field)}" `}${issue?.message}`)
  }
  const { memory, id, user_id, agent_id, app_id, run_id, updated_at, created_at } = read.data
  const names = { user: user_id, agent: agent_id, app: app_id }
  const timeField = isAbsent(updated_at) ? 'created_at' : 'updated_at'
  const time = updated_at ?? created_at
  const at = isAbsent(time) ? undefined : readMoment(time, `${where}: "${timeField}"`, settings)
  // The id contains a hash of the text, so a memory that Mem0 changed since the last import becomes a new statement.
  const identity = JSON.stringify([names, run_id, memory, id === null ? (at ?? null) : null])
  const hash = createHash('sha256').update(identity).digest('hex').slice(0, 16)
  return {
    ...withUser(names),
    session: run_id ?? NO_RUN,
    turn: {
      id: id === null ? `mem0-${hash}` : `mem0-${id}-${hash}`,
      role: 'other',
      speaker: 'Mem0',
      text: memory,
      ...given({ at, metadata: metadataOf(read.data, where) }),
    },
    isStatement: true,
    where,
  }
}

/** Adds a stand-in user to names without one, such as `mem0:agent:bot`. The server's routes for Mem0's client use the same names. */
function withUser(names: Record<'user' | 'agent' | 'app', string | null>): typeof names {
  const { user, agent, app } = names
  if (user !== null) return names
  if (agent !== null) return { user: `mem0:agent:${agent}`, agent: null, app }
  return { user: app === null ? null : `mem0:app:${app}`, agent: null, app: null }
}

/** Sorts the statements of each scope and session by time, and equal or unknown times by their order in the file. */
function inOrder(statements: readonly Statement[]): Statement[] {
  const byPlace = Map.groupBy(statements, ({ user, agent, app, session }) =>
    JSON.stringify([user, agent, app, session]),
  )
  return [...byPlace.values()].flatMap((group) =>
    group.toSorted((left, right) => (left.turn.at ?? 0) - (right.turn.at ?? 0)),
  )
}

/** Returns the metadata of a memory, with Mem0's categories. */
function metadataOf({ metadata, categories }: z.infer<typeof ENTRY>, where: string): Metadata | undefined {
  const callerMetadata = isFilled(metadata) ? readMetadata(metadata, `${where}: "metadata"`) : {}
  const mem0Fields = isFilled(categories) && !('categories' in callerMetadata) ? { categories } : {}
  const merged = readMetadata({ ...mem0Fields, ...callerMetadata }, `${where}: "metadata"`)
  return isFilled(merged) ? merged : undefined
}

const isFilled = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0

/** Renames fields from camel case to snake case. */
const withSnakeCase = (entry: JsonObject): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(entry).map(([name, value]) => [
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  )
