import { textWithAttachments, type AttachmentInput } from '@keepsake/text/names'
import { unreadable } from './import-error.ts'
import { UNPLACED, type ImportSettings, type ImportSource, type PlacedTurn } from './import-source.ts'
import { decideDateOrder } from './decide-date-order.ts'
import type { InputFile } from './input-file.ts'
import type { LeftOut, LeftOutReason } from './left-out.ts'
import messengerWords from './messenger-words.json' with { type: 'json' }
import { inSessions, withIds } from './name-turns.ts'
import { chooseSpeaker, partOf } from './speaking.ts'
import { timeOfMessage, readStamped, type StampedMessage } from './stamped-lines.ts'

/** A message's speaker and words, or why it is skipped. */
type ParsedMessage = { readonly speaker: string; readonly text: string } | LeftOutReason

const NAME_AND_WORDS = /^(?<name>[^:]{1,100}):(?:\s(?<words>[\s\S]*))?$/u
/** Notices with a colon, which no name precedes. */
const NOTICE_TEXT =
  /changed (?:the|this) (?:group|subject|description)|changed (?:the|their) (?:subject|phone number)|end-to-end encrypted|created (?:the )?group|端到端加密|更改了|将群组名称|创建了群/iu
const STARTS_WITH_MARK = /^[\u200E\u200F\u202A]/
/** WhatsApp's words for a deleted message on Android, where no mark identifies it. */
const DELETED = new RegExp(`^(?:${messengerWords.deletions.join('|')})[.。]?$`, 'iu')
/** Android's media: an angle-bracketed note alone, or an attached file's name. */
const MEDIA =
  /^(?:<[^<>\n]{3,60}>|null|(?:image|video|audio|sticker|gif|document|contact card|photo|voice message) (?:omitted|not included)|live location shared|location: https?:\/\/\S+|(?:图像|图片|视频|音频|表情|贴图|文件|动态图)(?:已忽略|已省略|未包含)|(?:missed|未接)[^\n]{0,20}(?:call|来电|通话)[^\n]{0,20})$/iu
const ATTACHED = /^\S[^\n]{0,80}\.\w{2,5} \([^()\n]{3,30}\)(?:\n|$)/u
/** A file that the messenger names: on Android before a note in parentheses, on iPhones behind a word in angle brackets. */
const NAMED_FILE =
  /^(?<android>\S[^\n]{0,80}\.\w{2,5}) \([^()\n]{3,30}\)|\u200E<[^<>\n:：]{3,20}[:：] (?<iphone>[^<>\n]{1,100}\.\w{2,5})>/u
/** Matches a note in place of a file that was not exported. */
const LEFT_OUT_MEDIA = /omitted|not included|已忽略|已省略|未包含|^<[^<>\n]{3,60}>$/iu
const KINDS: readonly (readonly [kind: string, named: RegExp])[] = [
  ['image', /image|photo|sticker|gif|图像|图片|表情|贴图|动态图/iu],
  ['video', /video|视频/iu],
  ['audio', /audio|voice|音频/iu],
]

/** The picture or file of a message, from its name or from the note in its place; `null` for none. */
function parseAttachment(words: string): AttachmentInput | null {
  const plain = words.replace(MARKS, '').trim()
  const { android, iphone } =
    NAMED_FILE.exec(words.trimStart())?.groups ?? NAMED_FILE.exec(plain)?.groups ?? {}
  const name = (android ?? iphone)?.replace(MARKS, '')
  if (name === undefined && !(MEDIA.test(plain) && LEFT_OUT_MEDIA.test(plain))) return null
  if (name !== undefined) return { type: 'file', name }
  return { type: KINDS.find(([, named]) => named.test(plain))?.[0] ?? 'file' }
}

