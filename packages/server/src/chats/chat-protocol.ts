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
  /** `null`: no conversation; the upstream reports that better. */
  readonly messages: readonly ChatMessage[] | null
  /** The id of the stored answer or conversation that this continues; `null`: the request holds the whole conversation. */
  readonly continues: string | null
  /** The beginning of the answer that the request prescribes; empty for most. */
  readonly begun: string
  /** Adds recalled context to the request. All other values stay, numbers with their original digits. */
  readonly withRecalled: (content: string) => string
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

const LONGEST_NAME = 80

/** A message of a request to a language model, as far as memory needs it. */
export interface ChatMessage {
  /** `other`: system, developer, results of tools. */
  readonly by: 'user' | 'assistant' | 'other'
  /** The role in which the application instructs the model; `null` for conversation. */
  readonly instructs: 'system' | 'developer' | null
  /** The model calls tools here; its next words still answer the same user turn. */
  readonly callsTools: boolean
  /** The text, with a line for each picture, sound or file. */
  readonly text: string
  /** The parts that these lines are made from. */
  readonly attachments: readonly AttachmentInput[]
  /** The text alone. */
  readonly words: string
  readonly name: string | null
}

/** A tool's result, which no speaker said. */
export const RESULT: ChatMessage = {
  by: 'other',
  instructs: null,
  callsTools: false,
  text: '',
  attachments: [],
  words: '',
  name: null,
}

/** Indexes of the user's messages since the agent's last complete answer. Tool calls complete nothing. */
export function newMessages(messages: readonly ChatMessage[]): readonly number[] {
  const last = messages.findLastIndex(({ by, callsTools }) => by === 'assistant' && !callsTools)
  return messages.flatMap(({ by, text }, index) =>
    index > last && by === 'user' && text.trim() !== '' ? [index] : [],
  )
}

/**
 * Takes off the beginning of an answer that a request prescribes: its last message is the assistant's. The model continues it, and the answer is
 * both.
 */
export function splitBegun(messages: readonly ChatMessage[] | null): Pick<ChatRequest, 'messages' | 'begun'> {
  const last = messages?.at(-1)
  if (messages === null || last?.by !== 'assistant' || last.callsTools) return { messages, begun: '' }
  return { messages: messages.slice(0, -1), begun: last.words }
}

/** Limits a speaker to one short line: it is shown outside quotation marks. */
export function readSpeaker(name: unknown): string | null {
  if (typeof name !== 'string') return null
  const short = name
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, LONGEST_NAME)
  return short === '' ? null : short
}

const TEXTS: ReadonlySet<unknown> = new Set(['text', 'input_text', 'output_text'])

/** The text of a message with a line for each picture, sound or file, as it is stored. */
export function messageText(content: unknown): string {
  return textWithAttachments(messageWords(content), attachmentsIn(content))
}

/** The text of a message without other content. */
export function messageWords(content: unknown): string {
  return parts(content)
    .flatMap((part) => wordsOf(part) ?? [])
    .join('\n')
}

function parts(content: unknown): readonly unknown[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : asList(content)
}

function wordsOf(part: unknown): string | null {
  const { type, text } = asRecord(part) ?? {}
  return TEXTS.has(type) && typeof text === 'string' ? text : null
}

export type JsonRecord = Readonly<Record<string, unknown>>

/** The value as an object; `null` for anything else. */
export function asRecord(value: unknown): JsonRecord | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonRecord) : null
}

/** The value as a list; an empty one for anything else. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** The value as a string that says something; `null` for anything else. */
export function asName(value: unknown): string | null {
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
  parse(text: string, read: (key: string, value: unknown, at: { source: string }) => unknown): JsonRecord
  rawJSON(text: string): unknown
}

/** Changes fields of a request. Other numbers keep their digits: `1.0`, `1e400`, 64-bit seeds. @param json an object */
export function changeFields(json: string, change: (request: JsonRecord) => JsonRecord): string {
  const request = ExactJson.parse(json, (_, value, { source }) =>
    typeof value === 'number' && String(value) !== source ? ExactJson.rawJSON(source) : value,
  )
  return JSON.stringify({ ...request, ...change(request) })
}

/** Appends to an application's own instructions, which are a text or a list. */
export function addInstructions(own: unknown, content: string, asItem: (content: string) => object): unknown {
  if (Array.isArray(own)) return [...(own as readonly unknown[]), asItem(content)]
  return asName(own) === null ? content : `${asName(own)}\n\n${content}`
}
