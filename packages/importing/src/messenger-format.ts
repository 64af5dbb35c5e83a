import { items, type ChatFormat, type FormatMessage } from './chat-format.ts'
import type { JsonObject } from './json-records.ts'
import type { LeftOutReason } from './left-out.ts'

/** Messenger's and Instagram's exports. Exports of encrypted chats have other field names. */
export const MESSENGER: ChatFormat = {
  paths: [/^\$\.messages\[\]\.(?:sender_name|senderName)$/],
  isNewestFirst: true,
  read: ({ messages }) => ({ session: null, messages: items(messages).map(readMessengerMessage) }),
}

function readMessengerMessage(record: JsonObject): FormatMessage | LeftOutReason {
  const name = record['sender_name'] ?? record['senderName']
  const content = record['content'] ?? record['text']
  const speaker = typeof name === 'string' ? withoutMojibake(name) : undefined
  const text = typeof content === 'string' ? withoutMojibake(content) : ''
  if (record['isUnsent'] === true || record['is_unsent'] === true) return 'deleted'
  if (record['call_duration'] !== undefined || isMetaNotice(text, speaker)) return 'notices'
  return { role: null, speaker, text, at: record['timestamp_ms'] ?? record['timestamp'] }
}

/** Words for “to your message” in Meta's notices of reactions. */
const TO_YOUR_MESSAGE = [
  'to (?:your|a) message',
  'deine Nachricht reagiert',
  '(?:votre|ton) message',
  'tu mensaje',
  'tuo messaggio',
  'sua mensagem',
  'je bericht',
  'ваше сообщение',
].join('|')
/** Matches a reaction in several languages: “Reacted ❤️ to your message”, “liked a message”. */
const REACTION = new RegExp(
  String.raw`^(?:liked a message|[^.!?\n]{0,30}\p{Extended_Pictographic}[^.!?\n]{0,20}(?:${TO_YOUR_MESSAGE}))\s*$`,
  'iu',
)
/** Beginnings of Meta's notices after the sender's name: “Ana sent a photo.” */
const NOTICE_STARTS = [
  String.raw`sent (?:an?|your|\d+) `,
  '(?:shared|unsent) (?:an?|the|your) ',
  'missed (?:an?|your) ',
  '(?:started|joined|ended) (?:an?|the|sharing) ',
  'left the (?:group|chat)',
  'named the group',
  'changed the ',
  'set (?:the|your|his|her) ',
  String.raw`added \S.* to the (?:group|chat)`,
  String.raw`removed \S.* from the`,
  'created the group',
  'pinned a message',
  'unsent a message',
]
const NOTICE_START = new RegExp(`^(?:${NOTICE_STARTS.join('|')})`, 'i')
/** Matches a notice of a call: “The video chat ended.” */
const CALL_NOTICE =
  /^(?:The|This) (?:video chat|(?:video |audio |group )?call) (?:has )?(?:started|ended)\.?$/i

/** Reports whether a text is a notice of the messenger: “Ana Bell left the group.”, “You sent a photo.”, “The video chat ended.” */
function isMetaNotice(text: string, speaker: string | undefined): boolean {
  if (REACTION.test(text) || CALL_NOTICE.test(text)) return true
  if (speaker === undefined) return false
  if (speaker.includes(' ') && text.startsWith(`${speaker} `)) return true
  const sender = [speaker, speaker.split(' ')[0], 'You'].find((name) => text.startsWith(`${name} `))
  return sender !== undefined && NOTICE_START.test(text.slice(sender.length + 1))
}

/** Repairs text in which Meta's export writes each byte of UTF-8 as one character (“mojibake”). */
function withoutMojibake(text: string): string {
  if (!/[\u0080-\u00FF]/.test(text) || /[\u0100-\uFFFF]/.test(text)) return text
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(text, 'latin1'))
  } catch {
    return text
  }
}
