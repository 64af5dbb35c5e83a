/** A turn of a data set, as an engine is given it. */
export interface DatasetTurn {
  /** Opaque: rises within the conversation and says nothing about sessions or answers. */
  readonly id: string
  readonly role: 'user' | 'agent'
  readonly speaker: string
  readonly text: string
  /** Milliseconds since 1970. */
  readonly at: number
  /** IANA name. The data sets name none, so their times are taken as UTC. */
  readonly zone: string
}
export interface DatasetSession {
  readonly id: string
  readonly turns: readonly DatasetTurn[]
}
/** One memory to fill: what one person (or two, in LoCoMo) said over several sessions. */
export interface Conversation {
  /** Whose memory it is. */
  readonly user: string
  readonly sessions: readonly DatasetSession[]
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
  /** Whether the conversation holds an answer at all. */
  readonly answerable: boolean
}
export interface BenchConversation extends Conversation {
  readonly name: string
  /** Conversations of one person share it; intervals are clustered by it. */
  readonly person: string
  readonly questions: readonly DatasetQuestion[]
  /** From a turn's id to the id of the unit it belongs to. */
  readonly unitOf: ReadonlyMap<string, string>
  /** From a unit's id to its session's. */
  readonly sessionOf: ReadonlyMap<string, string>
}
export interface Dataset {
  readonly name: 'locomo' | 'lufy' | 'memorybank-en' | 'memorybank-cn'
  /** sha256 over the input files, in the order of their names. */
  readonly dataHash: string
  readonly conversations: readonly BenchConversation[]
  /** Questions that were left out, by reason. */
  readonly leftOut: Readonly<Record<string, number>>
}
//# sourceMappingURL=conversation.d.ts.map