/** Text after the message: an edit note in angle brackets, or an attachment after the messenger's mark. */
const TRAILING_NOTE = new RegExp(
  String.raw`\s*(?:\u200E<[^<>\n]{3,120}>|<[^<>\n]{0,40}(?:${messengerWords.edits.join('|')})[^<>\n]{0,20}>)$`,
  'iu',
)
/** An unclosed quotation in a name: a notice, such as of a group's name with a colon. */
const QUOTED = /"[^"]*"|„[^“”]*[“”]|“[^”]*”|«[^»]*»|「[^」]*」/gu
const QUOTE = /["„“«「]/u
/** Precedes names that are not among the contacts. */
const UNKNOWN_CONTACT = /^~[\s\u202F\u00A0]+/u
const MARKS = /[\u200E\u200F\u202A-\u202E\u2066-\u2069]/g

/**
 * Reads a WhatsApp or Telegram text, or any in which each message begins with a time and a name. Messages may have several lines. Times are
 * in the settings' time zone.
 */
export function readMessengerText(
  format: 'whatsapp' | 'telegram' | 'transcript' | 'discord',
  input: InputFile,
  settings: ImportSettings,
): ImportSource {
  const messages = () =>
    format === 'discord' ? readStamped(input.lines()).map(readDiscordName) : readStamped(input.lines())
  const { order, note } = decideDateOrder(messages(), input.name, settings)
  const counts = new Map<string, number>()
  let notices = 0
  let others = 0
  for (const message of messages()) {
    const read = readMessage(message)
    if (read === 'notices') notices += 1
    else if (typeof read === 'string') others += 1
    else counts.set(read.speaker, (counts.get(read.speaker) ?? 0) + 1)
  }
  if (counts.size === 0 && others === 0)
    throw unreadable(
      `${input.name}: none of the ${notices} lines with a time has a name before the text, as in "14/03/2026, 19:05 - Anna: Hello".`,
    )
  const user = counts.size === 0 ? '' : chooseSpeaker(input.name, counts, settings)
  function* readTurns(leftOut: LeftOut): Generator<PlacedTurn> {
    for (const message of messages()) {
      const read = readMessage(message)
      if (typeof read === 'string') {
        leftOut.add(read)
        continue
      }
      const at = timeOfMessage(message, order, input.name, settings)
      yield {
        ...UNPLACED,
        user,
        where: `${input.name}:${message.line}`,
        turn: { ...partOf(read.speaker, user), text: read.text, at, timeZone: settings.timeZone },
      }
    }
  }
  return {
    name: input.name,
    format,
    turns: (leftOut) => inSessions(format, withIds(format, readTurns(leftOut))),
    notes: note === null ? [] : [note],
  }
}

/** DiscordChatExporter's text has the name behind the time, the message below, and its own blocks after it. */
function readDiscordName(message: StampedMessage): StampedMessage {
  const [name = '', ...below] = message.text.split('\n')
  const text = below.join('\n').replace(/\n*(?:\{\w+\}\n|={20,})[\s\S]*$/, '')
  return { ...message, name: name.replace(/ \(pinned\)$/, ''), text }
}

const isNotice = (beforeColon: string): boolean =>
  NOTICE_TEXT.test(beforeColon) || QUOTE.test(beforeColon.replace(QUOTED, ''))

function readMessage({ name, text }: StampedMessage): ParsedMessage {
  const plain = text.replace(MARKS, '').trim()
  const found = name === null ? NAME_AND_WORDS.exec(text)?.groups : { name, words: text }
  if (found === undefined || (name === null && isNotice(plain.split(':')[0] ?? ''))) return 'notices'
  const words = (found['words'] ?? '').replace(TRAILING_NOTE, '')
  const speaker = (found['name'] ?? '').replace(MARKS, '').trim().replace(UNKNOWN_CONTACT, '')
  const plainWords = words.replace(MARKS, '').trim()
  if (speaker === '') return 'notices'
  if (DELETED.test(plainWords)) return 'deleted'
  const attached = parseAttachment(found['words'] ?? '')
  const isOwn =
    plainWords !== '' && !MEDIA.test(plainWords) && (attached !== null || !STARTS_WITH_MARK.test(words))
  if (!isOwn && attached === null) return NOTICE_TEXT.test(plainWords) ? 'notices' : 'wordless'
  const caption = isOwn ? plainWords.replace(ATTACHED, '').trim() : ''
  const whole = textWithAttachments(caption, attached === null ? [] : [attached])
  return whole === '' ? 'wordless' : { speaker, text: whole }
}
