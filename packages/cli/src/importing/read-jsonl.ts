import type { TurnInput } from 'keepsake'
import { z } from 'zod'
import { wrongUsage } from '../cli-error.ts'
import type { Input } from '../io.ts'
import type { ImportSource, PlacedTurn } from './import-source.ts'
import { parseJson, readLines } from './read-lines.ts'

const name = z.string({ error: ({ path }) => `"${String(path?.[0])}" must be a string.` }).nullish()
const FIELDS = {
  text: z.string('"text" must be a string. Nothing of this line\'s batch was stored.'),
  role: z.string('"role" must be "user" or "agent" ("assistant" is taken too).'),
  user: name,
  agent: name,
  session: name,
  id: name,
  speaker: name,
  timeZone: name,
  at: z.unknown().optional(),
  remember: z.unknown().optional(),
}
const LINE = z.strictObject(FIELDS, {
  error: (issue) =>
    issue.code === 'unrecognized_keys'
      ? `"${issue.keys[0]}" is no field of a turn; those are ${Object.keys(FIELDS).join(', ')}.`
      : 'a turn is a JSON object such as {"role": "user", "text": "Hello"}.',
})

/**
 * JSON Lines, a turn a line: `{"role", "text"}` and, where known, `id`, `at` (ISO 8601 or milliseconds),
 * `timeZone`, `speaker`, `session`, `user`, `agent`, `remember`. Lines are read as they come; a file of any
 * size takes little memory.
 */
export function readJsonl(file: string, stdin: Input): ImportSource {
  return { name: file, total: null, turns: () => readTurns(file, readLines(file, stdin)) }
}

async function* readTurns(file: string, lines: AsyncIterable<string>): AsyncGenerator<PlacedTurn> {
  let number = 0
  for await (const line of lines) {
    number += 1
    if (line.trim() !== '') yield readTurn(line, `${file}:${number}`)
  }
}

function readTurn(line: string, where: string): PlacedTurn {
  const value = parseJson(line)
  if (value === undefined) {
    throw wrongUsage(
      `${where}: this line is not JSON. The format jsonl takes one JSON object a turn, a line each.`,
    )
  }
  const read = LINE.safeParse(value)
  if (!read.success) throw wrongUsage(`${where}: ${read.error.issues[0]?.message}`)
  const { user = null, agent = null, session = null, ...turn } = read.data
  // The engine checks roles and times itself and names the field; absent and null mean the same here.
  const fields = Object.entries(turn).filter(([, field]) => field !== null)
  return { user, agent, app: null, session, turn: Object.fromEntries(fields) as unknown as TurnInput }
}
