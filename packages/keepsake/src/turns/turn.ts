import type { AttachmentInput, Metadata } from '@keepsake/text/names'

/** Who speaks: the person remembered, the assistant (agent, character), or anything else (system, tool). */
export type Role = (typeof ROLES)[number]
/** Every role of a speaker; see {@link Role}. */
export const ROLES = ['user', 'assistant', 'other'] as const

/** A turn as an application hands it over. */
export interface TurnInput {
  /** `agent` is taken as `assistant`; `system` and `tool` as `other`. */
  readonly role: Role | 'agent' | 'system' | 'tool'
  /** What was said. May be empty where there are attachments. */
  readonly text: string
  /** Pictures and files that came with it. A reference to each is kept, on a line below the text; never its content. */
  readonly attachments?: readonly AttachmentInput[]
  /** Makes remembering idempotent: a turn whose id is known is not stored again. Given one when absent. */
  readonly id?: string
  /** The speaker's name, where there is one. Distinguishes several users. */
  readonly speaker?: string
  /** When it was said: a Date, milliseconds since 1970, or an ISO 8601 string. Now when absent. */
  readonly at?: Date | number | string
  /** The speaker's time zone, an IANA name such as `Europe/Paris`; relative times in the text are read in it. */
  readonly timeZone?: string
  /** What the application keeps with it, as JSON. Memories drawn from the turn begin with it. */
  readonly metadata?: Metadata
  /** `false`: do not remember this turn. It is not stored. */
  readonly remember?: boolean
}

/** A turn as stored. Turns are never edited. */
export interface Turn {
  readonly id: string
  /** Row number of the scope. */
  readonly scope: number
  readonly session: string
  /** Number of the turn within the scope, from 1, in order of arrival. */
  readonly position: number
  readonly role: Role
  readonly speaker: string | null
  readonly text: string
  /** Milliseconds since 1970. */
  readonly at: number
  readonly timeZone: string | null
  readonly metadata: Metadata | null
}

/** Returns the subject of what a nameless speaker says about themself: an assistant's is `agent`. */
export function subjectOfRole(role: Role): 'user' | 'agent' | 'other' {
  return role === 'assistant' ? 'agent' : role
}

/** Returns the subject of a turn's statements: the speaker's name, else `user` or `agent`. */
export function whoSpeaks(turn: Turn): string {
  return turn.speaker ?? (turn.role === 'assistant' ? 'agent' : 'user')
}
