import type { EmbeddingModel, LanguageModel, RerankingModel } from 'keepsake'
import type { DatasetQuestion, DatasetTurn } from '../datasets/conversation.ts'

/** A piece of a session, in order: the whole of it, or a round where operations are measured. */
export interface Dialogue {
  readonly session: string
  readonly turns: readonly DatasetTurn[]
  readonly endsSession: boolean
}

/** One operation of a system on one memory. */
export interface SystemOperation {
  readonly kind: 'add' | 'modify' | 'delete'
  readonly memory: string
  /** The old text; `null` for `add`. */
  readonly before: string | null
  /** The new text; `null` for `delete`. */
  readonly after: string | null
}

/** What a system did with an added dialogue. */
export interface AddedDialogue {
  /** Operations in order; `null` when unknown: the harness then compares memories before and after. */
  readonly operations: readonly SystemOperation[] | null
}

/** A memory as a system lists it. */
export interface SystemMemoryItem {
  readonly id: string
  readonly text: string
  /** Ids of its evidence turns; `null` when unknown. */
  readonly turns: readonly string[] | null
  /** For quoted talk, when it was said, in milliseconds since 1970. Absent: it is a statement. */
  readonly saidAt?: number | undefined
}

/** A memory that a system found for a question. */
export interface RetrievedMemory extends SystemMemoryItem {
  /** The system's own score; `null` without one. */
  readonly score: number | null
}

/** What a system found for a question. */
export interface Retrieved {
  /** Best first. */
  readonly memories: readonly RetrievedMemory[]
  /** Evidence turns by their own score, best first; `null` when the system does not name turns. */
  readonly turns: readonly { readonly id: string; readonly score: number }[] | null
  /** Sessions by the system's own score, best first; `null` without: the best turn's rank counts. */
  readonly sessions: readonly string[] | null
  /** Probability, 0 to 1, that the subject was ever mentioned; `null` without one. */
  readonly confidence: number | null
  /** Whether the system states that it knows the answer. Absent when it states nothing. */
  readonly known?: boolean | undefined
  /** The fixed part of `context` ahead of the retrieved memories. Absent: none. */
  readonly profile?: readonly Omit<SystemMemoryItem, 'id'>[] | undefined
  /** The reply's context as the system composes it, within `tokens`. */
  readonly context: string
}

/** How a system is asked. */
export interface RetrieveOptions {
  /** Most memories: 10 for an update, 20 for a question (HaluMem). */
  readonly limit: number
  /** Whether a system may choose the number of memories by the question, instead of `limit`. Default false. */
  readonly asUsual?: boolean
  /** Whether a service gets its own budget from HaluMem. Default false: all have the same. */
  readonly asPublished?: boolean
  /** The time of asking, in milliseconds since 1970. */
  readonly at: number
  /** Budget of `context`, in tokens as `estimateTokens` counts. */
  readonly tokens: number
  /** Whether a recall reinforces, as in applications. Default false: measuring changes nothing. */
  readonly reinforce?: boolean
}

/** A system's model use so far, where known. */
export interface SystemUsage {
  readonly calls: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly embeddingRequests: number
}

/**
 * One person's memory in a system under test. The first three calls are HaluMem's (section 5). Every call throws when the system fails; the
 * harness logs it, scores it as a failure, and continues.
 */
export interface SystemMemory {
  /** Add Dialogue: returns when its memories can be retrieved. */
  addDialogue(dialogue: Dialogue): Promise<AddedDialogue>
  /** Get Dialogue Memory: the session's memories; `null` when unknown (Zep). */
  dialogueMemories(session: string): Promise<readonly SystemMemoryItem[] | null>
  /** Finds memories for a question. */
  retrieve(query: string, options: RetrieveOptions): Promise<Retrieved>
  /** Every current memory; `null` when the system cannot list them. */
  memories(): Promise<readonly SystemMemoryItem[] | null>
  /** The system's own reply; `null` without one: the harness's reader answers then. */
  readonly answer: ((question: DatasetQuestion) => Promise<string>) | null
  /** Counts what models cost so far. */
  usage(): SystemUsage
  /** Closes it and deletes what it stored. */
  close(): Promise<void>
}

/** For whom a system opens a memory, and with which models. */
export interface OpenSystemMemory {
  readonly user: string
  /** For a system with an external language model; `null`: none. */
  readonly model: LanguageModel | null
  /** `null`: the system's own. */
  readonly embedding: EmbeddingModel | null
  /** The reranking model, in systems that take one. Absent or `null`: none. */
  readonly reranking?: LanguageModel | RerankingModel | null
  /** Timeout of `model` for one answer, in milliseconds. Absent: the system's default. */
  readonly modelTimeoutMs?: number | undefined
  /** The folder of its files; existing ones are opened, and stay after closing. Absent: it begins empty. */
  readonly folder?: string
}

/** A memory system that the harness can measure. */
export interface MemorySystem {
  /** Its name in reports: `keepsake`, `moom`, `bm25`, `mem0`, … */
  readonly name: string
  /** Its name in reports without a language model, where it is then another system. Absent: the same. */
  readonly nameWithoutModel?: string
  /** Reported version and settings. Never a key. */
  readonly config: Readonly<Record<string, unknown>>
  /** Whether it can work without a language model. */
  readonly needsModel: boolean
  /** Opens a separate memory. */
  open(options: OpenSystemMemory): Promise<SystemMemory>
}

/** A turn from an application, without a session: sessions end by themselves. */
export type AppTurn = Pick<DatasetTurn, 'id' | 'role' | 'text' | 'at'>

/** A memory on files as an application uses it. */
export interface DurableMemory extends SystemMemory {
  tell(turns: readonly AppTurn[]): Promise<void>
  /** Ends the talk, for systems to which that matters. */
  endTalk(): Promise<void>
  /** Waits for background work. */
  settle(): Promise<void>
  /** The loopback URL of its model; `null` without one. */
  readonly loopbackUrl: string | null
}

export interface DurableSystem extends MemorySystem {
  open(options: OpenSystemMemory): Promise<DurableMemory>
}
