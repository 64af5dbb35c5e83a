import type { components, operations } from './schema.ts'

type Schemas = components['schemas']

/** One plain statement kept about a scope, with its evidence. */
export type Memory = Schemas['Memory']
/** What recall returns: memories with scores, their evidence, a context, and how sure it is. */
export type Recall = Schemas['Recall']
/** A memory that a recall found, with its score. */
export type RecalledMemory = Schemas['RecalledMemory']
/** A turn as an application hands it over. */
export type TurnInput = Schemas['TurnInput']
/** What remembering answers: ids, how many were new, and what was masked. */
export type RememberResult = Schemas['RememberResult']
/** A user asked that everything be forgotten; the request waits for a yes. */
export type PendingRequest = Schemas['PendingRequest']
/** A run of turns that belong together. */
export type Session = Schemas['Session']
/** Whose memory it is. */
export type Scope = Schemas['Scope']
/** An entry of the log. */
export type Operation = Schemas['Operation']
/** Why a memory is kept or forgotten. */
export type Explanation = Schemas['Explanation']
/** Facts by whom they are about and by key. */
export type PersonaSheet = Schemas['PersonaSheet']
/** The little that should be known in every talk, each line with what it rests on. */
export type Profile = Schemas['Profile']
/** What was erased and when, without any content. */
export type EraseReceipt = Schemas['EraseReceipt']
/** An entry of the log with its texts. */
export type PastOperation = Schemas['PastOperation']
/** A turn as it is stored. */
export type Turn = Schemas['Turn']
/** What a memory rests on, its recalls, and its strength by each policy. */
export type MemoryLife = Schemas['MemoryLife']
/** How much there is of a person, and what waits or failed. */
export type ScopeStats = Schemas['ScopeStats']
/** Work on one person that waits, or failed and why. */
export type PersonJob = Schemas['PersonJob']
/** One level of the story. */
export type StoryLevel = Schemas['Story']['levels'][number]
/** The portrait and its earlier versions. */
export type Portrait = Schemas['Portrait']
/** Memories by their strength, the weakest first. */
export type Strengths = Schemas['Strengths']
/** What an erasure would remove. */
export type ErasePreview = Schemas['ErasePreview']
/** What is named to be erased. */
export type EraseTarget = Schemas['EraseTarget']
/** What names a topic, and the operations that forgot it. */
export type ForgottenTopic = Schemas['ForgottenTopic']
/** How a run of the forgetting policy judges. */
export type ForgettingOptions = Schemas['ForgettingRequest']
/** What a run of the forgetting policy forgot, or would. */
export type ForgettingResult = Schemas['ForgettingResult']
/** What a correction sets; at least one field. */
export type MemoryEdit = Schemas['MemoryEdit']
/** A person or pet that statements name. */
export type Entity = Schemas['Entity']
/** An entity with what it is related to. */
export type AboutEntity = Schemas['AboutEntity']
/** How far, and as of when. */
export type AboutOptions = Omit<QueryOf<'about'>, never>
/** What falls due, with the memory that says so. */
export type DueItem = Schemas['Due']['due'][number]
/** The span of what falls due. */
export type DueOptions = Omit<
  NonNullable<operations['listDue']['parameters']['query']>,
  'tenant' | 'user' | 'agent' | 'app'
