import { textWithAttachments, type AttachmentInput } from '@keepsake/text/names'
import { UNPLACED, type ImportSettings, type ImportSource, type PlacedTurn } from './import-source.ts'
import { decideDateOrder } from './decide-date-order.ts'
import type { InputFile } from './input-file.ts'
import type { LeftOut, LeftOutReason } from './left-out.ts'
import {
  ATTACHED,
  ATTACHMENT_KINDS,
  DELETED,
  LEFT_OUT_MEDIA,
  MARKS,
  MEDIA,
  NAMED_FILE,
  NAME_AND_TEXT,
  NOTICE_TEXT,
  QUOTE,
  QUOTED,
  STARTS_WITH_MARK,
  TRAILING_NOTE,
  UNKNOWN_CONTACT,
} from './messenger-text-patterns.ts'
import { inSessions, withIds } from './name-turns.ts'
import { chooseSpeaker, partOf } from './speaking.ts'
import { timeOfMessage, readStamped, type StampedMessage } from './stamped-lines.ts'

/** A message's speaker and text, or the reason why it is skipped. */
type ParsedMessage = { readonly speaker: string; readonly text: string } | LeftOutReason

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
  let skippedMessages = 0
  for (const message of messages()) {
    const read = readMessage(message)
    if (typeof read === 'string') skippedMessages += read === 'notices' ? 0 : 1
    else counts.set(read.speaker, (counts.get(read.speaker) ?? 0) + 1)
  }
  const noNamesNote =
    counts.size + skippedMessages === 0
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
    notes: [note, noNamesNote].filter((sentence) => sentence !== null),
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

/** Reads a message's picture or file from its name, or from the note in its place. Returns `null` if it has none. */
function parseAttachment(text: string): AttachmentInput | null {
  const plain = text.replace(MARKS, '').trim()
  const { android, iphone } =
    NAMED_FILE.exec(text.trimStart())?.groups ?? NAMED_FILE.exec(plain)?.groups ?? {}
  const name = (android ?? iphone)?.replace(MARKS, '')
  if (name === undefined && !(MEDIA.test(plain) && LEFT_OUT_MEDIA.test(plain))) return null
  if (name !== undefined) return { type: 'file', name }
  return { type: ATTACHMENT_KINDS.find(([, words]) => words.test(plain))?.[0] ?? 'file' }
}
