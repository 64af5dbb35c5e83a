import { basename } from 'node:path'
import { ImportError, unreadable } from './import-error.ts'
import type { ImportSettings } from './import-source.ts'
import type { InputFile } from './input-file.ts'
import { shapeOf, type JsonShape } from './json-shape.ts'
import { optionName } from './option-name.ts'
import { parseSpeaker } from './read-transcript.ts'
import { isCsvHead } from './csv-head.ts'
import { isLineHead } from './read-line.ts'
import { CHAT_FORMATS, CHAT_FORMAT_NAMES } from './chat-formats.ts'
import { isNamedFirst, isStamped } from './stamped-lines.ts'

/** Formats, in the order of the help. */
export const FORMATS = [
  'jsonl',
  'openai',
  'chatgpt',
  'claude',
  'whatsapp',
  'telegram',
  'transcript',
  'line',
  'csv',
  ...CHAT_FORMAT_NAMES,
  'mem0',
  'zep',
  'letta',
  'keepsake',
] as const
export type Format = (typeof FORMATS)[number]

/** Formats that are read here. The engine reads `keepsake`. */
export type ReadFormat = Exclude<Format, 'keepsake'>
export const READ_FORMATS = FORMATS.filter((format) => format !== 'keepsake')

/** Matches the path of a record: alone, in a list, or in a page of a list. */
const RECORD = String.raw`^\$(\[\])*(\.(results|memories|data|conversations)\[\])?`
/** Letta exports an agent, a list of agents, messages or passages. */
const LETTA_PATHS = [
  String.raw`\.core_memory`,
  String.raw`\.agents\[\]`,
  String.raw`(\[\]|\.messages\[\])?\.message_type`,
  String.raw`(\[\])?\.(archive_id|block_ids|embedding_config)`,
]
/** Zep returns messages, parts of a graph, threads, facts or counts of rows. */
const ZEP_PATHS = [
  String.raw`\.role_type$`,
  String.raw`^\$(\[\])?\.(edges|episodes|facts)(\[\]\.\w+)?$`,
  String.raw`^\$\.threads\[\]`,
  String.raw`^\$\[\]\.fact$`,
  String.raw`^\$\.(row_count|total_count)$`,
]
/** Paths by which a JSON format is recognised, such as `$[].role`. The first match decides, so formats with common fields come last. */
const SIGNATURES: readonly (readonly [format: Format, path: RegExp])[] = [
  ['keepsake', /^\$\.row$/],
  ['chatgpt', new RegExp(String.raw`${RECORD}\.mapping$`)],
  ['claude', new RegExp(String.raw`${RECORD}\.chat_messages$`)],
  ['letta', new RegExp(String.raw`^\$(${LETTA_PATHS.join('|')})$`)],
  ['telegram', /^\$(\.chats\.list|\.messages\[\]\.(from|from_id|actor|date_unixtime|text_entities))$/],
  ['zep', new RegExp(ZEP_PATHS.join('|'))],
  ['mem0', new RegExp(String.raw`${RECORD}\.memory$`)],
  ['jsonl', /^\$(\[\])?\.text$/],
  ['openai', /^\$(\[\]){0,2}(\.messages\[\])?\.(content|role)$/],
  ['mem0', /^\$(\[\])?\.results$/],
]
/** Paths of Letta's blocks. Other formats have these fields too, so they are checked last. */
const BLOCK = ['label', 'value'].map((name) => new RegExp(String.raw`^\$(\[\])?\.${name}$`))
/** Matches the path of a message's role. A file with roles has the format of OpenAI's API and not LangChain's. */
const ROLE = /^\$(\[\]|\.messages\[\])?\.role$/
/** Files of ChatGPT's and Claude's exports that contain no conversations. */
const FILES_WITHOUT_CHATS: ReadonlySet<string> = new Set([
  'user.json',
  'users.json',
  'projects.json',
  'message_feedback.json',
  'shared_conversations.json',
])
/** Matches a path of conversations or memories. A file with one is not refused for its name. */
const CHAT_PATH = /\.(?:mapping|chat_messages|role|memory|id)$/
/** A line of this many characters is JSON and no message with a time. */
const JSON_LINE_LENGTH = 10_000
/** Number of bytes at the start of a file that are searched for a line with a time or name. Notes may precede a chat. */
const MAX_SEARCHED_BYTES = 64_000

