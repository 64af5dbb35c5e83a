import { given } from '@keepsake/text/names'
import { unreadable } from './import-error.ts'
import { UNPLACED, type ImportSettings, type ImportSource, type PlacedTurn } from './import-source.ts'
import type { InputFile } from './input-file.ts'
import { isObject, readItems, type JsonObject, within } from './json-records.ts'
import type { LeftOut } from './left-out.ts'
import { SessionNamer, withIds } from './name-turns.ts'
import { readContent } from './read-content.ts'
import { readMoment } from './read-moment.ts'

/** Fields with lists to import, in the order of import. */
const LISTS = [
  'agents',
  'core_memory',
  'memory_blocks',
  'blocks',
  'passages',
  'archival_memory',
  'messages',
] as const
const EXAMPLE =
  'A Letta agent file contains "agents" and "blocks", or messages, blocks {label, value} and passages {text}.'
/** Matches ids that only number the messages of one file, such as `message-3`. Other files repeat them. */
const NUMBERED_ID = /^\w+-\d+$/

/** Maximum characters of a block for which the file names no limit. */
const DEFAULT_LIMIT = 5_000
/** The engine's largest limit of a block. */
const MAX_LIMIT = 100_000

interface ReadContext {
  readonly settings: ImportSettings
  readonly leftOut: LeftOut
  /** Texts of the blocks read so far, by name. */
  readonly names: Map<string, string>
}

/** Reads Letta's agent file (.af) or API answers. Messages become turns, core memory becomes blocks, and archival passages become notes. */
export function readLetta(input: InputFile, settings: ImportSettings): ImportSource {
  function* readAll(leftOut: LeftOut): Generator<PlacedTurn> {
    const sessions = new SessionNamer()
    const names = new Map<string, string>()
    for (const { value, where } of readItems(input)) {
      for (const placed of readValue(value, where, 'letta', { settings, leftOut, names }))
        yield placed.turn.role === 'other'
          ? placed
          : { ...placed, session: sessions.of(placed.session ?? 'letta', placed) }
    }
  }
  return { name: input.name, format: 'letta', turns: (leftOut) => withIds('letta', readAll(leftOut)) }
}

/** Reads a message, a block or a passage, or an object that contains lists of them. */
function readValue(value: unknown, where: string, chat: string, context: ReadContext): PlacedTurn[] {
  if (!isObject(value)) throw unreadable(`${where}: ${EXAMPLE}`)
  if (typeof value['message_type'] === 'string' || typeof value['role'] === 'string')
    return readMessage(value, where, chat, context)
  if (typeof value['label'] === 'string' && 'value' in value) return readBlock(value, where, context)
  if (typeof value['text'] === 'string') return [readPassage(value, value['text'], where, context)]
  const { name, memory } = value
  const agent = typeof name === 'string' && name !== '' ? `letta-${name}` : chat
  const nested = isObject(memory) ? readValue(memory, within(where, ['memory']), agent, context) : []
  const lists = LISTS.filter((field) => Array.isArray(value[field]))
  if (lists.length === 0 && !isObject(memory) && !('agent_type' in value))
    throw unreadable(`${where}: ${EXAMPLE}`)
  const parts = lists.flatMap((field) =>
    (value[field] as unknown[]).flatMap((item, index) =>
      readValue(item, within(where, [field, index]), agent, context),
    ),
  )
  return [...nested, ...parts]
}

function readBlock(block: JsonObject, where: string, { names }: ReadContext): PlacedTurn[] {
  const { label, value, limit } = block
  if (typeof value !== 'string') throw unreadable(`${where}: "value" of a block must be a string.`)
  const text = value.trim()
  const name = nameOf(String(label), text, names)
  if (name === null) return []
  const statedLimit = typeof limit === 'number' && Number.isInteger(limit) ? limit : DEFAULT_LIMIT
  const limitForText = Math.max(statedLimit, Array.from(text).length, 1)
  const blockFields = { name, limit: Math.min(MAX_LIMIT, limitForText) }
  const turn = { role: 'other' as const, speaker: 'Letta', text, id: `letta-block-${name}` }
  return [{ ...UNPLACED, where, turn, block: blockFields }]
}

