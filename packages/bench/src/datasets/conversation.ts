import { z } from 'zod'

/** The role of a turn in data files; `agent` is taken as `assistant`. */
export const TurnRoleField = z
  .enum(['user', 'assistant', 'agent'])
  .transform((role) => (role === 'user' ? 'user' : 'assistant'))

/** The speaker of a turn whose data names none. */
export function nameOfRole(role: DatasetTurn['role']): string {
  return role === 'user' ? 'user' : 'agent'
}

/** A message of a data set. */
export interface DatasetTurn {
  /** Opaque: rises within the conversation and reveals neither sessions nor answers. */
  readonly id: string
  readonly role: 'user' | 'assistant'
  readonly speaker: string
  /** Whether the talk names its speaker; otherwise systems that take unnamed turns get no name. Default true. */
  readonly isNamed?: boolean
  readonly text: string
  /** Milliseconds since 1970. */
  readonly at: number
  /** IANA name. The data sets name none, so their times are taken as UTC. */
  readonly zone: string
}

/** A session of a data set: its messages in order. */
export interface DatasetSession {
  readonly id: string
  readonly turns: readonly DatasetTurn[]
  /** Memories that the session should leave, or must not (`interference`). Absent: unknown. */
  readonly gold?: readonly GoldMemory[]
  /** False for inserted irrelevant talk, which is ingested but not measured. Default true. */
  readonly isScored?: boolean
  /** The expected operations of its user turns (MMM). */
  readonly operations?: readonly GoldOperation[]
}

/** HaluMem's three types; `null` in other data sets. */
export type GoldMemoryType = 'persona' | 'event' | 'relationship'

/** The source of a gold memory. `interference`: said by the agent, never confirmed, not to be remembered. */
export type GoldMemorySource = 'primary' | 'secondary' | 'interference' | 'system' | 'annotated'

/** A memory that a session should leave, by the data set. */
export interface GoldMemory {
  /** Opaque, unique within the conversation. */
  readonly id: string
  readonly text: string
  readonly type: GoldMemoryType | null
  readonly source: GoldMemorySource
  readonly isUpdate: boolean
  /** Whether the data calls it an update, also where it names nothing that it replaces. Default: `isUpdate`. */
  readonly isCalledUpdate?: boolean
  /** Texts that it replaces; empty unless it is an update. */
  readonly replaces: readonly string[]
  /** Weight in weighted recall, 0 or above. 1 where the data gives none. */
  readonly importance: number
  /** Its evidence turns; empty where the data names none. */
  readonly turns: readonly string[]
  /** The data set's kind of label, where it has several: LoCoMo's `observation` and `event-summary`. */
  readonly kind?: string
}

/** What one user turn should do to the memory: MMM's (type, index, content). */
export interface GoldOperation {
  readonly turn: string
  readonly kind: 'add' | 'modify' | 'delete' | 'none'
  /** The old text of the changed memory; `null` for `add` and `none`. */
  readonly target: string | null
  /** The new text; `null` for `delete` and `none`. */
  readonly text: string | null
}

/** A question to one conversation's memory after its last session. */
export interface DatasetQuestion {
  readonly id: string
  readonly text: string
  /** The end of the last session, in milliseconds since 1970. */
  readonly askedAt: number
  /** The data set's own kind of question. */
  readonly category: string
  /** Ids of the evidence units; a unit's id is that of its first turn. Empty: unanswerable. */
  readonly evidence: readonly string[]
  /** The evidence by the parts of the answer, where the data has them: one turn of every group is needed, and suffices for its part. */
  readonly evidenceGroups?: readonly (readonly string[])[]
  /** Evidence sessions, where the data names them itself. Absent: those of its evidence. */
  readonly evidenceSessions?: readonly string[]
  /** Whether the conversation holds an answer. */
  readonly answerable: boolean
  /** The reference answer. Absent where the data has none. */
  readonly answer?: string
  /** Statements behind the answer, where the data gives them (HaluMem). */
  readonly keyPoints?: readonly string[]
  /** Options of a multiple-choice probe, in the data's order, and the right one, from 0. */
  readonly choices?: readonly string[]
  readonly correctChoice?: number
  /** The session right after which it is asked. Absent: after the last one. */
  readonly after?: string
}

/** One memory to fill: the sessions of one person (or two, in LoCoMo), and the questions about them. */
export interface BenchConversation {
  readonly name: string
  readonly user: string
  /** Language of its talk and of prompts about it. Absent: the data set's. */
  readonly language?: 'en' | 'zh'
  /** Whether it names its language, as sets of one's own do and HaluMem's published ones do not. */
  readonly isOwnSet?: boolean
  readonly sessions: readonly DatasetSession[]
  /** Shared by conversations of one person; intervals are clustered by it. */
  readonly person: string
  readonly questions: readonly DatasetQuestion[]
  /** From a turn's id to the id of the unit it belongs to. */
  readonly unitOf: ReadonlyMap<string, string>
  /** From a unit's id to its session's. */
  readonly sessionOf: ReadonlyMap<string, string>
}

/** A data set that is read conversation by conversation, so that a large file is never held whole. */
export interface OpenedDataset {
  /** Its name in reports: `locomo`, `memorybank-cn`, `halumem`, … */
  readonly name: string
  /** Language of the talk, for conversations that name none. */
  readonly language: 'en' | 'zh'
  /** sha256 over the input files, in the order of their names. */
  readonly dataHash: string
  readonly size: number
  /** In the data's order; each call reads again. Throws DatasetError naming file, line or place, and field. */
  conversations(): AsyncIterable<BenchConversation>
  /** Questions left out so far, by reason; complete once every conversation was read. */
  leftOut(): Readonly<Record<string, number>>
}

/** A small data set, read whole. */
export interface Dataset {
  readonly name: 'locomo' | 'lufy' | 'memorybank-en' | 'memorybank-cn' | 'everyday'
  /** sha256 over the input files, in the order of their names. */
  readonly dataHash: string
  readonly conversations: readonly BenchConversation[]
  readonly leftOut: Readonly<Record<string, number>>
}
