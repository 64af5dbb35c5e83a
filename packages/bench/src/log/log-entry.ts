import type { AnswerOutcome, Degree, UpdateOutcome } from '../judges/judge.ts'
import type { SystemUsage } from '../systems/memory-system.ts'
import type { GoldMemorySource, GoldMemoryType, GoldOperation } from '../datasets/conversation.ts'
import type { SystemFigures } from './figure.ts'

/** The step that lost an answer. */
export const LOST_STEPS = [
  'never-extracted',
  'wrongly-updated',
  'forgotten',
  'not-retrieved',
  'misread',
] as const
export type LostStep = (typeof LOST_STEPS)[number]

interface Entry {
  readonly conversation: string
  /** Intervals are clustered by it. */
  readonly person: string
}

/** A session was ingested. */
export interface IngestionEntry extends Entry {
  readonly entry: 'ingestion'
  readonly session: string
  readonly turns: number
  readonly milliseconds: number
  readonly failure: string | null
}

/** A question's evidence was looked for. */
export interface RetrievalEntry extends Entry {
  readonly entry: 'retrieval'
  readonly question: string
  readonly category: string
  readonly text: string
  readonly answerable: boolean
  /** NaN, which JSON writes as null, when the system gives none. */
  readonly confidence: number
  readonly milliseconds: number
  /** Units found, best first, as far as they were asked for. */
  readonly units: readonly string[]
  readonly evidence: readonly string[]
  /** Metrics of this question; `null` where nothing answers it. */
  readonly scores: Readonly<Record<string, number>> | null
  /** Why the system failed on it, if it did. It then scores zero. */
  readonly failure: string | null
}

/** A gold memory was looked for among what its session left. */
export interface IntegrityEntry extends Entry {
  readonly entry: 'integrity'
  readonly session: string
  readonly gold: string
  readonly text: string
  readonly type: GoldMemoryType | null
  readonly source: GoldMemorySource
  readonly isUpdate: boolean
  readonly importance: number
  /** Against all that stands after the session. */
  readonly score: Degree
  /** Against what the session itself left, which is all that the published script looks at. Absent in older logs: `score` is that. */
  readonly scoreOfSession?: Degree
  readonly reason: string
  /** Whether it is an update for which nothing was retrieved: the published script counts it here, the paper does not. */
  readonly isUnretrievedUpdate: boolean
}

/** A memory that a session left was checked. */
export interface AccuracyEntry extends Entry {
  readonly entry: 'accuracy'
  readonly session: string
  readonly memory: string
  readonly text: string
  readonly score: Degree
  readonly isTarget: boolean
  readonly reason: string
}

/** An update was looked for. */
export interface UpdateEntry extends Entry {
  readonly entry: 'update'
  readonly session: string
  readonly gold: string
  readonly text: string
  readonly originals: readonly string[]
  readonly type: GoldMemoryType | null
  readonly retrieved: readonly string[]
  readonly outcome: UpdateOutcome
  readonly reason: string
  readonly milliseconds: number
}

/** A question was answered. */
export interface AnswerEntry extends Entry {
  readonly entry: 'answer'
  readonly question: string
  readonly category: string
  readonly text: string
  readonly reference: string
  readonly keyPoints: readonly string[]
  readonly answerable: boolean
  readonly answer: string
  readonly abstained: boolean
  readonly confidence: number | null
  readonly context: string
  readonly retrieved: readonly string[]
  readonly outcome: AnswerOutcome
  readonly reason: string
  /** Where a wrong answer was lost; `null` for a right one, and where it is not known. */
  readonly lost: LostStep | null
  /** Of the answer against the reference; computed, no judge. */
  readonly overlap: Readonly<Record<string, number>>
  readonly contextTokens: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly retrieveMs: number
  readonly answerMs: number
  /** Why there is no answer, if a step failed. It then counts as an omission. */
  readonly failure: string | null
}

/** A plain question was asked as people ask it, and what a reply would be given was held against the turns that answer it. */
export interface EverydayEntry extends Entry {
  readonly entry: 'everyday'
  readonly question: string
  readonly category: string
  readonly language: 'en' | 'zh'
  readonly text: string
  readonly answerable: boolean
  /** The turns that answer it, by the parts of the answer. */
  readonly evidence: readonly (readonly string[])[]
  /** Whether the first memories rest on a turn of every part; `null` where there is no answer, or no turns are named. */
  readonly amongFirst: boolean | null
  /** Whether every part stands in the context; `null` where there is no answer. */
  readonly inContext: boolean | null
  /** `null` when the system does not say. */
  readonly known: boolean | null
  readonly confidence: number | null
  readonly context: string
  readonly contextTokens: number
  readonly milliseconds: number
  /** Why the system failed on it, if it did. It is then wrong in all. */
  readonly failure: string | null
}

