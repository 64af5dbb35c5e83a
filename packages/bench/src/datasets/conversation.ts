/** A turn of a data set, as an engine is given it. */
export interface DatasetTurn {
  /** Opaque: rises within the conversation and says nothing about sessions or answers. */
  readonly id: string
  readonly role: 'user' | 'agent'
  readonly speaker: string
  /** Whether the talk itself says who speaks: where it does not, a system that takes turns without a name gets none. Default true. */
  readonly isNamed?: boolean
  readonly text: string
  /** Milliseconds since 1970. */
  readonly at: number
  /** IANA name. The data sets name none, so their times are taken as UTC. */
  readonly zone: string
}

export interface DatasetSession {
  readonly id: string
  readonly turns: readonly DatasetTurn[]
  /** What a memory should hold once the session is over, or must not (`interference`). Absent: the data says nothing. */
  readonly gold?: readonly GoldMemory[]
  /** False for inserted irrelevant talk, which is ingested but not measured. Default true. */
  readonly isScored?: boolean
  /** What each of its user turns should do to the memory (MMM). */
  readonly operations?: readonly GoldOperation[]
}

/** HaluMem's three; a data set that tells none has `null`. */
export type GoldMemoryType = 'persona' | 'event' | 'relationship'

/** Where a gold memory comes from. `interference`: said by the agent, never confirmed, not to be remembered. */
export type GoldMemorySource = 'primary' | 'secondary' | 'interference' | 'system' | 'annotated'

/** A memory that the data's authors say a session should leave, or must not. */
export interface GoldMemory {
  /** Opaque, unique within the conversation. */
  readonly id: string
  readonly text: string
  readonly type: GoldMemoryType | null
  readonly source: GoldMemorySource
  readonly isUpdate: boolean
  /** Texts of what it replaces; empty unless it is an update. */
  readonly replaces: readonly string[]
  /** Weight in weighted recall, 0 or above. 1 where the data gives none. */
  readonly importance: number
  /** Turns that tell it; empty where the data names none. */
  readonly turns: readonly string[]
  /** What the data set calls such a label, where it has several kinds: LoCoMo's `observation` and `event-summary`. */
  readonly kind?: string
}

/** What one user turn should do to the memory: MMM's (type, index, content). */
export interface GoldOperation {
  /** Id of the user's turn. */
  readonly turn: string
  readonly kind: 'add' | 'modify' | 'delete' | 'none'
  /** Text, as it stood before, of the memory that is changed; `null` for `add` and `none`. */
  readonly target: string | null
  /** The new text; `null` for `delete` and `none`. */
  readonly text: string | null
}

/** A question put to one conversation's memory after its last session. */
export interface DatasetQuestion {
  readonly id: string
  readonly text: string
  /** When it is asked: the end of the last session, in milliseconds since 1970. */
  readonly askedAt: number
  /** The data set's own kind of question. */
  readonly category: string
  /** Ids of the units that answer it; a unit's id is that of its first turn. Empty: nothing does. */
  readonly evidence: readonly string[]
  /**
   * The same evidence by the parts of the answer, where the data has them: of every group one turn is needed, and each turn of
   * a group tells its part alone.
   */
  readonly evidenceGroups?: readonly (readonly string[])[]
  /** Sessions that answer it, where the data names them itself. Absent: those of its evidence. */
  readonly evidenceSessions?: readonly string[]
  /** Whether the conversation holds an answer at all. */
  readonly answerable: boolean
  /** The reference answer. Absent where the data has none. */
  readonly answer?: string
  /** Statements that the answer rests on, where the data gives them (HaluMem). */
  readonly keyPoints?: readonly string[]
  /** Options of a multiple-choice probe, in the data's order, and which is right, from 0. */
  readonly choices?: readonly string[]
  readonly correctChoice?: number
  /** The session right after which it is asked. Absent: after the last one. */
  readonly after?: string
}

/** One memory to fill: what one person (or two, in LoCoMo) said over several sessions, and what is asked about it. */
export interface BenchConversation {
  readonly name: string
  /** Whose memory it is. */
  readonly user: string
  /** Language of its talk: what is asked of readers and judges about it follows it. Absent: the data set's. */
  readonly language?: 'en' | 'zh'
  readonly sessions: readonly DatasetSession[]
  /** Conversations of one person share it; intervals are clustered by it. */
  readonly person: string
  readonly questions: readonly DatasetQuestion[]
  /** From a turn's id to the id of the unit it belongs to. */
  readonly unitOf: ReadonlyMap<string, string>
  /** From a unit's id to its session's. */
  readonly sessionOf: ReadonlyMap<string, string>
}

/** A data set that is read conversation by conversation, so that a large file is never held whole. */
export interface OpenedDataset {
  /** As reports name it: `locomo`, `memorybank-cn`, `halumem`, … */
  readonly name: string
  /** Language of the talk, for conversations that name none. */
  readonly language: 'en' | 'zh'
  /** sha256 over the input files, in the order of their names. */
  readonly dataHash: string
  /** How many conversations there are. */
  readonly size: number
  /** In the data's order; each call reads again. Throws DatasetError naming file, line or place, and field. */
  conversations(): AsyncIterable<BenchConversation>
  /** Questions left out so far, by reason; whole once every conversation was read. */
  leftOut(): Readonly<Record<string, number>>
}

/** A small data set, read whole. */
export interface Dataset {
  readonly name: 'locomo' | 'lufy' | 'memorybank-en' | 'memorybank-cn' | 'everyday'
  /** sha256 over the input files, in the order of their names. */
  readonly dataHash: string
  readonly conversations: readonly BenchConversation[]
  /** Questions that were left out, by reason. */
  readonly leftOut: Readonly<Record<string, number>>
}
