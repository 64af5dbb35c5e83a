import { given } from '@keepsake/text/names'
import { unreadable } from './import-error.ts'
import { UNPLACED, type ImportSettings, type ImportSource, type PlacedTurn } from './import-source.ts'
import type { InputFile } from './input-file.ts'
import { isAbsent, isObject, readItems, within, type JsonObject } from './json-records.ts'
import type { LeftOut } from './left-out.ts'
import { hashOf, inSessions, withIds } from './name-turns.ts'
import { readContent } from './read-content.ts'
import { readMoment } from './read-moment.ts'
import { roleOf } from './speaking.ts'

/** Fields in which programs store the time of a message, and the session. */
const TIMES = ['created_at', 'created', 'create_time', 'timestamp', 'at', 'time', 'date'] as const
const SESSIONS = ['session', 'session_id', 'conversation_id', 'thread_id', 'id'] as const
const EXAMPLE = 'a message is an object such as {"role": "user", "content": "Hello"}.'

interface Reading {
  readonly format: string
  readonly settings: ImportSettings
  readonly leftOut: LeftOut
}

/** Reads messages `{"role", "content"}` of OpenAI's and similar APIs: a list, one per line, or conversations `{"messages": […]}`. */
export function readOpenai(input: InputFile, settings: ImportSettings): ImportSource {
  return {
    name: input.name,
    format: 'openai',
    turns: (leftOut) => {
      const turns = readConversations(input, { format: 'openai', settings, leftOut })
      return inSessions('openai', withIds('openai', turns))
    },
  }
}

function* readConversations(input: InputFile, reading: Reading): Generator<PlacedTurn> {
  for (const { value, where } of readItems(input)) {
    const listed = isObject(value) ? value['messages'] : undefined
    const messages = Array.isArray(value) ? value : listed
    if (!Array.isArray(messages)) {
      yield* readMessage(value, where, reading)
      continue
    }
    const turns = messages.flatMap((message: unknown, index) => {
      const path = isObject(value) ? ['messages', index] : [index]
      return readMessage(message, within(where, path), reading)
    })
    const session =
      sessionOf(value) ?? `openai-${hashOf(turns.slice(0, 2).map(({ turn }) => [turn.role, turn.text]))}`
    const user = isObject(value) && typeof value['user'] === 'string' ? value['user'] : null
    for (const placed of turns) yield { ...placed, session, user }
  }
}

function sessionOf(conversation: unknown): string | undefined {
  if (!isObject(conversation)) return undefined
  const metadata = isObject(conversation['metadata']) ? conversation['metadata'] : {}
  const names = SESSIONS.flatMap((field) => [conversation[field], metadata[field]])
  return names.find((name): name is string => typeof name === 'string' && name !== '')
}

/** Reads a message of the user or the assistant. Returns an empty list for other and empty messages. */
function readMessage(value: unknown, where: string, { format, settings, leftOut }: Reading): PlacedTurn[] {
  if (!isObject(value)) throw unreadable(`${where}: ${EXAMPLE}`)
  const { role, content = value['text'] ?? value['parts'], name, id } = value
  // Items of OpenAI's Responses API with another type are reasoning, tool calls and results.
  if (role === undefined && typeof value['type'] === 'string' && value['type'] !== 'message') {
    leftOut.add('machinery')
    return []
  }
  const part = typeof role === 'string' ? roleOf(role) : null
  if (part === null)
    throw unreadable(
      `${where}: "role" must be "user" or "assistant" (or "system", "developer", "tool", which are skipped).`,
    )
  const text = readContent(content)
  if (text === undefined) throw unreadable(`${where}: "content" must be a string or a list of parts.`)
  if (part === 'machine') leftOut.add('machinery')
  else if (text === '' && (content !== undefined || isWordless(value))) leftOut.add('wordless')
  else if (text === '')
    throw unreadable(`${where}: "content" is missing. Remove the message, or add its text.`)
  if (part === 'machine' || text === '') return []
  const at = timeOf(value, where, settings)
  const turn = {
    role: part,
    text,
    ...given({
      id: typeof id === 'string' && id !== '' ? `${format}-${id}` : undefined,
      speaker: typeof name === 'string' && name.trim() !== '' ? name : undefined,
      at,
    }),
  }
  return [{ ...UNPLACED, where, turn }]
}

/** Reports whether a message may have no text, because it calls a tool, is a refusal or contains audio. */
const isWordless = (message: JsonObject): boolean =>
  ['tool_calls', 'function_call', 'refusal', 'audio'].some((field) => !isAbsent(message[field]))

function timeOf(message: JsonObject, where: string, settings: ImportSettings): number | undefined {
  const field = TIMES.find((name) => !isAbsent(message[name]))
  if (field === undefined) return undefined
  return readMoment(
    message[field],
    `${where}: "${field}"`,
    settings,
    field === 'at' ? 'milliseconds' : 'seconds',
  )
}
