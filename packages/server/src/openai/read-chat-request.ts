import { Problem } from '../problem.ts'
import { parseJson } from '../serving/read-body.ts'
import { messageText, messageWords } from './message-text.ts'

const LONGEST_NAME = 80

/** A message of the request, as far as memory needs it. */
export interface ChatMessage {
  /** `other`: system, developer, results of tools. */
  readonly by: 'user' | 'agent' | 'other'
  /** The role in which the application tells the model what to do; `null` for the talk itself. */
  readonly instructs: 'system' | 'developer' | null
  /** The model asks for tools here: what it says next still answers the same turn of the user. */
  readonly callsTools: boolean
  /** What was said, with a note in place of each image, sound or file. */
  readonly text: string
  /** What was said in words alone. */
  readonly words: string
  readonly name: string | null
}

/** A request for a completion. */
export interface ChatRequest {
  /** As it came. */
  readonly json: string
  /** The field `user`, where it is a string that says something. */
  readonly user: string | null
  /** `null`: there is no list of messages. The upstream says so better than we could. */
  readonly messages: readonly ChatMessage[] | null
}

/** @throws Problem 400 for what is no JSON object. Everything else is the upstream's to judge. */
export function readChatRequest(json: string): ChatRequest {
  const request = parseJson(json)
  if (!isRecord(request)) {
    const detail = 'The body must be a JSON object such as {"model": "…", "messages": […]}.'
    throw new Problem(400, 'bad-request', detail)
  }
  const { user, messages } = request
  return {
    json,
    user: typeof user === 'string' && user.trim() !== '' ? user : null,
    messages: Array.isArray(messages) ? messages.map(readMessage) : null,
  }
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

function readMessage(message: unknown): ChatMessage {
  const { role, content, name, tool_calls: calls, function_call: call } = isRecord(message) ? message : {}
  return {
    by: role === 'user' ? 'user' : role === 'assistant' ? 'agent' : 'other',
    instructs: role === 'system' || role === 'developer' ? role : null,
    callsTools: (Array.isArray(calls) && calls.length > 0) || isRecord(call),
    text: messageText(content),
    words: messageWords(content),
    name: readName(name),
  }
}

/** On one line and not long: it is shown outside quotation marks where memories are. */
function readName(name: unknown): string | null {
  if (typeof name !== 'string') return null
  const short = name
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, LONGEST_NAME)
  return short === '' ? null : short
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
