import { Problem } from '../problem.ts'
import type { ServerDeps, Upstream } from '../server-context.ts'
import { parseJson } from '../serving/request-body.ts'
import type { AnswerReader } from './read-answer.ts'

/** A request to a language model, as far as memory needs it. */
export interface ChatRequest {
  /** As it came. */
  readonly json: string
  /** Whose memory the body says it is, and under which field of it an answer would look for that. */
  readonly user: string | null
  /** `null`: there is no talk in it. The upstream says so better than we could. */
  readonly messages: readonly ChatMessage[] | null
  /** The id of the answer or conversation that it goes on from, which the upstream keeps; `null`: the talk so far stands in the request. */
  readonly continues: string | null
  /** What the request says already of the answer, which the model only goes on with; empty for most. */
  readonly begun: string
  /** Adds recalled words to the request; all other values stay, numbers with the digits that they came with. */
  readonly withRecalled: (content: string) => string
}

/** How clients of one API speak with a language model. */
export interface ChatProtocol {
  /** Below the upstream's address. */
  readonly path: string
  /** The field that names the user, for those who left it out. */
  readonly userField: string
  /** @throws Problem 400 for what is no JSON object. Everything else is the upstream's to judge. */
  readonly read: (json: string) => ChatRequest
  /** A reader for an answer of a content type; the request's `stream` says what is wished, this what came. */
  readonly answerReader: (contentType: string | null) => AnswerReader
  /** @throws Problem 503 `no-upstream`. */
  readonly upstream: (deps: ServerDeps) => Upstream
}

const LONGEST_NAME = 80

/** A message of a request to a language model, as far as memory needs it. */
export interface ChatMessage {
  /** `other`: system, developer, results of tools. */
  readonly by: 'user' | 'agent' | 'other'
  /** The role in which the application instructs the model; `null` for the conversation itself. */
  readonly instructs: 'system' | 'developer' | null
  /** The model asks for tools here: what it says next still answers the same turn of the user. */
  readonly callsTools: boolean
  /** What was said, with a note in place of each image, sound or file. */
  readonly text: string
  /** What was said in words alone. */
  readonly words: string
  readonly name: string | null
}

/** What is not said by anybody: the result of a tool. */
export const RESULT: ChatMessage = {
  by: 'other',
  instructs: null,
  callsTools: false,
  text: '',
  words: '',
  name: null,
}

/**
 * The user's messages that the answer is to: those since the agent last said something to the end. Asking for tools ends
 * nothing. Given as places in the list.
 */
export function newMessages(messages: readonly ChatMessage[]): readonly number[] {
  const last = messages.findLastIndex(({ by, callsTools }) => by === 'agent' && !callsTools)
  return messages.flatMap(({ by, text }, index) =>
    index > last && by === 'user' && text.trim() !== '' ? [index] : [],
  )
}

/** On one line and not long: it is shown outside quotation marks where memories are. */
export function readSpeaker(name: unknown): string | null {
  if (typeof name !== 'string') return null
  const short = name
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, LONGEST_NAME)
  return short === '' ? null : short
}

/** What stands in a remembered turn for what is not text, by the names that OpenAI's and Anthropic's requests have for it. */
const NOTES: Readonly<Record<string, string>> = {
  image_url: '[image]',
  input_image: '[image]',
  image: '[image]',
  input_audio: '[audio]',
  file: '[file]',
  input_file: '[file]',
  document: '[file]',
  container_upload: '[file]',
  video_url: '[video]',
}
const TEXTS: ReadonlySet<unknown> = new Set(['text', 'input_text', 'output_text'])

/** What a message's content says: its text, with a note in the place of each image, sound or file. */
export function messageText(content: unknown): string {
  return parts(content)
    .map((part) => wordsOf(part) ?? NOTES[asName(asRecord(part)?.['type']) ?? ''] ?? '')
    .filter((text) => text !== '')
    .join('\n')
}

/** What a message's content says in words alone. */
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

/** An object of JSON. */
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

/** `null` for what is not JSON: an answer that was handed on as it is, and says nothing to be remembered. */
export function parseOrNull(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return null
  }
}

/** A request's body as an object. @param example of one. @throws Problem 400 for what is none. */
export function readRequestJson(json: string, example: string): JsonRecord {
  const request = asRecord(parseJson(json))
  if (request !== null) return request
  throw new Problem(400, 'bad-request', `The body must be a JSON object such as ${example}.`)
}

/** Parts of JSON in Node that TypeScript's library does not declare yet. */
const ExactJson = JSON as unknown as {
  parse(text: string, read: (key: string, value: unknown, at: { source: string }) => unknown): JsonRecord
  rawJSON(text: string): unknown
}

/** Changes fields of a request. Other numbers keep their digits: `1.0`, `1e400`, seeds of 64 bits. @param json an object */
export function changeFields(json: string, change: (request: JsonRecord) => JsonRecord): string {
  const request = ExactJson.parse(json, (_, value, { source }) =>
    typeof value === 'number' && String(value) !== source ? ExactJson.rawJSON(source) : value,
  )
  return JSON.stringify({ ...request, ...change(request) })
}

/** Adds words after an application's own instructions, which are a text or a list. */
export function addInstructions(own: unknown, content: string, asItem: (content: string) => object): unknown {
  if (Array.isArray(own)) return [...(own as readonly unknown[]), asItem(content)]
  return asName(own) === null ? content : `${asName(own)}\n\n${content}`
}
