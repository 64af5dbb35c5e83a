import type { AttachmentInput, Metadata } from '@keepsake/text/names'

/** The role of a speaker: the user, the assistant (agent, character), or anything else (system, tool). */
export type Role = (typeof ROLES)[number]
/** Every role of a speaker; see {@link Role}. */
export const ROLES = ['user', 'assistant', 'other'] as const

/** A turn as an application passes it. */
export interface TurnInput {
  /** `agent` means `assistant`; `system` and `tool` mean `other`. */
  readonly role: Role | 'agent' | 'system' | 'tool'
  /** The words of the turn. May be empty if the turn has attachments. */
  readonly text: string
  /** Pictures and files of the message. Only a reference to each is stored, on a line below the text, and never its content. */
  readonly attachments?: readonly AttachmentInput[]
  /** Makes `remember` idempotent: a turn with a known id is not stored again. A new id when absent. */
  readonly id?: string
  /** The speaker's name. It distinguishes several users of one conversation. */
  readonly speaker?: string
  /** Time of the turn: a Date, milliseconds since 1970, or an ISO 8601 string. Now when absent. */
  readonly at?: Date | number | string
  /** The speaker's time zone, an IANA name such as `Europe/Paris`. Relative times in the text are read in it. */
  readonly timeZone?: string
  /**
   * JSON that the application stores with the turn. Memories that are extracted from the turn inherit it. `{ talk: 'people' }` says that
   * no assistant takes part: the turn then asks and instructs other persons, not the memory.
   */
  readonly metadata?: Metadata
  /** With `false`, the turn is not stored. */
  readonly remember?: boolean
}

/** A turn as stored. Turns are never edited. */
export interface Turn {
  readonly id: string
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

/** Checks whether a turn can ask or instruct the memory: it is the user's, and an assistant takes part in the talk. */
export function isToAssistant(turn: Pick<Turn, 'role'> & Partial<Pick<Turn, 'metadata'>>): boolean {
  return turn.role === 'user' && turn.metadata?.['talk'] !== 'people'
}

/** Returns the subject of what a nameless speaker says about themself: an assistant's is `agent`. */
export function subjectOfRole(role: Role): 'user' | 'agent' | 'other' {
  return role === 'assistant' ? 'agent' : role
}

/** Returns the subject of a turn's statements: the speaker's name, else `user` or `agent`. */
export function whoSpeaks(turn: Turn): string {
  return turn.speaker ?? (turn.role === 'assistant' ? 'agent' : 'user')
}