/** Tokens of the contexts in which key points are looked for. */
export const COVERAGE_BUDGETS = [500, 1_000, 2_000] as const

/** What an answer rests on was looked for in contexts of several budgets. */
export interface CoverageEntry extends Entry {
  readonly entry: 'coverage'
  readonly question: string
  readonly category: string
  readonly text: string
  readonly keyPoints: readonly string[]
  /** A context a budget, smallest first. */
  readonly contexts: readonly CoveredContext[]
  /** Why the system failed on one of them, if it did. What it then holds is nothing. */
  readonly failure: string | null
}

export interface CoveredContext {
  /** Tokens it might cost, and what it does. */
  readonly budget: number
  readonly tokens: number
  readonly context: string
  /** Of each key point whether the judge finds it held. */
  readonly held: readonly boolean[]
  /** Of each key point the share of its words, numbers and dates that stand there; computed. */
  readonly words: readonly number[]
}

/** A multiple-choice probe was put. */
export interface ProbeEntry extends Entry {
  readonly entry: 'probe'
  readonly question: string
  readonly category: string
  readonly text: string
  readonly choices: readonly string[]
  readonly correct: number
  /** `null` when a step failed: it is then wrong. */
  readonly chosen: number | null
  readonly retrieved: readonly string[]
  readonly context: string
  readonly failure: string | null
}

/** A question of the probe table was put, and the reply held against what a person who remembers would say (MOOM, appendix H). */
export interface ReplyEntry extends Entry {
  readonly entry: 'reply'
  readonly question: string
  readonly text: string
  readonly reference: string
  readonly reply: string
  /** 0 to 5, by the judge; 0 when a step failed. */
  readonly score: number
  readonly reason: string
  /** Of the reply against the reference; computed, no judge. */
  readonly overlap: Readonly<Record<string, number>>
  readonly retrieved: readonly string[]
  readonly context: string
  readonly failure: string | null
}

/** What one user turn did to the memory, against what it should. */
export interface OperationEntry extends Entry {
  readonly entry: 'operation'
  readonly gold: GoldOperation
  /** What it did, in order; empty: nothing. */
  readonly actual: readonly {
    readonly kind: 'add' | 'modify' | 'delete'
    readonly before: string | null
    readonly after: string | null
  }[]
  readonly typeCorrect: boolean
  /** `null` where there is no index to get right (`add`, `none`). */
  readonly indexCorrect: boolean | null
  /** The same where the memory meant was among those that the updater was shown; `null` where it was not. Absent: no one can tell. */
  readonly indexShown?: boolean | null
  /** `null` where there is no content (`delete`, `none`). */
  readonly contentCorrect: boolean | null
  readonly reason: string
}

/** A label and the memory that is most like it (MOOM). */
export interface LabelEntry extends Entry {
  readonly entry: 'label'
  readonly label: string
  /** What the data set calls such a label, where it has several kinds. */
  readonly kind?: string
  readonly text: string
  /** The memory most like it; `null` when the system holds none. */
  readonly memory: string | null
  /** `rouge2`, `rougeL`, `greedy_words`, `cosine`, and with a model of tokens `bertscore`: each the best over the memories. */
  readonly overlap: Readonly<Record<string, number>>
  /** MemScore, 0 to 5, by the judge; `null` when no judge was asked. */
  readonly memScore: number | null
  readonly reason: string
}

/** Something failed that is no question: it is reported, never averaged away. */
export interface FailureEntry extends Entry {
  readonly entry: 'failure'
  readonly where: string
  readonly message: string
}

/** What a system gave in another form than agreed and was read all the same: told beside the figures, it costs none of them. */
export interface OddityEntry extends Entry {
  readonly entry: 'oddity'
  readonly what: string
  readonly count: number
}

/** A conversation is done: written last, and what makes a run resumable. */
export interface DoneEntry extends Entry {
  readonly entry: 'done'
  readonly usage: SystemUsage
  readonly ingestMs: number
  readonly memories: number | null
  readonly milliseconds: number
}

/** A step of a benchmark that measures no conversations: what it found, and the single values behind it. */
export interface StepEntry {
  readonly entry: 'step'
  readonly step: string
  readonly results: readonly SystemFigures[]
  readonly records: unknown
}

export type LogEntry =
  | IngestionEntry
  | RetrievalEntry
  | IntegrityEntry
  | AccuracyEntry
  | UpdateEntry
  | AnswerEntry
  | EverydayEntry
  | CoverageEntry
  | ProbeEntry
  | ReplyEntry
  | OperationEntry
  | LabelEntry
  | FailureEntry
  | OddityEntry
  | DoneEntry
  | StepEntry

export type EntryOf<K extends LogEntry['entry']> = Extract<LogEntry, { readonly entry: K }>
