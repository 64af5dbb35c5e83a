import { textWithAttachments, type AttachmentInput } from '@keepsake/text/names'
import { UNPLACED, type ImportSettings, type ImportSource, type PlacedTurn } from './import-source.ts'
import { decideDateOrder } from './decide-date-order.ts'
import type { InputFile } from './input-file.ts'
import type { LeftOut, LeftOutReason } from './left-out.ts'
import messengerWords from './messenger-words.json' with { type: 'json' }
import { inSessions, withIds } from './name-turns.ts'
import { chooseSpeaker, partOf } from './speaking.ts'
import { timeOfMessage, readStamped, type StampedMessage } from './stamped-lines.ts'

/** A message's speaker and text, or the reason why it is skipped. */
type ParsedMessage = { readonly speaker: string; readonly text: string } | LeftOutReason

const NAME_AND_TEXT = /^(?<name>[^:]{1,100}):(?:\s(?<text>[\s\S]*))?$/u
/** Texts of notices that contain a colon. The part before the colon looks like a name. */
const NOTICE_TEXTS = [
  'changed (?:the|this) (?:group|subject|description)',
  'changed (?:the|their) (?:subject|phone number)',
  'end-to-end encrypted',
  'created (?:the )?group',
  '端到端加密',
  '更改了',
  '将群组名称',
  '创建了群',
]
const NOTICE_TEXT = new RegExp(NOTICE_TEXTS.join('|'), 'iu')
/** Matches the direction mark that WhatsApp puts before its own texts on iPhones. */
const STARTS_WITH_MARK = /^[\u200E\u200F\u202A]/
/** Matches WhatsApp's text in place of a deleted message on Android, where no mark identifies it. */
const DELETED = new RegExp(`^(?:${messengerWords.deletions.join('|')})[.。]?$`, 'iu')
/** Texts in place of media that the export does not contain: “<Media omitted>”, “image omitted”, “Missed voice call”. */
const MEDIA_NOTES = [
  String.raw`<[^<>\n]{3,60}>`,
  'null',
  '(?:image|video|audio|sticker|gif|document|contact card|photo|voice message) (?:omitted|not included)',
  'live location shared',
  String.raw`location: https?:\/\/\S+`,
  '(?:图像|图片|视频|音频|表情|贴图|文件|动态图)(?:已忽略|已省略|未包含)',
  String.raw`(?:missed|未接)[^\n]{0,20}(?:call|来电|通话)[^\n]{0,20}`,
]
const MEDIA = new RegExp(`^(?:${MEDIA_NOTES.join('|')})$`, 'iu')
/** Matches a first line with an attached file: “IMG-1.jpg (file attached)”. */
const ATTACHED = /^\S[^\n]{0,80}\.\w{2,5} \([^()\n]{3,30}\)(?:\n|$)/u
/** Matches a named file: “IMG-1.jpg (file attached)” on Android, “<attached: IMG-1.jpg>” on iPhones. */
const NAMED_FILE =
  /^(?<android>\S[^\n]{0,80}\.\w{2,5}) \([^()\n]{3,30}\)|\u200E<[^<>\n:：]{3,20}[:：] (?<iphone>[^<>\n]{1,100}\.\w{2,5})>/u
/** Matches a note in place of a file that was not exported. */
const LEFT_OUT_MEDIA = /omitted|not included|已忽略|已省略|未包含|^<[^<>\n]{3,60}>$/iu
/** Kinds of attachments, and the words by which a note names them. */
const KINDS: readonly (readonly [kind: string, words: RegExp])[] = [
  ['image', /image|photo|sticker|gif|图像|图片|表情|贴图|动态图/iu],
  ['video', /video|视频/iu],
  ['audio', /audio|voice|音频/iu],
]

/** Reads a message's picture or file from its name, or from the note in its place. Returns `null` if it has none. */
function parseAttachment(text: string): AttachmentInput | null {
  const plain = text.replace(MARKS, '').trim()
  const { android, iphone } =
    NAMED_FILE.exec(text.trimStart())?.groups ?? NAMED_FILE.exec(plain)?.groups ?? {}
  const name = (android ?? iphone)?.replace(MARKS, '')
  if (name === undefined && !(MEDIA.test(plain) && LEFT_OUT_MEDIA.test(plain))) return null
  if (name !== undefined) return { type: 'file', name }
  return { type: KINDS.find(([, words]) => words.test(plain))?.[0] ?? 'file' }
}