>
/** What goes with a statement beside its words. */
export type AddFactOptions = Omit<Schemas['Statement'], 'text'>
/** What goes with a block beside its name and text. */
export type BlockOptions = Omit<Schemas['Block'], 'name' | 'text'>
/** An edit of a block: `find` and `replace`, `insert`, or `rename`. */
export type BlockEdit = Omit<Schemas['BlockEdit'], 'name'>
/** What several memories hold on one question. */
export type AcrossRecall = Schemas['AcrossRecall']
/** One of those who share a talk, and what the context calls them. */
export type AcrossScope = Schemas['AcrossRecallRequest']['scopes'][number]
/** The value of one of the application's own keys. */
export type KeyState = Schemas['KeyState']
/** Whom a state is about. */
export interface StateQuery {
  readonly subject?: string
}
/** A category of the application's own, with the number of current facts in it. */
export type Category = Schemas['Categories']['categories'][number]
/** What is kept and never kept, with where each line comes from. */
export type Guidelines = Schemas['Guidelines']
/** What a user, an agent or an app sets of it. */
export type OwnGuidelines = Schemas['OwnGuidelines']
/** Whether a person may be learned from. */
export type Consent = Schemas['Consent']['consent']
/** What the key that asks may do, and with what the server works. */
export type Access = Schemas['Access']
/** Rows, bytes and settings of a server. */
export type Stats = Schemas['Stats']
/** Work that waits, or failed and why. */
export type Job = Schemas['Job']
/** An address that receives the events of memories. */
export type Webhook = Schemas['Webhook']
/** What registers one. */
export type NewWebhook = Schemas['NewWebhook']
/** What a change of a webhook sets. */
export type WebhookChange = Schemas['WebhookChange']
/** A webhook with its secret, which is shown this once. */
export type MadeWebhook = Schemas['MadeWebhook']
/** What is posted to a webhook. */
export type WebhookMessage = Schemas['WebhookMessage']
/** A message that was given up. */
export type FailedMessage = Schemas['FailedMessage']
/** How many failed messages are sent again. */
export type ReplayedMessages = Schemas['ReplayedMessages']
/** An error as the server sends it (RFC 9457). */
export type Problem = Schemas['Problem']
/** An event of the memory, by its name. */
export type KeepsakeEvent = Schemas['Event']
/** An event of a reply that goes well: what was recalled, the text in pieces, the end. */
export type ReplyEvent = Exclude<Schemas['ReplyEvent'], { event: 'error' }>
/** Any event of a reply's stream. */
export type ReplyStreamEvent = Schemas['ReplyEvent']

/** A link that exports a person once. */
export type ExportTicket = Schemas['ExportTicket']
/** What a file holds that would be imported, or what has to be said before. */
export type ImportPreview = Schemas['ImportPreview']
/** What an import did. */
export type ImportedFile = Schemas['ImportedFile']
/** An event of an import that goes well: what the file holds, how far it is, the end. */
export type ImportEvent = Exclude<Schemas['ImportEvent'], { event: 'error' }>
/** Any event of an import's stream. */
export type ImportStreamEvent = Schemas['ImportEvent']

/** What recall takes beside the question. */
export type RecallOptions = Omit<Schemas['RecallRequest'], 'question'>
/** What a reply takes beside the turns. */
export type ReplyOptions = Omit<Schemas['ReplyRequest'], 'turns'>

/** What names a scope in a query, and where a page begins. */
type OfScope = 'tenant' | 'user' | 'agent' | 'app'
type QueryOf<Name extends keyof operations> = Omit<
  NonNullable<operations[Name]['parameters']['query']>,
  OfScope
>
/** Which page of a list. */
export interface PageOptions {
  /** How many at most; 100 when absent. */
  readonly limit?: number
  /** `next` of the page before. */
  readonly cursor?: string
  readonly newestFirst?: boolean
}
/** Which memories to list; live ones when no status is named. `limit`: how many a page holds. */
export type MemoryFilter = Omit<QueryOf<'listMemories'>, 'cursor'>
/** Which turns to list. */
export type TurnFilter = Omit<QueryOf<'listTurns'>, 'cursor'>
/** Which part of the log to list. */
export type OperationFilter = Omit<QueryOf<'listOperations'>, 'cursor'>
/** What is said of a file that is imported. */
export type ImportOptions = QueryOf<'importFile'>
/** By which policy, and with how much room, memories are judged. */
export type StrengthOptions = QueryOf<'listStrengths'>

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