/**
 * Recognises the format of a file. Lines are tried first, since a chat in text may begin with a bracket as JSON does, and then JSON paths.
 *
 * @throws ImportError if no format is recognised
 */
export function recogniseFormat(input: InputFile, settings: Pick<ImportSettings, 'by'>): Format {
  const lines = input.text(0, Math.min(MAX_SEARCHED_BYTES, input.size)).split(/\r?\n/)
  const [first = ''] = lines
  if (isLineHead(lines)) return 'line'
  if (isCsvHead(first)) return 'csv'
  if (isDiscordText(lines)) return 'discord'
  const stampedLine = lines.find((line) => line.length < JSON_LINE_LENGTH && isStamped(line))
  if (stampedLine !== undefined) return messengerOf(stampedLine)
  const shape = shapeOf(input)
  if (FILES_WITHOUT_CHATS.has(basename(input.name)) && ![...shape].some((path) => CHAT_PATH.test(path)))
    throw unreadable(
      `${input.name} contains no conversations. In a ChatGPT or Claude export they are in conversations.json, next to this file.`,
    )
  const format = formatOf(shape)
  if (format !== undefined) return format
  // An empty list has every format: none of them finds a message in it.
  if (/^\s*\[\s*\]\s*$/.test(lines.join('\n'))) return 'jsonl'
  // A text may begin with a line in brackets, such as a title, which is not JSON.
  const isJson = /^\s*(?:\{|\[\s*(?:$|[[{]))/.test(lines.find((line) => line.trim() !== '') ?? '')
  if (!isJson && lines.some((line) => parseSpeaker(line) !== null)) return 'transcript'
  if (/^\s*<(?:!doctype html|html|head|body)\b/i.test(lines.join('\n')))
    throw unreadable(
      `${input.name} is a web page. Export the conversations as JSON or text instead; Google Takeout and Messenger offer both.`,
    )
  const jsonHint = isJson
    ? ` Its JSON starts with ${[...shape].slice(1, 5).join(', ') || 'nothing that can be read'}.`
    : ''
  throw new ImportError(
    `The format of ${input.name} is not recognised.${jsonHint} Set ${optionName(settings, 'format')} to one of ${READ_FORMATS.join(', ')}.`,
    { asks: 'format', choices: READ_FORMATS.map((name) => ({ name, turns: null })) },
  )
}

/** Reports whether a text is of DiscordChatExporter: it begins with a box of the server and the channel. */
const isDiscordText = ([first = '', second = '']: readonly string[]): boolean =>
  /^\uFEFF?={20,}$/.test(first) && second.startsWith('Guild:')

/** Returns the format of a JSON file by its paths. */
function formatOf(shape: JsonShape): Format | undefined {
  const paths = [...shape]
  const has = (pattern: RegExp): boolean => paths.some((path) => pattern.test(path))
  const chat = CHAT_FORMAT_NAMES.find(
    (name) => CHAT_FORMATS[name].paths.every(has) && !(name === 'langchain' && has(ROLE)),
  )
  if (chat !== undefined) return chat
  return SIGNATURES.find(([, signature]) => has(signature))?.[0] ?? (BLOCK.every(has) ? 'letta' : undefined)
}

/** Returns the format of a text whose messages begin with a time or a name, by the first such line. */
function messengerOf(line: string): Format {
  // In Telegram's texts the name precedes the time, or the date in brackets has points and no comma.
  if (/^[^[]+, \[/.test(line) || /^\[\d{1,2}\.\d{1,2}\.\d{4} /.test(line)) return 'telegram'
  return /^\[?\d{4}-\d\d-\d\d/.test(line) || isNamedFirst(line) ? 'transcript' : 'whatsapp'
}
