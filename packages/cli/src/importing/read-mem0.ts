import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { text as readAll } from 'node:stream/consumers'
import type { TurnInput } from 'keepsake'
import { wrongUsage } from '../cli-error.ts'
import type { Input } from '../io.ts'
import type { ImportSource, TurnBatch } from './import-source.ts'

/** Turns recorded in one transaction: a durable write costs the same for one and for many. */
const BATCH = 500

/** The session of statements that belong to no run. */
const NO_RUN = 'mem0'

/** Who speaks: nobody said these words, Mem0 wrote them. */
const SPEAKER = 'Mem0'

/** Lists that an export may wrap its memories in. */
const WRAPPERS = ['results', 'memories', 'data'] as const

interface Statement {
  readonly user: string | null
  readonly agent: string | null
  readonly app: string | null
  readonly run: string
  readonly turn: TurnInput & { readonly id: string; readonly at?: number }
  readonly hasNotes: boolean
}

/**
 * What Mem0's `get_all` gives, saved as JSON (a list, or pages `{"results": […]}`) or as JSON Lines (a memory or a page a
 * line). Each memory becomes a turn of role `other`: a statement that nobody said, kept as it is, from which nothing is
 * drawn, since no words of the user support it. Its time is when Mem0 last changed it; its id makes an import repeatable.
 */
export async function readMem0(file: string, stdin: Input, asUser?: string): Promise<ImportSource> {
  const content = file === '-' ? await readAll(stdin) : await readFile(file, 'utf8')
  const entries = entriesOf(content.replace(/^\uFEFF/, ''), file)
  const read = entries.map(({ value, where }) => readEntry(value, where))
  // Pages that were saved while memories were added overlap.
  const statements = [...new Map(read.map((one) => [one.turn.id, one])).values()]
  requireOnePerson(file, statements, asUser)
  return {
    name: file,
    total: statements.length,
    batches: () => batches(statements),
    leftOut: sayLeftOut(file, statements.filter((one) => one.hasNotes).length),
  }
}

function requireOnePerson(file: string, statements: readonly Statement[], asUser: string | undefined): void {
  const people = new Set(statements.map((one) => one.user))
  if (asUser === undefined || people.size < 2) return
  throw wrongUsage(
    `${file} holds ${people.size} people, who would become one with --user ${asUser}: leave --user out.`,
  )
}

function sayLeftOut(file: string, noted: number): string[] {
  if (noted === 0) return []
  const which = noted === 1 ? 'One memory' : `${noted} memories`
  return [
    `${which} of ${file} had metadata or categories, which were left out: Keepsake has no place for them.`,
  ]
}

interface Entry {
  readonly value: unknown
  /** For errors: file, and place within it. */
  readonly where: string
}

function entriesOf(content: string, file: string): Entry[] {
  const whole = parse(content)
  if (whole !== undefined) return unwrap(whole, file)
  const lines = content
    .split('\n')
    .map((line, index) => ({ line: line.trim(), where: `${file}:${index + 1}` }))
  return lines.flatMap(({ line, where }) => {
    if (line === '') return []
    const value = parse(line)
    if (value === undefined)
      throw wrongUsage(
        `${where}: this is not JSON. The format mem0 takes what get_all gave, as JSON or as a memory a line.`,
      )
    return unwrap(value, where)
  })
}

/** `undefined`, which JSON cannot say, for what is no JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** The memories of a list or a page, each with its place; a single memory is itself. */
function unwrap(value: unknown, where: string): Entry[] {
  if (Array.isArray(value))
    return value
      .map((one: unknown, index) => ({ value: one, where: `${where}: entry ${index + 1}` }))
      .flatMap(unwrapPage)
  return unwrapPage({ value, where })
}

