import { attachmentsIn, textWithAttachments, type AttachmentInput } from 'keepsake'
import { Problem } from '../problem.ts'
import type { ServerDeps, Upstream } from '../server-context.ts'
import { parseJson } from '../serving/request-body.ts'
import type { AnswerReader } from './read-answer.ts'

/** A request to a language model, as far as memory needs it. */
export interface ChatRequest {
  /** The unparsed body. */
  readonly json: string
  /** The user that the body names, from the protocol's field for it. */
  readonly user: string | null
  /** `null` when there is no list of messages; the upstream reports that error. */
  readonly messages: readonly ChatMessage[] | null
  /** The id of the stored answer or conversation that this request continues; `null`: the request has the whole conversation. */
  readonly continuedId: string | null
  /** The request's last message, if it is the assistant's: the beginning of the answer, or another character's message. */
  readonly answerPrefix: ChatMessage | null
  /** Returns the JSON of the request with the recalled context added. Other values stay, numbers with their original digits. */
  readonly addContext: (content: string) => string
}

/** How clients of one API call a language model. */
export interface ChatProtocol {
  /** Relative to the upstream's URL. */
  readonly path: string
  /** The body field that names the user, for error messages. */
  readonly userField: string
  /** @throws Problem 400 for anything but a JSON object; the upstream checks the rest. */
  readonly read: (json: string) => ChatRequest
  /** Returns a reader for the content type of the answer, which may differ from what the request's `stream` asked. */
  readonly answerReader: (contentType: string | null) => AnswerReader
  /** @throws Problem 503 `no-upstream`. */
  readonly upstream: (deps: ServerDeps) => Upstream
}

const MAX_NAME_LENGTH = 80

/** A message of a request to a language model, as far as memory needs it. */
export interface ChatMessage {
  /** `other`: system, developer, results of tools. */
  readonly role: 'user' | 'assistant' | 'other'
  /** The role of the application's instructions to the model; `null` for other messages. */
  readonly instructionRole: 'system' | 'developer' | null
  /** Whether the model calls tools in this message. Its next message then still answers the same user turn. */
  readonly callsTools: boolean
  /** The text, with a line for each attachment. */
  readonly text: string
  readonly attachments: readonly AttachmentInput[]
  /** The text without these lines. */
  readonly textOnly: string
  readonly name: string | null
}

/** A message without content, as the result of a tool is read. */
export const TOOL_RESULT: ChatMessage = {
  role: 'other',
  instructionRole: null,
  callsTools: false,
  text: '',
  attachments: [],
  textOnly: '',
  name: null,
}

/** Reads instructions outside of the messages, a text or a list of blocks. */
export function readInstructions(instructions: unknown): ChatMessage[] {
  return partsOf(instructions).map((part) => {
    const text = textOfPart(part) ?? ''
    return { ...TOOL_RESULT, instructionRole: 'system', text, textOnly: text }
  })
}

/** Returns the indexes of the user's messages since the agent's last answer. A tool call is not an answer. */
export function newMessages(messages: readonly ChatMessage[]): readonly number[] {
  const last = messages.findLastIndex(({ role, callsTools }) => role === 'assistant' && !callsTools)
  return messages.flatMap(({ role, text }, index) =>
    index > last && role === 'user' && text.trim() !== '' ? [index] : [],
  )
}

/** Whether the user spoke last. Instructions after their message, such as SillyTavern's post-history ones, are no speech. */
export function endsWithUser(messages: readonly ChatMessage[]): boolean {
  return messages.findLast(({ instructionRole }) => instructionRole === null)?.role === 'user'
}

/** Separates a last message of the assistant, which the model continues, and a client's nudge in the user's last message. */
export function splitLastMessage(
  messages: readonly ChatMessage[] | null,
): Pick<ChatRequest, 'messages' | 'answerPrefix'> {
  const last = messages?.at(-1)
  if (messages === null || last === undefined) return { messages, answerPrefix: null }
  const before = messages.slice(0, -1)
  if (last.role === 'assistant' && !last.callsTools) return { messages: before, answerPrefix: last }
  return { messages: last.role === 'user' ? [...before, ...splitNudge(last)] : messages, answerPrefix: null }
}

/** Words about a message, by which an instruction of a client is recognised: “the next reply”, 上一条消息. */
const NEXT_MESSAGE = [
  String.raw`\b(?:next (?:reply|message|response)|(?:last|following|previous) message)\b`,
  '身份(?:回复|回答|发言)|上一?条(?:消息|回复)',
].join('|')
/** Matches an instruction of a client in brackets at the end of a message: “[Write the next reply only as Bea.]”. */
const NUDGE = new RegExp(
  String.raw`(?:^|\n)\s*[\[【](?=[^\n]{0,80}(?:${NEXT_MESSAGE})|(?:reply|respond) only as )[^\]】\n]*[\]】]\s*$`,
  'iu',
)

