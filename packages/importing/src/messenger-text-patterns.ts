// Patterns of names, notices, media and additions in texts of messengers such as WhatsApp.
import messengerWords from './messenger-words.json' with { type: 'json' }

/** Matches a name, a colon and the text: “Anna: Hello”. */
export const NAME_AND_TEXT = /^(?<name>[^:]{1,100}):(?:\s(?<text>[\s\S]*))?$/u
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
export const NOTICE_TEXT = new RegExp(NOTICE_TEXTS.join('|'), 'iu')
/** Matches the direction mark that WhatsApp puts before its own texts on iPhones. */
export const STARTS_WITH_MARK = /^[\u200E\u200F\u202A]/
/** Matches WhatsApp's text in place of a deleted message on Android, where no mark identifies it. */
export const DELETED = new RegExp(`^(?:${messengerWords.deletions.join('|')})[.。]?$`, 'iu')
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
export const MEDIA = new RegExp(`^(?:${MEDIA_NOTES.join('|')})$`, 'iu')
/** Matches a first line with an attached file: “IMG-1.jpg (file attached)”. */
export const ATTACHED = /^\S[^\n]{0,80}\.\w{2,5} \([^()\n]{3,30}\)(?:\n|$)/u
/** Matches a named file: “IMG-1.jpg (file attached)” on Android, “<attached: IMG-1.jpg>” on iPhones. */
export const NAMED_FILE =
  /^(?<android>\S[^\n]{0,80}\.\w{2,5}) \([^()\n]{3,30}\)|\u200E<[^<>\n:：]{3,20}[:：] (?<iphone>[^<>\n]{1,100}\.\w{2,5})>/u
/** Matches a note in place of a file that was not exported. */
export const LEFT_OUT_MEDIA = /omitted|not included|已忽略|已省略|未包含|^<[^<>\n]{3,60}>$/iu
/** Kinds of attachments, and the words by which a note names them. */
export const ATTACHMENT_KINDS: readonly (readonly [kind: string, words: RegExp])[] = [
  ['image', /image|photo|sticker|gif|图像|图片|表情|贴图|动态图/iu],
  ['video', /video|视频/iu],
  ['audio', /audio|voice|音频/iu],
]

/** Matches the messenger's addition after the message: “<This message was edited>”, or an attachment after a direction mark. */
export const TRAILING_NOTE = new RegExp(
  String.raw`\s*(?:\u200E<[^<>\n]{3,120}>|<[^<>\n]{0,40}(?:${messengerWords.edits.join('|')})[^<>\n]{0,20}>)$`,
  'iu',
)
/** Matches complete quotations. An unclosed quotation before a colon is part of a notice, such as one about a group's new name. */
export const QUOTED = /"[^"]*"|„[^“”]*[“”]|“[^”]*”|«[^»]*»|「[^」]*」/gu
/** Matches an opening quotation mark. */
export const QUOTE = /["„“«「]/u
/** Matches the sign before names of people who are not in the contacts. */
export const UNKNOWN_CONTACT = /^~[\s\u202F\u00A0]+/u
/** Marks of text direction, which messengers add and which are invisible. */
export const MARKS = /[\u200E\u200F\u202A-\u202E\u2066-\u2069]/g
