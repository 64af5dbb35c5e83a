import { z } from 'zod'
import type { Metadata, TurnInput } from 'keepsake'
import { unreadable } from './import-error.ts'
import type { ImportSettings, ImportSource, PlacedTurn } from './import-source.ts'
import type { InputFile } from './input-file.ts'
import { isObject, readItems, type JsonRecord } from './json-records.ts'
import { withIds } from './name-turns.ts'
import { optionName } from './option-name.ts'
import { readMoment } from './read-moment.ts'

const name = z.string({ error: ({ path }) => `"${String(path?.[0])}" must be a string.` }).nullish()
const ROLES = ['user', 'assistant', 'agent', 'system', 'tool', 'other'] as const
const FIELDS = {
  text: z
    .string({
      error: ({ input }) =>
        input === undefined ? '"text", the message, is missing.' : '"text" must be a string.',
    })
    .refine((text) => text.trim() !== '', '"text" is empty. Remove the turn, or add its text.'),
  role: z.enum(
    ROLES,
    `"role" must be "user" or "assistant" (${ROLES.slice(2).join(', ')} are accepted too).`,
  ),
  user: name,
  agent: name,
  session: name,
  id: name,
  speaker: name,
  timeZone: name,
  attachments: z
    .array(
      z.looseObject({ type: z.string() }),
      '"attachments" must be a list such as [{"type": "image", "url": "…"}].',
    )
    .nullish(),
  at: z.unknown().optional(),
  metadata: z
    .custom<Metadata>(isObject, '"metadata" must be an object such as {"topic": "travel"}.')
    .nullish(),
  remember: z.boolean('"remember" must be true or false.').nullish(),
}
const LINE = z.strictObject(FIELDS, {
  error: (issue) =>
    issue.code === 'unrecognized_keys'
      ? `"${issue.keys[0]}" is not a field of a turn. The fields are ${Object.keys(FIELDS).join(', ')}.`
      : 'a turn is a JSON object such as {"role": "user", "text": "Hello"}.',
})
/** Explains a file whose turns have the field of OpenAI's messages. */
const contentFor = (settings: ImportSettings): string =>
  `"text" is missing, but there is "content", as in OpenAI messages. Set ${optionName(settings, 'format', 'openai')}, or rename the field.`

/** Reads JSON Lines of turns: `role`, `text`, and known fields of `TurnInput`, with `user`, `agent` and `session`. */
export function readJsonl(input: InputFile, settings: ImportSettings): ImportSource {
  return { name: input.name, format: 'jsonl', turns: () => withIds('jsonl', readTurns(input, settings)) }
}

function* readTurns(input: InputFile, settings: ImportSettings): Generator<PlacedTurn> {
  for (const record of readItems(input)) yield readTurn(record, settings)
}

function readTurn({ value, where }: JsonRecord, settings: ImportSettings): PlacedTurn {
  if (isObject(value) && value['text'] === undefined && value['content'] !== undefined)
    throw unreadable(`${where}: ${contentFor(settings)}`)
  const read = LINE.safeParse(value)
  if (!read.success) throw unreadable(`${where}: ${read.error.issues[0]?.message}`)
  const { user = null, agent = null, session = null, at, ...turn } = read.data
  // A field that is null counts as absent. The engine validates the rest.
  const fields = Object.entries(turn).filter(([, field]) => field !== null && field !== undefined)
  const time = at === undefined || at === null ? {} : { at: readMoment(at, `${where}: "at"`, settings) }
  const input = { ...(Object.fromEntries(fields) as unknown as Omit<TurnInput, 'at'>), ...time }
  return { user, agent, app: null, session, where, turn: input }
}