/** Pages may stand in a list as well. */
function unwrapPage(entry: Entry): Entry[] {
  const { value, where } = entry
  if (!isObject(value)) return [entry]
  const wrapper = WRAPPERS.find((name) => Array.isArray(value[name]))
  if (wrapper === undefined) return [entry]
  return (value[wrapper] as unknown[]).map((one, index) => ({
    value: one,
    where: `${where}: ${wrapper}[${index}]`,
  }))
}

function readEntry(value: unknown, where: string): Statement {
  if (!isObject(value))
    throw wrongUsage(`${where}: a memory of Mem0's is an object such as {"id": "…", "memory": "…"}.`)
  const read = (name: string): unknown => value[name] ?? value[camelCase(name)]
  const memory = read('memory')
  if (typeof memory !== 'string' || memory.trim() === '') {
    throw wrongUsage(
      `${where}: "memory" must be the memory's text. An export by a schema of your own (get_memory_export) holds no memories; save what get_all gives instead.`,
    )
  }
  const names = {
    user: readName(read('user_id'), `${where}: "user_id"`),
    agent: readName(read('agent_id'), `${where}: "agent_id"`),
    app: readName(read('app_id'), `${where}: "app_id"`),
  }
  const run = readName(read('run_id'), `${where}: "run_id"`)
  const at =
    readTime(read('updated_at'), `${where}: "updated_at"`) ??
    readTime(read('created_at'), `${where}: "created_at"`)
  const id = readName(read('id'), `${where}: "id"`)
  const turn = {
    id: turnId(id, [names, run, memory, id === null ? at : null]),
    role: 'other' as const,
    speaker: SPEAKER,
    text: memory,
    ...(at === null ? {} : { at }),
  }
  const hasNotes = isFilled(read('metadata')) || isFilled(read('categories'))
  return { ...standIn(names), run: run ?? NO_RUN, turn, hasNotes }
}

/** Memories of an agent or app without a user belong to a person that stands for it, as on the server's routes for Mem0's client. */
function standIn({
  user,
  agent,
  app,
}: {
  user: string | null
  agent: string | null
  app: string | null
}): Pick<Statement, 'user' | 'agent' | 'app'> {
  if (user !== null) return { user, agent, app }
  if (agent !== null) return { user: `mem0:agent:${agent}`, agent: null, app }
  return { user: app === null ? null : `mem0:app:${app}`, agent: null, app: null }
}

/** The words are part of it: a memory that Mem0 changed since the last import is another statement, not a contradiction of the first. */
function turnId(id: string | null, said: unknown): string {
  const hash = createHash('sha256').update(JSON.stringify(said)).digest('hex').slice(0, 16)
  return id === null ? `mem0-${hash}` : `mem0-${id}-${hash}`
}

function readName(value: unknown, where: string): string | null {
  if (value === undefined || value === null || value === '') return null
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string' && value.length <= 400) return value
  throw wrongUsage(`${where} must be a string of at most 400 characters.`)
}

function readTime(value: unknown, where: string): number | null {
  if (value === undefined || value === null) return null
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN
  if (!Number.isNaN(at)) return at
  throw wrongUsage(`${where} must be a time such as "2026-03-01T10:00:00Z".`)
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isFilled = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0

/** Its TypeScript client gives camel case. */
const camelCase = (name: string): string =>
  name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** Oldest first, in the order of the file where times are equal or not known. */
async function* batches(statements: readonly Statement[]): AsyncGenerator<TurnBatch> {
  const byPlace = Map.groupBy(statements, ({ user, agent, app, run }) =>
    JSON.stringify([user, agent, app, run]),
  )
  for (const group of byPlace.values()) {
    const [first] = group
    if (first === undefined) continue
    const turns = group.map((one) => one.turn).sort((one, other) => (one.at ?? 0) - (other.at ?? 0))
    const { user, agent, app, run } = first
    for (let start = 0; start < turns.length; start += BATCH)
      yield { user, agent, app, session: run, turns: turns.slice(start, start + BATCH) }
  }
}
