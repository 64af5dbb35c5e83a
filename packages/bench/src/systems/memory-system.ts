import type { EmbeddingModel, LanguageModel, RerankingModel } from 'keepsake'
import type { DatasetQuestion, DatasetTurn } from '../datasets/conversation.ts'

/** A session, or one round of it (a user's turn with its reply) if operations are measured. */
export interface Dialogue {
  readonly session: string
  readonly turns: readonly DatasetTurn[]
  readonly endsSession: boolean
}

/** One operation of a system on one memory. */
export interface SystemOperation {
  readonly kind: 'add' | 'modify' | 'delete'
  readonly memory: string
  /** The old text. `null` for `add`. */
  readonly before: string | null
  /** The new text. `null` for `delete`. */
  readonly after: string | null
}

/** The operations by which a system stored a dialogue. */
export interface AddedDialogue {
  /** The operations in order. `null`: unknown. The harness then compares the memories before and after. */
  readonly operations: readonly SystemOperation[] | null
}

/** A memory as a system lists it. */
export interface SystemMemoryItem {
  readonly id: string
  readonly text: string
  /** Ids of the turns on which the memory rests (its evidence). `null`: unknown. */
  readonly turns: readonly string[] | null
  /** The time of a quoted message, in milliseconds since 1970. Absent: the memory is a statement. */
  readonly saidAt?: number | undefined
}

/** A memory that a system found for a question. */
export interface RetrievedMemory extends SystemMemoryItem {
  /** The score that the system gives it. `null`: none. */
  readonly score: number | null
}

/** The result of a retrieval. */
export interface Retrieved {
  /** Memories, best first. */
  readonly memories: readonly RetrievedMemory[]
  /** The turns behind the memories with their scores, best first. `null`: the system does not name turns. */
  readonly turns: readonly { readonly id: string; readonly score: number }[] | null
  /** Sessions, best first. `null`: the system does not rank them, so each has the rank of its best turn. */
  readonly sessions: readonly string[] | null
  /** The probability that the subject was mentioned, 0 to 1. `null`: the system gives none. */
  readonly confidence: number | null
  /** Whether the system reports that it has an answer. Absent: it does not report that. */
  readonly known?: boolean | undefined
  /** The facts that are always at the start of `context`. Absent: none. */
  readonly profile?: readonly Omit<SystemMemoryItem, 'id'>[] | undefined
  /** The context for a reply, as the system composes it within `tokens`. */
  readonly context: string
}

/** Options of a retrieval. */
export interface RetrieveOptions {
  /** Maximum number of memories. HaluMem has 10 for an update and 20 for a question. */
  readonly limit: number
  /** Whether the system itself chooses the number of memories, as in applications. `limit` is then ignored. Default false. */
  readonly asUsual?: boolean
  /** Whether a service gets the budget that it had in the HaluMem paper. Default false: all systems have the same. */
  readonly asPublished?: boolean
  /** The time of the question, in milliseconds since 1970. */
  readonly at: number
  /** Token budget of `context`, as `estimateTokens` counts tokens. */
  readonly tokens: number
  /** Whether the recall reinforces memories, as in applications. Default false, so that measuring changes nothing. */
  readonly reinforce?: boolean
}

/** The model calls of a system so far, as far as they are known. */
export interface SystemUsage {
  readonly calls: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly embeddingRequests: number
}

/** One person's memory in a system under test, by HaluMem's calls (section 5). A call that throws is logged as a failure. */
export interface SystemMemory {
  /** Adds a dialogue. Returns when its memories can be retrieved. */
  addDialogue(dialogue: Dialogue): Promise<AddedDialogue>
  /** Returns the memories that a session left. `null`: unknown, as for Zep. */
  dialogueMemories(session: string): Promise<readonly SystemMemoryItem[] | null>
  /** Finds memories for a question. */
  retrieve(query: string, options: RetrieveOptions): Promise<Retrieved>
  /** Returns all current memories. `null`: the system cannot list them. */
  memories(): Promise<readonly SystemMemoryItem[] | null>
  /** Replies to a question. `null`: the system has no replies of its own, so the harness's reader answers. */
  readonly answer: ((question: DatasetQuestion) => Promise<string>) | null
  /** Counts the model calls so far. */
  usage(): SystemUsage
  /** Closes the memory and deletes what it stored. */
  close(): Promise<void>
}

/** Options of opening a memory: its user and its models. */
export interface OpenSystemMemory {
  readonly user: string
  /** The language model of the system. `null`: none. */
  readonly model: LanguageModel | null
  /** The embedding model. `null`: the system's own. */
  readonly embedding: EmbeddingModel | null
  /** The reranking model, for systems that use one. Absent or `null`: none. */
  readonly reranking?: LanguageModel | RerankingModel | null
  /** Timeout of `model` for one answer, in milliseconds. Absent: the system's default. */
  readonly modelTimeoutMs?: number | undefined
  /** The folder of the memory's files. Existing files are opened, and stay after closing. Absent: the memory begins empty. */
  readonly folder?: string
}

/** A memory system that the harness can measure. */
export interface MemorySystem {
  /** The system's name in reports, such as `keepsake`, `moom`, `bm25` or `mem0`. */
  readonly name: string
  /** The name in reports without a language model, if that makes it another system. */
  readonly nameWithoutModel?: string
  /** Version and settings for reports. Never a key. */
  readonly config: Readonly<Record<string, unknown>>
  /** Whether the system needs a language model. */
  readonly needsModel: boolean
  /** Opens a separate memory. */
  open(options: OpenSystemMemory): Promise<SystemMemory>
}

/** A turn from an application. It names no session, because sessions end by themselves. */
export type AppTurn = Pick<DatasetTurn, 'id' | 'role' | 'text' | 'at'>

/** A memory in files that is used like an application's. */
export interface DurableMemory extends SystemMemory {
  /** Adds turns. */
  tell(turns: readonly AppTurn[]): Promise<void>
  /** Ends the conversation, for systems to which that matters. */
  endTalk(): Promise<void>
  /** Waits for background work. */
  settle(): Promise<void>
  /** The URL at which this process serves its model. `null`: none. */
  readonly loopbackUrl: string | null
}

/** A system whose memory is in files. */
export interface DurableSystem extends MemorySystem {
  open(options: OpenSystemMemory): Promise<DurableMemory>
}
