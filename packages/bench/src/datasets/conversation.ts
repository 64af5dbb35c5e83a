import { z } from 'zod'

/** The role of a turn in data files. `agent` means `assistant`. */
export const TurnRoleField = z
  .enum(['user', 'assistant', 'agent'])
  .transform((role) => (role === 'user' ? 'user' : 'assistant'))

/** Returns the speaker's name for a turn whose data names none. */
export function nameOfRole(role: DatasetTurn['role']): string {
  return role === 'user' ? 'user' : 'agent'
}

/** A message of a data set. */
export interface DatasetTurn {
  /** Rises within the conversation. Systems cannot see the session or an answer in it. */
  readonly id: string
  readonly role: 'user' | 'assistant'
  readonly speaker: string
  /** Whether the data names the speaker. If not, systems that take turns without a name get none. Default true. */
  readonly isNamed?: boolean
  readonly text: string
  /** Milliseconds since 1970. */
  readonly at: number
  /** IANA name of the time zone. Published data sets name none, so their times count as UTC. */
  readonly zone: string
}

/** A session of a data set: its messages in order. */
export interface DatasetSession {
  readonly id: string
  readonly turns: readonly DatasetTurn[]
  /** Memories that the session should leave, or should not (`interference`). Absent: the data does not say. */
  readonly gold?: readonly GoldMemory[]
  /** `false` for irrelevant talk that the data inserts. Systems store it, but it is not measured. Default true. */
  readonly isScored?: boolean
  /** The operations that the session's user turns should cause (MMM). */
  readonly operations?: readonly GoldOperation[]
}

/** The three types of memories in HaluMem. */
export type GoldMemoryType = 'persona' | 'event' | 'relationship'

/** Origin of a gold memory: HaluMem's sources, `interference` (said by the agent, not to be stored), or `annotated` by people. */
export type GoldMemorySource = 'primary' | 'secondary' | 'interference' | 'system' | 'annotated'

/** A gold memory: the data set expects that a session leaves it. */
export interface GoldMemory {
  /** Unique within the conversation. */
  readonly id: string
  readonly text: string
  readonly type: GoldMemoryType | null
  readonly source: GoldMemorySource
  readonly isUpdate: boolean
  /** Whether the data calls the memory an update, even if it does not name what is replaced. Default: `isUpdate`. */
  readonly isCalledUpdate?: boolean
  /** The texts that the memory replaces. Empty unless it is an update. */
  readonly replaces: readonly string[]
  /** Weight in weighted recall, 0 or above. 1 if the data gives none. */
  readonly importance: number
  /** The turns that state the memory. Empty if the data names none. */
  readonly turns: readonly string[]
  /** The data set's kind of label, if it has several: LoCoMo's `observation` and `event-summary`. */
  readonly kind?: string
}

/** The operation that one user turn should cause. The MMM paper calls its parts type, index and content. */
export interface GoldOperation {
  readonly turn: string
  readonly kind: 'add' | 'modify' | 'delete' | 'none'
  /** The old text of the changed memory. `null` for `add` and `none`. */
  readonly target: string | null
  /** The new text. `null` for `delete` and `none`. */
  readonly text: string | null
}

/** A question to the memory of one conversation. */
export interface DatasetQuestion {
  readonly id: string
  readonly text: string
  /** The time of the question, in milliseconds since 1970. */
  readonly askedAt: number
  /** The kind of question, as the data set names it. */
  readonly category: string
  /** Evidence: ids of the units that answer the question. A unit has the id of its first turn. Empty if nothing answers it, or the data names none. */
  readonly evidence: readonly string[]
  /** Evidence turns, one group for each part of the answer. Any turn of a group is enough for its part. */
  readonly evidenceGroups?: readonly (readonly string[])[]
  /** Whether the conversation contains an answer. */
  readonly answerable: boolean
  /** The reference answer. Absent if the data has none. */
  readonly answer?: string
  /** Statements on which the answer rests, if the data gives them (HaluMem). */
  readonly keyPoints?: readonly string[]
  /** The options of a multiple-choice question, in the data's order. */
  readonly choices?: readonly string[]
  /** The index of the right option. */
  readonly correctChoice?: number
  /** The session right after which the question is asked. Absent: after the last one. */
  readonly after?: string
}

/** The sessions that fill one memory, and the questions about them. One person talks with an agent, or in LoCoMo two people talk. */
export interface BenchConversation {
  readonly name: string
  readonly user: string
  /** Language of the conversation and of prompts about it. Absent: that of the data set. */
  readonly language?: 'en' | 'zh'
  /** Whether this harness generated the conversation. Generated HaluMem files name their language, published ones do not. */
  readonly isOwnSet?: boolean
  readonly sessions: readonly DatasetSession[]
  /** Conversations of one person share this name. Intervals resample persons. */
  readonly person: string
  readonly questions: readonly DatasetQuestion[]
  /** The id of a turn's unit (turn or round), by the turn's id. */
  readonly unitOf: ReadonlyMap<string, string>
  /** The id of a unit's session, by the unit's id. */
  readonly sessionOf: ReadonlyMap<string, string>
}

/** A data set that is read conversation by conversation, so that large files need little memory. */
export interface OpenedDataset {
  /** Its name in reports: `locomo`, `memorybank-cn`, `halumem`, … */
  readonly name: string
  /** Language of the talk, for conversations that name none. */
  readonly language: 'en' | 'zh'
  /** sha256 over the input files, in the order of their names. */
  readonly dataHash: string
  readonly size: number
  /** Reads the conversations in the order of the data. Throws DatasetError naming file, place and field. */
  conversations(): AsyncIterable<BenchConversation>
  /** Returns the numbers of questions that were left out, by reason. They are complete once every conversation was read. */
  leftOut(): Readonly<Record<string, number>>
}

/** A small data set, which is read as a whole. */
export interface Dataset {
  readonly name: 'locomo' | 'lufy' | 'memorybank-en' | 'memorybank-cn' | 'everyday'
  /** sha256 over the input files, in the order of their names. */
  readonly dataHash: string
  readonly conversations: readonly BenchConversation[]
  readonly leftOut: Readonly<Record<string, number>>
}
