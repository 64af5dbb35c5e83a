import type { components, operations } from './schema.ts'

type Schemas = components['schemas']

/** A plain statement about a scope's user, with its evidence. */
export type Memory = Schemas['Memory']
/** The result of a recall: memories with scores and evidence, a context, and a confidence. */
export type Recall = Schemas['Recall']
/** A memory found by a recall, with its score. */
export type RecalledMemory = Schemas['RecalledMemory']
/** A turn as the application sends it. */
export type TurnInput = Schemas['TurnInput']
/** The result of `remember`: ids, the number of new turns, and the masked secrets. */
export type RememberResult = Schemas['RememberResult']
/** A user's request to forget a topic or everything, which waits for a confirmation. */
export type PendingRequest = Schemas['PendingRequest']
/** A run of turns that belong together. */
export type Session = Schemas['Session']
/** A scope: user, tenant, agent and app of a memory. */
export type Scope = Schemas['Scope']
/** An entry of the log. */
export type Operation = Schemas['Operation']
/** The reasons why a memory is kept or forgotten. */
export type Explanation = Schemas['Explanation']
/** Facts, grouped by the person they are about and by key. */
export type PersonaSheet = Schemas['PersonaSheet']
/** The short list that stands in every context; each line has its evidence. */
export type Profile = Schemas['Profile']
/** The record of an erasure: ids and time, without content. */
export type EraseReceipt = Schemas['EraseReceipt']
/** An entry of the log with its texts. */
export type PastOperation = Schemas['PastOperation']
/** A turn as it is stored. */
export type Turn = Schemas['Turn']
/** A memory's turns, its recalls, and its strength by each policy. */
export type MemoryLife = Schemas['MemoryLife']
/** Counts of one user's turns, memories and jobs. */
export type ScopeStats = Schemas['ScopeStats']
/** A job of one user that is queued, or failed with a reason. */
export type PersonJob = Schemas['PersonJob']
/** One level of the story. */
export type StoryLevel = Schemas['Story']['levels'][number]
/** The portrait and its earlier versions. */
export type Portrait = Schemas['Portrait']
/** Memories sorted by strength, weakest first. */
export type Strengths = Schemas['Strengths']
/** The data that an erasure would remove. */
export type ErasePreview = Schemas['ErasePreview']
/** The selection of data to erase. */
export type EraseTarget = Schemas['EraseTarget']
/** The memories that name a topic, and the operations that forgot them. */
export type ForgottenTopic = Schemas['ForgottenTopic']
/** Options of a run of the forgetting policy. */
export type ForgettingOptions = Schemas['ForgettingRequest']
/** The memories that a run of the forgetting policy forgot, or would forget. */
export type ForgettingResult = Schemas['ForgettingResult']
/** The fields that a correction sets; at least one. */
export type MemoryEdit = Schemas['MemoryEdit']
/** A person or pet that statements name. */
export type Entity = Schemas['Entity']
/** An entity with its relations. */
export type AboutEntity = Schemas['AboutEntity']
/** The depth of the relations, and the time at which they held. */
export type AboutOptions = QueryOf<'about'>
/** A plan, end or birthday that falls due, with the memory that states it. */
export type DueItem = Schemas['Due']['due'][number]
/** The period in which items fall due. */
export type DueOptions = QueryOf<'listDue'>
/** Fields of a statement, besides its text. */
export type AddFactOptions = Omit<Schemas['Statement'], 'text'>
/** Fields of a block, besides its name and text. */
export type BlockOptions = Omit<Schemas['Block'], 'name' | 'text'>
/** An edit of a block: `find` and `replace`, `insert`, or `rename`. */
export type BlockEdit = Omit<Schemas['BlockEdit'], 'name'>
/** The result of one question to the memories of several users. */
export type AcrossRecall = Schemas['AcrossRecall']
/** A participant of a shared conversation, and the name that the context uses. */
export type AcrossScope = Schemas['AcrossRecallRequest']['scopes'][number]
/** The value of a key that the application defined. */
export type KeyState = Schemas['KeyState']
/** The person that a state is about. */
export interface StateQuery {
  readonly subject?: string
}
/** A category that the application defined, with its number of current facts. */
export type Category = Schemas['Categories']['categories'][number]
/** The guidelines in force: topics to keep and never to keep, each line with its origin. */
export type Guidelines = Schemas['Guidelines']
/** The guidelines that were set for one user, agent or app. */
export type OwnGuidelines = Schemas['OwnGuidelines']
/** Whether models may be trained on the user's data. */
export type Consent = Schemas['Consent']['consent']
/** The permissions of the client's key, and the server's preset and models. */
export type Access = Schemas['Access']
/** Rows, bytes and settings of a server. */
export type Stats = Schemas['Stats']
/** A job that is queued, or failed with a reason. */
export type Job = Schemas['Job']
/** An address that receives the events of memories. */
export type Webhook = Schemas['Webhook']
/** The fields of a new webhook. */
export type NewWebhook = Schemas['NewWebhook']
/** The fields that a change of a webhook sets. */
export type WebhookChange = Schemas['WebhookChange']
/** A webhook with its secret, which no other response contains. */
export type MadeWebhook = Schemas['MadeWebhook']
/** The body posted to a webhook. */
export type WebhookMessage = Schemas['WebhookMessage']
/** A message whose delivery failed for good. */
export type FailedMessage = Schemas['FailedMessage']
/** The number of failed messages that are sent again. */
export type ReplayedMessages = Schemas['ReplayedMessages']
/** An error as the server sends it (RFC 9457). */
export type Problem = Schemas['Problem']
/** An event of a memory. The field `event` names its kind. */
export type KeepsakeEvent = Schemas['Event']
/** An event of a successful reply: the recalled memories, a piece of text, or the end. */
export type ReplyEvent = Exclude<Schemas['ReplyEvent'], { event: 'error' }>
/** Any event of a reply's stream. */
export type ReplyStreamEvent = Schemas['ReplyEvent']

