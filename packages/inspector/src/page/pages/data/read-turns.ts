import type { TurnInput } from '@keepsake/client'

/** What a dropped file is: an export of Keepsake, turns to remember, or nothing that is read here. */
export type Dropped =
  | { readonly kind: 'export' }
  | { readonly kind: 'turns'; readonly turns: readonly TurnInput[] }
  | { readonly kind: 'unknown' }

const ROLES: ReadonlySet<string> = new Set(['user', 'agent', 'other', 'assistant', 'system', 'tool'])

/**
 * Says what a file is by what it holds: JSON lines or a list of `{role, text}`, or messages `{role, content}`.
 *
 * @example
 * readTurns('{"role":"user","text":"Hi."}\n') // { kind: 'turns', turns: [{ role: 'user', text: 'Hi.' }] }
 */
export function readTurns(text: string): Dropped {
  const records = readRecords(text)
  if (fieldOf(records[0], 'row') === 'keepsake-export') return { kind: 'export' }
  const turns = records.flatMap(turnOf)
  return turns.length === 0 || turns.length < records.length ? { kind: 'unknown' } : { kind: 'turns', turns }
}

function readRecords(text: string): readonly unknown[] {
  const whole = parse(text)
  if (Array.isArray(whole)) return whole as readonly unknown[]
  const messages = fieldOf(whole, 'messages')
  if (Array.isArray(messages)) return messages as readonly unknown[]
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(parse)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    // Not JSON: what it is instead is looked for by its lines, or it is nothing that is read here.
    if (error instanceof SyntaxError) return null
    throw error
  }
}

function fieldOf(record: unknown, name: string): unknown {
  return typeof record === 'object' && record !== null ? (record as Record<string, unknown>)[name] : undefined
}

function turnOf(record: unknown): TurnInput[] {
  const role = fieldOf(record, 'role')
  const said = fieldOf(record, 'text') ?? fieldOf(record, 'content')
  if (typeof role !== 'string' || !ROLES.has(role) || typeof said !== 'string') return []
  const more = (['id', 'at', 'speaker', 'timeZone'] as const).flatMap((name) => {
    const value = fieldOf(record, name)
    return typeof value === 'string' ? [[name, value] as const] : []
  })
  return [{ role: role as TurnInput['role'], text: said, ...Object.fromEntries(more) }]
}