/** Matches the messenger's addition after the message: “<This message was edited>”, or an attachment after a direction mark. */
const TRAILING_NOTE = new RegExp(
  String.raw`\s*(?:\u200E<[^<>\n]{3,120}>|<[^<>\n]{0,40}(?:${messengerWords.edits.join('|')})[^<>\n]{0,20}>)$`,
  'iu',
)
/** Matches complete quotations. An unclosed quotation before a colon is part of a notice, such as one about a group's new name. */
const QUOTED = /"[^"]*"|„[^“”]*[“”]|“[^”]*”|«[^»]*»|「[^」]*」/gu
const QUOTE = /["„“«「]/u
/** Matches the sign before names of people who are not in the contacts. */
const UNKNOWN_CONTACT = /^~[\s\u202F\u00A0]+/u
const MARKS = /[\u200E\u200F\u202A-\u202E\u2066-\u2069]/g

/** Reads a text in which each message begins with a time and a name, such as WhatsApp's, in the settings' time zone. */
export function readMessengerText(
  format: 'whatsapp' | 'telegram' | 'transcript' | 'discord',
  input: InputFile,
  settings: ImportSettings,
): ImportSource {
  const messages = () =>
    format === 'discord' ? readStamped(input.lines()).map(readDiscordName) : readStamped(input.lines())
  const { order, note } = decideDateOrder(messages(), input.name, settings)
  const counts = new Map<string, number>()
  let others = 0
  for (const message of messages()) {
    const read = readMessage(message)
    if (typeof read === 'string') others += read === 'notices' ? 0 : 1
    else counts.set(read.speaker, (counts.get(read.speaker) ?? 0) + 1)
  }
  const nameless =
    counts.size + others === 0
      ? `None of the lines with a time has a name before the text, as in "14/03/2026, 19:05 - Anna: Hello".`
      : null
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
    notes: [note, nameless].filter((sentence) => sentence !== null),
  }
}

/** Reads name and text in DiscordChatExporter's format. The name follows the time, the text is below, and then come the exporter's notes. */
function readDiscordName(message: StampedMessage): StampedMessage {
  const [name = '', ...lines] = message.text.split('\n')
  const text = lines.join('\n').replace(/\n*(?:\{\w+\}\n|={20,})[\s\S]*$/, '')
  return { ...message, name: name.replace(/ \(pinned\)$/, ''), text }
}

/** Reports whether the text before a colon is no name but a part of a notice. */
const isNotice = (beforeColon: string): boolean =>
  NOTICE_TEXT.test(beforeColon) || QUOTE.test(beforeColon.replace(QUOTED, ''))

/** Reads speaker and text of a message, or the reason why it is skipped. */
function readMessage({ name, text }: StampedMessage): ParsedMessage {
  const plain = text.replace(MARKS, '').trim()
  const parts = name === null ? NAME_AND_TEXT.exec(text)?.groups : { name, text }
  if (parts === undefined || (name === null && isNotice(plain.split(':')[0] ?? ''))) return 'notices'
  const speaker = (parts['name'] ?? '').replace(MARKS, '').trim().replace(UNKNOWN_CONTACT, '')
  if (speaker === '') return 'notices'
  const content = (parts['text'] ?? '').replace(TRAILING_NOTE, '')
  const plainContent = content.replace(MARKS, '').trim()
  if (DELETED.test(plainContent)) return 'deleted'
  const attachment = parseAttachment(parts['text'] ?? '')
  const isMessengersText = STARTS_WITH_MARK.test(content) && attachment === null
  const hasOwnText = plainContent !== '' && !MEDIA.test(plainContent) && !isMessengersText
  if (!hasOwnText && attachment === null) return NOTICE_TEXT.test(plainContent) ? 'notices' : 'wordless'
  const caption = hasOwnText ? plainContent.replace(ATTACHED, '').trim() : ''
  const fullText = textWithAttachments(caption, attachment === null ? [] : [attachment])
  return fullText === '' ? 'wordless' : { speaker, text: fullText }
}