/** A link that exports one user once. */
export type ExportTicket = Schemas['ExportTicket']
/** The content of a file to import, or the options that it still needs. */
export type ImportPreview = Schemas['ImportPreview']
/** The result of an import. */
export type ImportedFile = Schemas['ImportedFile']
/** An event of a successful import: the content of the file, the progress, or the end. */
export type ImportEvent = Exclude<Schemas['ImportEvent'], { event: 'error' }>
/** Any event of an import's stream. */
export type ImportStreamEvent = Schemas['ImportEvent']

/** Options of a recall, besides the question. */
export type RecallOptions = Omit<Schemas['RecallRequest'], 'question'>
/** Options of a reply, besides the turns. */
export type ReplyOptions = Omit<Schemas['ReplyRequest'], 'turns'>

/** The query parameters that name a scope; the client adds them. */
type ScopeParameter = 'tenant' | 'user' | 'agent' | 'app'
type QueryOf<Name extends keyof operations> = Omit<
  NonNullable<operations[Name]['parameters']['query']>,
  ScopeParameter
>
/** The choice of one page of a list. */
export interface PageOptions {
  /** Maximum number of items. Default: 100. */
  readonly limit?: number
  /** `next` of the previous page. */
  readonly cursor?: string
  readonly newestFirst?: boolean
}
/** A filter for memories. Default: live ones. `limit` is the page size. */
export type MemoryFilter = Omit<QueryOf<'listMemories'>, 'cursor'>
/** A filter for turns. */
export type TurnFilter = Omit<QueryOf<'listTurns'>, 'cursor'>
/** A filter for operations of the log. */
export type OperationFilter = Omit<QueryOf<'listOperations'>, 'cursor'>
/** Options of an import: format, speaker, date order and more. */
export type ImportOptions = QueryOf<'importFile'>
/** The forgetting policy and the capacity by which memories are judged. */
export type StrengthOptions = QueryOf<'listStrengths'>

/** The names of a scope. `agent` and `app` narrow it. */
export interface ScopeKey {
  readonly user: string
  /** Default: `default`. */
  readonly tenant?: string
  readonly agent?: string
  readonly app?: string
}

/** Options of every call. */
export interface CallOptions {
  /** Aborts the call or the stream. */
  readonly signal?: AbortSignal
}

/** Options of a call that changes data. */
export interface WriteOptions extends CallOptions {
  /** A repeated request with the same key is carried out once and gets the same response. */
  readonly idempotencyKey?: string
}
