import { type AttachmentInput, given, textWithAttachments } from '@keepsake/text/names'
import { unreadable } from './import-error.ts'
import type { ImportSettings, ImportSource, PlacedTurn } from './import-source.ts'
import type { InputFile } from './input-file.ts'
import { isObject, nameIn, readJson, type JsonObject, type JsonRecord } from './json-records.ts'
import { shapeOf } from './json-shape.ts'
import type { LeftOut, LeftOutReason } from './left-out.ts'
import { SessionNamer, withIds } from './name-turns.ts'
import { readMessengerText } from './read-messenger-text.ts'
import { readMoment } from './read-moment.ts'
import { chooseSpeaker, partOf } from './speaking.ts'

/** Matches the path of a message, in the export of one chat or of all chats of an account. */
const MESSAGE = /^(?:chats\/list\/\d+\/|left_chats\/list\/\d+\/)?messages\/\d+$/
/** Matches the paths of the values that contain messages. */
const MESSAGE_PARENT = /^(?:(?:left_)?chats(?:\/list(?:\/\d+(?:\/messages)?)?)?|messages)?$/
const CHAT_ID = /^(?:(?:left_)?chats\/list\/\d+\/)?id$/
/** The path of the account owner's id. */
const OWNER = 'personal_information/user_id'

/** A message with text, and the id of its chat. */
interface Message {
  readonly speaker: string
  /** The sender's account id, since names may repeat. */
  readonly sender: unknown
  readonly text: string
  readonly chat: string
  readonly message: JsonObject
  readonly where: string
}

/** Reads Telegram's export: result.json of a chat or an account, or text copied from a chat. */
export function readTelegram(input: InputFile, settings: ImportSettings): ImportSource {
  if (!shapeOf(input).has('$.messages') && !shapeOf(input).has('$.chats'))
    return readMessengerText('telegram', input, settings)
  const user = findUser(input, settings)
  function* readTurns(leftOut: LeftOut): Generator<PlacedTurn> {
    const sessions = new SessionNamer()
    for (const read of readMessages(input)) {
      if (typeof read === 'string') leftOut.add(read)
      else {
        const placed = placeMessage(read, user, settings)
        yield { ...placed, session: sessions.of(`telegram-${read.chat}`, placed) }
      }
    }
  }
  return {
    name: input.name,
    format: 'telegram',
    turns: (leftOut) => withIds('telegram', readTurns(leftOut)),
  }
}

/** Returns the name of the account's owner if the export contains it, otherwise the chosen speaker. */
function findUser(input: InputFile, settings: ImportSettings): string {
  const counts = new Map<string, number>()
  let owner: string | null = null
  const ownId = ownerOf(input)
  for (const read of readMessages(input)) {
    if (typeof read === 'string') continue
    if (ownId !== null && read.sender === `user${ownId}`) owner = read.speaker
    counts.set(read.speaker, (counts.get(read.speaker) ?? 0) + 1)
  }
  if (counts.size === 0) return ''
  return settings.speaker === undefined && owner !== null
    ? owner
    : chooseSpeaker(input.name, counts, settings)
}

/** Returns the account id of the owner, which only the export of an account contains. */
function ownerOf(input: InputFile): string | null {
  if (!shapeOf(input).has('$.personal_information.user_id')) return null
  const owners = readJson(input, (path) => {
    const joined = path.join('/')
    if (joined === OWNER) return 'take'
    return OWNER.startsWith(joined) ? 'enter' : 'skip'
  })
  for (const { value } of owners) return nameIn(value) ?? null
  return null
}

/** Reads the messages of all chats, each with its chat's id. Yields a reason for each skipped message. */
function* readMessages(input: InputFile): Generator<Message | LeftOutReason> {
  const ids = new Map<string, string>()
  const records = readJson(input, (path) => {
    const joined = path.join('/')
    if (MESSAGE.test(joined) || CHAT_ID.test(joined)) return 'take'
    return MESSAGE_PARENT.test(joined) ? 'enter' : 'skip'
  })
  for (const record of records) {
    const { path, value } = record
    const chat = path.slice(0, path.lastIndexOf('messages')).join('.')
    if (path.at(-1) === 'id') ids.set(path.slice(0, -1).join('.'), nameIn(value) ?? chat)
    else yield readMessage(record, ids.get(chat) ?? (chat === '' ? 'chat' : chat))
  }
}

