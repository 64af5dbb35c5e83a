import type { EmbeddingModel, LanguageModel } from 'keepsake'
import type { DatasetQuestion, DatasetTurn } from '../datasets/conversation.ts'

/** A piece of a session, in order: the whole of it, or a round where operations are measured. */
export interface Dialogue {
  readonly session: string
  readonly turns: readonly DatasetTurn[]
  /** Whether the session is over with it. */
  readonly endsSession: boolean
}

/** A change that a dialogue made to a system's memories. */
export interface SystemOperation {
  readonly kind: 'add' | 'modify' | 'delete'
  /** The system's id of the memory. */
  readonly memory: string
  /** Text before it; `null` for `add`. */
  readonly before: string | null
  /** Text after it; `null` for `delete`. */
  readonly after: string | null
}

export interface AddedDialogue {
  /** In order; `null` when the system cannot tell: the harness then compares what stood before and after. */
  readonly operations: readonly SystemOperation[] | null
}

export interface SystemMemoryItem {
  /** The system's own id. */
  readonly id: string
  readonly text: string
  /** Ids of the turns it rests on; `null` when the system does not say. */
  readonly turns: readonly string[] | null
  /** When it was said, in milliseconds since 1970, where it is talk as it was said. Absent: it is a statement. */
  readonly saidAt?: number | undefined
}

export interface RetrievedMemory extends SystemMemoryItem {
  /** The system's own score; `null` when it gives none. */
  readonly score: number | null
}

export interface Retrieved {
  /** Best first. */
  readonly memories: readonly RetrievedMemory[]
  /** Turns behind them by their own score, best first; `null` when the system does not name turns. */
  readonly turns: readonly { readonly id: string; readonly score: number }[] | null
  /** Sessions by the system's own score, best first; `null` when it has none: the best turn's rank counts. */
  readonly sessions: readonly string[] | null
  /** Probability, 0 to 1, that what was asked was ever said; `null` when the system gives none. */
  readonly confidence: number | null
  /** Whether the system would have a reply say that it knows. Absent: it does not say. */
  readonly known?: boolean | undefined
  /** What stands in `context` ahead of what was found, whatever is asked. Absent: nothing does. */
  readonly profile?: readonly Omit<SystemMemoryItem, 'id'>[] | undefined
  /** What a reply would be given, as the system itself composes it, within `tokens`. */
  readonly context: string
}

export interface RetrieveOptions {
  /** Memories wanted at most: 10 for an update, 20 for a question (HaluMem). */
  readonly limit: number
  /** Whether a system that chooses by the question how many it returns may do so, instead of `limit`. Default false. */
  readonly asUsual?: boolean
  /** Whether a service that HaluMem gave a budget of its own is given that. Default false: all have the same. */
  readonly asPublished?: boolean
  /** When it is asked, in milliseconds since 1970. */
  readonly at: number
  /** Budget of `context`, in tokens as `estimateTokens` counts. */
  readonly tokens: number
  /** Whether what is found is strengthened, as an application lets it be. Default false: measuring changes nothing. */
  readonly reinforce?: boolean
}

/** What a system asked of models so far, where the harness or the system can tell. */
export interface SystemUsage {
  readonly calls: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly embeddingRequests: number
}

/**
 * One person's memory in a system under test. The first three calls are those that HaluMem asks of every system
 * (section 5). Every call throws when the system fails; the harness logs it, scores it as a failure, and goes on.
 */
export interface SystemMemory {
  /** Add Dialogue: returns when what it produces can be retrieved. */
  addDialogue(dialogue: Dialogue): Promise<AddedDialogue>
  /** Get Dialogue Memory: what the session's dialogues left; `null` when the system cannot tell (Zep). */
  dialogueMemories(session: string): Promise<readonly SystemMemoryItem[] | null>
  /** Retrieve Memory. */
  retrieve(query: string, options: RetrieveOptions): Promise<Retrieved>
  /** Every memory that stands; `null` when the system cannot list them. */
  memories(): Promise<readonly SystemMemoryItem[] | null>
  /** Corrects a memory's text, as a person would. */
  update(id: string, text: string): Promise<void>
  /** The system's own reply to a question; `null` when it has no such thing: the harness's reader answers then. */
  readonly answer: ((question: DatasetQuestion) => Promise<string>) | null
  usage(): SystemUsage
  /** Ends it and frees what it holds, what it stored included. */
  close(): Promise<void>
}

export interface OpenSystemMemory {
  readonly user: string
  /** For a system that works with a language model given from outside; `null`: without one. */
  readonly model: LanguageModel | null
  /** `null`: the system's own. */
  readonly embedding: EmbeddingModel | null
  /** Reads what was found against the question, in systems that take one. Absent or `null`: no one does. */
  readonly reranking?: LanguageModel | null
  /** How long `model` may take for one answer, in milliseconds. Absent: as long as the system usually waits. */
  readonly modelTimeoutMs?: number | undefined
  /** Where it keeps its files; what is there already is opened, and stays when it is closed. Absent: it begins empty. */
  readonly folder?: string
}

/** A memory system under test. */
export interface MemorySystem {
  /** As reports name it: `keepsake`, `moom`, `bm25`, `mem0`, … */
  readonly name: string
  /** As reports name it without a language model, where it is then not the system of that name. Absent: it is. */
  readonly nameWithoutModel?: string
  /** What a report says of it: version, settings. Never a key. */
  readonly config: Readonly<Record<string, unknown>>
  /** Whether it can work without a language model. */
  readonly needsModel: boolean
  /** A memory of its own. */
  open(options: OpenSystemMemory): Promise<SystemMemory>
}

/** What an application tells a memory, with no session of its own: sessions end by themselves. */
export type ToldTurn = Pick<DatasetTurn, 'id' | 'role' | 'text' | 'at'>

/** A memory on files as an application uses it. */
export interface DurableMemory extends SystemMemory {
  /** Returns when the system says that the turns are kept. */
  tell(turns: readonly ToldTurn[]): Promise<void>
  /** The talk that was told is over, for systems to which that makes a difference. */
  endTalk(): Promise<void>
  /** Waits for what goes on in the background. */
  settle(): Promise<void>
  /** Where it asks its model over loopback; `null` where nothing goes over it. */
  readonly loopbackUrl: string | null
}

export interface DurableSystem extends MemorySystem {
  open(options: OpenSystemMemory): Promise<DurableMemory>
}