/** Names a block by its label. A second text with the same label gets a number. Returns `null` for a text that was read before. */
function nameOf(label: string, text: string, names: Map<string, string>): string | null {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? label : `${label}-${number}`
    const knownText = names.get(name)
    if (knownText === text) return null
    if (knownText !== undefined) continue
    names.set(name, text)
    return name
  }
}

/** Reads an archival passage as a note. */
function readPassage(
  passage: JsonObject,
  content: string,
  where: string,
  { settings }: ReadContext,
): PlacedTurn {
  const text = content.trim()
  if (text === '') throw unreadable(`${where}: "text" is empty.`)
  const { label } = passage
  const turn = {
    role: 'other' as const,
    speaker: 'Letta',
    text,
    ...given({
      id: idOf(passage['id']),
      at: timeOf(passage, where, settings),
      metadata: typeof label === 'string' ? { label } : undefined,
    }),
  }
  return { ...UNPLACED, session: 'letta-memory', where, turn, isStatement: true }
}

function readMessage(
  message: JsonObject,
  where: string,
  chat: string,
  { settings, leftOut }: ReadContext,
): PlacedTurn[] {
  const spoken = roleAndText(message)
  if (spoken === undefined) throw unreadable(`${where}: "content" must be a string or a list of parts.`)
  if (spoken === null) leftOut.add('machinery')
  else if (spoken.text === '') leftOut.add('wordless')
  if (spoken === null || spoken.text === '') return []
  const turn = { ...spoken, ...given({ id: idOf(message['id']), at: timeOf(message, where, settings) }) }
  return [{ ...UNPLACED, session: chat, where, turn }]
}

/** Returns role and text of a message. Returns `null` for internal messages, and `undefined` for unreadable content. */
function roleAndText(
  message: JsonObject,
): { readonly role: 'user' | 'assistant'; readonly text: string } | null | undefined {
  const { role, message_type: kind, content = message['text'], tool_calls: calls } = message
  const text = readContent(content)
  if (text === undefined) return undefined
  if (kind === 'user_message' || role === 'user') {
    const userText = unpack(text)
    return userText === null ? null : { role: 'user', text: userText }
  }
  if (kind === 'assistant_message') return { role: 'assistant', text }
  if (role !== 'assistant') return null
  // In messages of older agents the text is the reasoning, and the tool `send_message` contains the reply.
  if (!Array.isArray(calls) || calls.length === 0) return { role: 'assistant', text }
  const sent = calls.flatMap(sentBy)
  return sent.length === 0 ? null : { role: 'assistant', text: sent.join('\n') }
}

/** Returns the user's text, which some versions wrap in JSON. Returns `null` for events of Letta itself. */
function unpack(text: string): string | null {
  if (!text.startsWith('{')) return text
  const packed = parse(text)
  if (!isObject(packed) || typeof packed['type'] !== 'string') return text
  return packed['type'] === 'user_message' && typeof packed['message'] === 'string'
    ? packed['message'].trim()
    : null
}

/** Returns the message that a call of the tool `send_message` sends, or nothing for other calls. */
function sentBy(call: unknown): string[] {
  const called = isObject(call) && isObject(call['function']) ? call['function'] : null
  if (called?.['name'] !== 'send_message' || typeof called['arguments'] !== 'string') return []
  const values = parse(called['arguments'])
  return isObject(values) && typeof values['message'] === 'string' ? [values['message'].trim()] : []
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

const idOf = (id: unknown): string | undefined =>
  typeof id === 'string' && id !== '' && !NUMBERED_ID.test(id) ? `letta-${id}` : undefined

function timeOf(record: JsonObject, where: string, settings: ImportSettings): number | undefined {
  const field = ['created_at', 'date'].find((name) => record[name] !== undefined && record[name] !== null)
  return field === undefined ? undefined : readMoment(record[field], `${where}: "${field}"`, settings)
}