/** Splits a nudge from the user's words. Clients merge it into their message where a model takes no later instructions. */
function splitNudge(message: ChatMessage): readonly ChatMessage[] {
  const [nudge = ''] = NUDGE.exec(message.textOnly) ?? []
  if (nudge === '') return [message]
  const instruction = nudge.trim()
  const withoutNudge = (text: string): string => text.replace(instruction, '').trim()
  const [text, textOnly] = [withoutNudge(message.text), withoutNudge(message.textOnly)]
  const ownMessages = text === '' ? [] : [{ ...message, text, textOnly }]
  return [...ownMessages, ...readInstructions(instruction)]
}

/** Matches the name that clients of group chats write before a character's message. */
const LABEL = /^\p{L}[\p{L}\p{M}\p{N} .'’_-]{0,40}[:：]\s*(?=\S)/u
/** Matches an instruction that a character speaks next: “[Write the next reply only as Bea.]”, 请以小白的身份回复. */
const NEXT_SPEAKER = new RegExp(
  [
    String.raw`\b(?:write|reply|respond|answer|speak|talk)\b[^.\n]{0,40}\b(?:as|for) (?!(?:if|an?|the|soon|well|long|much|you|me)\b)\p{L}`,
    String.raw`\p{L} (?:speaks|replies|answers|responds) next\b|\bit(?: is|['’]s) \p{L}[^.\n]{0,40}['’]s turn\b`,
    '(?:以|用|作为|扮演).{1,20}(?:回复|回答|发言|说话|回應|回覆)|(?:轮到|輪到).{1,20}(?:发言|说话|说了|回复|發言|說話)',
  ].join('|'),
  'iu',
)
/** Matches a last instruction that asks for no reply: for a draft of the user's message, more of the last message, a summary. */
const NO_REPLY_REQUEST = new RegExp(
  [
    String.raw`^\W*(?:continue|describe|generate|ignore|pause|provide|stop|summari[sz]e)\b`,
    String.raw`\bpoint of view\b|\bimpersonat`,
    '继续|繼續|续写|总结|總結',
  ].join('|'),
  'iu',
)

/** Returns a message without the name of its speaker: “Bea: Hello.” */
export const withoutLabel = (text: string): string => text.replace(LABEL, '')

/** Whether instructions after the assistant's last message ask a character of a group to speak next. */
export function asksNextSpeaker(messages: readonly ChatMessage[]): boolean {
  const last = messages.findLastIndex(({ instructionRole }) => instructionRole === null)
  const { role, callsTools } = messages[last] ?? TOOL_RESULT
  const instructions = messages.slice(last + 1).map(({ textOnly }) => textOnly)
  if (role !== 'assistant' || callsTools || NO_REPLY_REQUEST.test(instructions.at(-1) ?? '')) return false
  return instructions.some((text) => NEXT_SPEAKER.test(text))
}

/** Reads a speaker's name as one short line, because it is shown without quotation marks. */
export function readSpeaker(name: unknown): string | null {
  if (typeof name !== 'string') return null
  const short = name
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, MAX_NAME_LENGTH)
  return short === '' ? null : short
}

const TEXT_TYPES: ReadonlySet<unknown> = new Set(['text', 'input_text', 'output_text'])

/** Returns the text of a message with a line for each attachment, as it is stored. */
export function messageText(content: unknown): string {
  return textWithAttachments(plainText(content), attachmentsIn(content))
}

export function plainText(content: unknown): string {
  return partsOf(content)
    .flatMap((part) => textOfPart(part) ?? [])
    .join('\n')
}

function partsOf(content: unknown): readonly unknown[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : asList(content)
}

function textOfPart(part: unknown): string | null {
  const { type, text } = asRecord(part) ?? {}
  return TEXT_TYPES.has(type) && typeof text === 'string' ? text : null
}

export type JsonRecord = Readonly<Record<string, unknown>>

/** Returns an object; `null` for other values. */
export function asRecord(value: unknown): JsonRecord | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonRecord) : null
}

/** Returns a list; an empty one for other values. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** Returns a string that is not blank; `null` for other values. */
export function asText(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null
}

/** Parses a request's body. @param example shown in the error. @throws Problem 400 for anything but an object. */
export function readRequestJson(json: string, example: string): JsonRecord {
  const request = asRecord(parseJson(json))
  if (request !== null) return request
  throw new Problem(400, 'bad-request', `The body must be a JSON object such as ${example}.`)
}

/** JSON functions of Node that TypeScript does not declare yet. */
const ExactJson = JSON as unknown as {
  parse(
    text: string,
    revive: (key: string, value: unknown, context: { source: string }) => unknown,
  ): JsonRecord
  rawJSON(text: string): unknown
}

/** Changes fields of a JSON object. Numbers in other fields keep their digits: `1.0`, `1e400`, 64-bit seeds. */
export function changeFields(json: string, change: (request: JsonRecord) => JsonRecord): string {
  const request = ExactJson.parse(json, (_, value, { source }) =>
    typeof value === 'number' && String(value) !== source ? ExactJson.rawJSON(source) : value,
  )
  return JSON.stringify({ ...request, ...change(request) })
}

/** Appends a text to the application's instructions, which are a text or a list. */
export function addInstructions(
  instructions: unknown,
  content: string,
  asItem: (content: string) => object,
): unknown {
  if (Array.isArray(instructions)) return [...(instructions as readonly unknown[]), asItem(content)]
  return asText(instructions) === null ? content : `${asText(instructions)}\n\n${content}`
}
