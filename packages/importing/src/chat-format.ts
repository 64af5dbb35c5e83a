// Defines the format of a program's conversations, and the helpers with which formats read records.
import { isObject, type JsonObject } from './json-records.ts'
import type { LeftOutReason } from './left-out.ts'
import type { PeopleNames } from './slack-names.ts'
import { roleOf } from './speaking.ts'

/** A message as a format's record contains it. */
export interface FormatMessage {
  /** The role, or `null` if the speaker's name decides. */
  readonly role: 'user' | 'assistant' | 'other' | null
  readonly speaker?: string | undefined
  /** The speaker's other name, by which a caller may choose them too. */
  readonly account?: string | undefined
  /** A text, or a list of parts. */
  readonly text: unknown
  /** A time in ISO 8601, a number since 1970, or a date as an English program writes it. */
  readonly at?: unknown
  readonly id?: string | undefined
  /** The id of the previous message, if the format keeps edited and retried messages as branches. */
  readonly parent?: string | undefined
}

/** A conversation, or a part of one, as a format's record contains it. */
export interface FormatConversation {
  /** The name of the session, or `null` if silence between messages splits sessions. */
  readonly session: string | null
  readonly messages: readonly (FormatMessage | LeftOutReason)[]
  /** The id of the last message of the visible branch. */
  readonly current?: string | undefined
}

/** The JSON format of a program's conversations. */
export interface ChatFormat {
  /** Patterns of JSON paths. A file has this format when each pattern matches one of its paths, such as `$[].mes`. */
  readonly paths: readonly RegExp[]
  /** Reads a record: an item of a list, a line, or the whole file. Returns `null` for a record of another kind. */
  readonly read: (record: JsonObject, names: PeopleNames) => FormatConversation | null
  /** Whether the newest message comes first. */
  readonly isNewestFirst?: true
  /** Whether the file contains statements of another memory system and no messages. */
  readonly isStatements?: true
}

/** Return the objects of a list, and the fields of an object. Any other value is empty. */
export const items = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : [])
export const fields = (value: unknown): JsonObject => (isObject(value) ? value : {})
export const roleOfUser = (isUser: unknown): 'user' | 'assistant' => (isUser === true ? 'user' : 'assistant')
/** Makes a conversation of one message, for files whose records are messages. */
export const single = (
  message: FormatMessage | LeftOutReason,
  session: string | null = null,
): FormatConversation => ({ session, messages: [message] })

/** Adds the role to a message, from a word such as `human` or `model`. */
export function withRole(word: unknown, message: Omit<FormatMessage, 'role'>): FormatMessage | LeftOutReason {
  const role = typeof word === 'string' ? roleOf(word) : null
  return role === null || role === 'machine' ? 'machinery' : { ...message, role }
}
