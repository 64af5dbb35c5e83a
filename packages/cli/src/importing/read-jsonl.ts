import type { TurnInput } from 'keepsake'
import { wrongUsage } from '../cli-error.ts'
import type { Input } from '../io.ts'
import type { ImportSource, TurnBatch } from './import-source.ts'
import { readLines } from './read-lines.ts'

/** Turns recorded in one transaction: a durable write costs the same for one and for many. */
const BATCH = 500

const TEXTS = ['user', 'agent', 'session', 'id', 'speaker', 'timeZone'] as const
const KNOWN = new Set<string>([...TEXTS, 'role', 'text', 'at', 'remember'])

interface Line {
  readonly user: string | null
  readonly agent: string | null
  readonly session: string | null
  readonly turn: TurnInput
}

/**
 * JSON Lines, a turn a line: `{"role", "text"}` and, where known, `id`, `at` (ISO 8601 or milliseconds),
 * `timeZone`, `speaker`, `session`, `user`, `agent`, `remember`. Lines are read as they come; a file of any
 * size takes little memory.
 */
export function readJsonl(file: string, stdin: Input): ImportSource {
  return { name: file, total: null, batches: () => batch(file, readLines(file, stdin)) }
}

async function* batch(file: string, lines: AsyncIterable<string>): AsyncGenerator<TurnBatch> {
  let current: {
    user: string | null
    agent: string | null
    session: string | null
    turns: TurnInput[]
  } | null = null
  let number = 0
  for await (const text of lines) {
    number += 1
    if (text.trim() === '') continue
    const line = readLine(text, `${file}:${number}`)
    const same =
      current !== null && (['user', 'agent', 'session'] as const).every((key) => current?.[key] === line[key])
    if (current === null || !same || current.turns.length >= BATCH) {
      if (current !== null) yield current
      current = { user: line.user, agent: line.agent, session: line.session, turns: [] }
    }
    current.turns.push(line.turn)
  }
  if (current !== null) yield current
}

function readLine(text: string, where: string): Line {
  const value = parse(text, where)
  if (typeof value['text'] !== 'string')
    throw wrongUsage(`${where}: "text" must be a string. Nothing of this line's batch was stored.`)
  if (typeof value['role'] !== 'string')
    throw wrongUsage(`${where}: "role" must be "user" or "agent" ("assistant" is taken too).`)
  for (const key of TEXTS) {
    if (value[key] !== undefined && value[key] !== null && typeof value[key] !== 'string') {
      throw wrongUsage(`${where}: "${key}" must be a string.`)
    }
  }
  const unknown = Object.keys(value).find((key) => !KNOWN.has(key))
  if (unknown !== undefined) {
    throw wrongUsage(`${where}: "${unknown}" is no field of a turn; those are ${[...KNOWN].join(', ')}.`)
  }
  const { user, agent, session, ...turn } = value
  return {
    user: textOrNull(user),
    agent: textOrNull(agent),
    session: textOrNull(session),
    turn: withoutNulls(turn),
  }
}

function parse(text: string, where: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    throw wrongUsage(
      `${where}: this line is not JSON. The format jsonl takes one JSON object a turn, a line each.`,
    )
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>
  throw wrongUsage(`${where}: a turn is a JSON object such as {"role": "user", "text": "Hello"}.`)
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** The engine checks roles and times itself and names the field; absent and null mean the same here. */
function withoutNulls(turn: Record<string, unknown>): TurnInput {
  const entries = Object.entries(turn).filter(([, value]) => value !== null)
  return Object.fromEntries(entries) as Record<string, unknown> & TurnInput
}