function readMessage({ value, where }: JsonRecord, chat: string): Message | LeftOutReason {
  if (!isObject(value)) throw unreadable(`${where}: a message is an object with "from", "date" and "text".`)
  if (value['type'] === 'service') return 'notices'
  // The exporter writes only the id of messages that it does not support.
  if (value['type'] === 'unsupported') return 'wordless'
  const plainText = textOf(value['text'] ?? value['text_entities'])
  if (plainText === undefined) throw unreadable(`${where}: "text" must be a string or a list of parts.`)
  const text = textWithAttachments(plainText, attachmentsOf(value))
  if (text === '') return 'wordless'
  const { from, from_id: sender } = value
  const speaker = typeof from === 'string' && from.trim() !== '' ? from : 'Deleted account'
  return { speaker, sender, text, chat, message: value, where }
}

/** Matches the path of an exported file. For other files the export contains a note in parentheses. */
const EXPORTED = /^[^()]+$/

function attachmentsOf(message: JsonObject): AttachmentInput[] {
  const { photo, file, file_name: name, mime_type: mediaType, media_type: media = '' } = message
  if (photo === undefined && file === undefined) return []
  const path = nameIn(photo) ?? nameIn(file) ?? ''
  const type = photo === undefined ? attachmentType(String(media)) : 'image'
  const url = EXPORTED.test(path) ? path : undefined
  return [{ type, ...given({ url, name: nameIn(name), mediaType: nameIn(mediaType) }) }]
}

function attachmentType(media: string): 'audio' | 'image' | 'video' | 'file' {
  if (/voice|audio/.test(media)) return 'audio'
  if (/sticker|animation/.test(media)) return 'image'
  return /video/.test(media) ? 'video' : 'file'
}

/** Returns a text, or joins the parts of a formatted text. Returns `undefined` for anything else. */
function textOf(text: unknown): string | undefined {
  if (typeof text === 'string') return text.trim()
  if (!Array.isArray(text)) return undefined
  const parts = text.map((part: unknown) => (isObject(part) ? withMarks(part) : part))
  return parts.every((part) => typeof part === 'string') ? parts.join('').trim() : undefined
}

/** Adds Markdown marks to quotations and code, since these are not the sender's own words. */
function withMarks({ type, text }: JsonObject): unknown {
  if (typeof text !== 'string') return text
  if (type === 'blockquote') return `\n${text.trim().replaceAll(/^/gm, '> ')}\n\n`
  return type === 'pre' || type === 'code' ? `\n\`\`\`\n${text}\n\`\`\`\n` : text
}

function placeMessage(
  { speaker, text, chat, message, where }: Message,
  user: string,
  settings: ImportSettings,
): PlacedTurn {
  const { id, date, date_unixtime: seconds } = message
  const name = nameIn(id)
  const at =
    seconds === undefined
      ? readMoment(date, `${where}: "date"`, settings)
      : readMoment(Number(seconds), `${where}: "date_unixtime"`, settings, 'seconds')
  const turn = {
    ...('forwarded_from' in message ? forwarded(message['forwarded_from']) : partOf(speaker, user)),
    ...given({ id: name === undefined ? undefined : `telegram-${chat}-${name}` }),
    text,
    at,
  }
  return { user, agent: null, app: null, session: null, where, turn }
}

/** Returns role and speaker of a forwarded message, which neither participant wrote. */
const forwarded = (from: unknown): { role: 'other'; speaker?: string } =>
  typeof from === 'string' && from.trim() !== '' ? { role: 'other', speaker: from } : { role: 'other' }
