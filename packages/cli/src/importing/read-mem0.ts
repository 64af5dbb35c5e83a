import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { text as readAll } from 'node:stream/consumers'
import { z } from 'zod'
import { wrongUsage } from '../cli-error.ts'
import { given } from '../given.ts'
import type { Input } from '../io.ts'
import type { ImportSource, PlacedTurn } from './import-source.ts'
import { parseJson } from './read-lines.ts'

/** The session of statements that belong to no run. */
const NO_RUN = 'mem0'

/** Who speaks: nobody said these words, Mem0 wrote them. */
const SPEAKER = 'Mem0'

/** Lists that an export may wrap its memories in. */
const WRAPPERS = ['results', 'memories', 'data'] as const

const NAME = z
  .union([z.string().max(400), z.number().transform(String)], 'must be a string of at most 400 characters.')
  .nullish()
  .transform((name) => name || null)
const NO_TIME = 'must be a time such as "2026-03-01T10:00:00Z".'
const TIME = z
  .string(NO_TIME)
  .transform((time) => Date.parse(time))
  .refine((at) => !Number.isNaN(at), NO_TIME)
  .nullish()
const NO_TEXT =
  "must be the memory's text. An export by a schema of your own (get_memory_export) holds no memories; save what get_all gives instead."

/** A memory of Mem0's; its TypeScript client gives the names in camel case. */
const ENTRY = z.preprocess(
  (value) => (isObject(value) ? withSnakeCase(value) : value),
  z.object(
    {
      memory: z.string(NO_TEXT).refine((text) => text.trim() !== '', NO_TEXT),
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
    'a memory of Mem0\'s is an object such as {"id": "…", "memory": "…"}.',
  ),
)

interface Statement extends PlacedTurn {
  readonly turn: PlacedTurn['turn'] & { readonly id: string; readonly at?: number }
  readonly hasNotes: boolean
}

/**
 * What Mem0's `get_all` gives, saved as JSON (a list, or pages `{"results": […]}`) or as JSON Lines (a memory or a page a
 * line). Each memory becomes a turn of role `other`: a statement that nobody said, kept as it is, from which nothing is
 * drawn, since no words of the user support it. Its time is when Mem0 last changed it; its id makes an import repeatable.
 */
export async function readMem0(file: string, stdin: Input, asUser?: string): Promise<ImportSource> {
  const content = file === '-' ? await readAll(stdin) : await readFile(file, 'utf8')
  const read = entriesOf(content, file).map(readEntry)
  // Pages that were saved while memories were added overlap.
  const statements = [...new Map(read.map((one) => [one.turn.id, one])).values()]
  const people = new Set(statements.map((one) => one.user))
  if (asUser !== undefined && people.size > 1) {
    throw wrongUsage(
      `${file} holds ${people.size} people, who would become one with --user ${asUser}: leave --user out.`,
    )
  }
  const noted = statements.filter((one) => one.hasNotes).length
  const which = noted === 1 ? 'One memory' : `${noted} memories`
  const leftOut = `${which} of ${file} had metadata or categories, which were left out: Keepsake has no place for them.`
  return {
    name: file,
    total: statements.length,
    turns: () => inOrder(statements),
    leftOut: noted === 0 ? [] : [leftOut],
  }
}

interface Entry {
  readonly value: unknown
  /** For errors: file, and place within it. */
  readonly where: string
}

function entriesOf(content: string, file: string): Entry[] {
  const whole = parseJson(content)
  if (whole !== undefined) return unwrap({ value: whole, where: file })
  return content.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return []
    const where = `${file}:${index + 1}`
    const value = parseJson(line)
    if (value !== undefined) return unwrap({ value, where })
    throw wrongUsage(
      `${where}: this is not JSON. The format mem0 takes what get_all gave, as JSON or as a memory a line.`,
    )
  })
}

/** The memories of a list or a page, each with its place; pages may stand in a list; a single memory is itself. */
function unwrap({ value, where }: Entry): Entry[] {
  if (Array.isArray(value))
    return value.flatMap((one: unknown, index) =>
      unwrap({ value: one, where: `${where}: entry ${index + 1}` }),
    )
  const wrapper = isObject(value) && WRAPPERS.find((name) => Array.isArray(value[name]))
  if (!isObject(value) || !wrapper) return [{ value, where }]
  return (value[wrapper] as unknown[]).map((one, index) => ({
    value: one,
    where: `${where}: ${wrapper}[${index}]`,
  }))
}

function readEntry({ value, where }: Entry): Statement {
  const read = ENTRY.safeParse(value)
  if (!read.success) {
    const [issue] = read.error.issues
    const [field] = issue?.path ?? []
    throw wrongUsage(`${where}: ${field === undefined ? '' : `"${String(field)}" `}${issue?.message}`)
  }
  const { memory, id, user_id, agent_id, app_id, run_id, updated_at, created_at } = read.data
  const names = { user: user_id, agent: agent_id, app: app_id }
  const at = updated_at ?? created_at ?? undefined
  // The words are part of the turn's id: a memory that Mem0 changed since the last import is another statement, not a
  // contradiction of the first.
  const said = JSON.stringify([names, run_id, memory, id === null ? (at ?? null) : null])
  const hash = createHash('sha256').update(said).digest('hex').slice(0, 16)
  return {
    ...standIn(names),
    session: run_id ?? NO_RUN,
    turn: {
      id: id === null ? `mem0-${hash}` : `mem0-${id}-${hash}`,
      role: 'other',
      speaker: SPEAKER,
      text: memory,
      ...given({ at }),
    },
    hasNotes: [read.data.metadata, read.data.categories].some(isFilled),
  }
}

/** Memories of an agent or app without a user belong to a person that stands for it, as on the server's routes for Mem0's client. */
function standIn(names: Record<'user' | 'agent' | 'app', string | null>): typeof names {
  const { user, agent, app } = names
  if (user !== null) return names
  if (agent !== null) return { user: `mem0:agent:${agent}`, agent: null, app }
  return { user: app === null ? null : `mem0:app:${app}`, agent: null, app: null }
}

/** Place by place, oldest first; in the order of the file where times are equal or not known. */
function inOrder(statements: readonly Statement[]): Statement[] {
  const byPlace = Map.groupBy(statements, ({ user, agent, app, session }) =>
    JSON.stringify([user, agent, app, session]),
  )
  return [...byPlace.values()].flatMap((group) =>
    group.toSorted((one, other) => (one.turn.at ?? 0) - (other.turn.at ?? 0)),
  )
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isFilled = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0

const withSnakeCase = (entry: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(entry).map(([name, value]) => [
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  )
