import type { components, operations } from './schema.ts'

type Schemas = components['schemas']

/** One plain statement kept about a scope, with its evidence. */
export type Memory = Schemas['Memory']
/** What recall returns: memories with scores, their evidence, a context, and how sure it is. */
export type Recall = Schemas['Recall']
export type RecalledMemory = Schemas['RecalledMemory']
/** A turn as an application hands it over. */
export type TurnInput = Schemas['TurnInput']
/** What remembering answers: ids, how many were new, and what was masked. */
export type Remembered = Schemas['Remembered']
/** Somebody asked that everything be forgotten; it waits for a yes. */
export type HeldRequest = Schemas['HeldRequest']
export type Session = Schemas['Session']
/** Whose memory it is. */
export type Scope = Schemas['Scope']
/** An entry of the log. */
export type Operation = Schemas['Operation']
export type Explanation = Schemas['Explanation']
export type PersonaSheet = Schemas['PersonaSheet']
/** The little that should be known in every talk, each line with what it rests on. */
export type Profile = Schemas['Profile']
export type EraseReceipt = Schemas['EraseReceipt']
/** An error as the server sends it (RFC 9457). */
export type Problem = Schemas['Problem']
/** An event of the memory, by its name. */
export type KeepsakeEvent = Schemas['Event']
/** An event of a reply that goes well: what was recalled, the text in pieces, the end. */
export type ReplyEvent = Exclude<Schemas['ReplyEvent'], { event: 'error' }>
/** Any event of a reply's stream. */
export type ReplyStreamEvent = Schemas['ReplyEvent']

/** What recall takes beside the question. */
export type RecallOptions = Omit<Schemas['RecallRequest'], 'question'>
/** What a reply takes beside the turns. */
export type ReplyOptions = Omit<Schemas['ReplyRequest'], 'turns'>

type ListQuery = NonNullable<operations['listMemories']['parameters']['query']>
/** Which memories to list; live ones when no status is named. `limit`: how many a page holds. */
export type MemoryFilter = Omit<ListQuery, 'tenant' | 'user' | 'agent' | 'app' | 'cursor'>

/** Whose memory it is; agent and app narrow it. */
export interface ScopeKey {
  readonly user: string
  /** `default` when absent. */
  readonly tenant?: string
  readonly agent?: string
  readonly app?: string
}

/** What every call takes. */
export interface CallOptions {
  /** Ends the call, or the stream. */
  readonly signal?: AbortSignal
}

/** What a call that changes something takes. */
export interface WriteOptions extends CallOptions {
  /** The same request under the same key is done once and answered the same. */
  readonly idempotencyKey?: string
}
