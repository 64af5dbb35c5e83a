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

export interface IngestionEntry extends Entry {
  readonly entry: 'ingestion'
  readonly session: string
  readonly turns: number
  readonly milliseconds: number
  readonly failure: string | null
}

/** A question's evidence was retrieved. */
export interface RetrievalEntry extends Entry {
  readonly entry: 'retrieval'
  readonly question: string
  readonly category: string
  readonly text: string
  readonly answerable: boolean
  readonly confidence: number
  readonly milliseconds: number
  /** Found units, best first, up to the limit. */
  readonly units: readonly string[]
  readonly evidence: readonly string[]
  /** Metrics of this question; `null` for unanswerable ones. */
  readonly scores: Readonly<Record<string, number>> | null
  /** Why the system failed, if it did. It then scores zero. */
  readonly failure: string | null
}

export interface IntegrityEntry extends Entry {
  readonly entry: 'integrity'
  readonly session: string
  readonly gold: string
  readonly text: string
  readonly type: GoldMemoryType | null
  readonly source: GoldMemorySource
  readonly isUpdate: boolean
  readonly importance: number
  /** Against all memories after the session. */
  readonly score: Degree
  /** Against the session's own memories alone, as in the published script. Absent in older logs: `score` is that. */
  readonly scoreOfSession?: Degree
  readonly reason: string
  /** Whether it is an update for which nothing was retrieved: the published script counts it here, the paper does not. */
  readonly isUnretrievedUpdate: boolean
}

export interface AccuracyEntry extends Entry {
  readonly entry: 'accuracy'
  readonly session: string
  readonly memory: string
  readonly text: string
  readonly score: Degree
  readonly isTarget: boolean
  readonly reason: string
}

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
  /** Where a wrong answer was lost; `null` for right ones and unknown. */
  readonly lost: LostStep | null
  /** Overlap of answer and reference; computed, no judge. */
  readonly overlap: Readonly<Record<string, number>>
  readonly contextTokens: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly retrieveMs: number
  readonly answerMs: number
  /** Why there is no answer, if a step failed. It then counts as an omission. */
  readonly failure: string | null
}

/** A plain question was asked as users ask it, and the reply's context compared with the evidence turns. */
export interface EverydayEntry extends Entry {
  readonly entry: 'everyday'
  readonly question: string
  readonly category: string
  readonly language: 'en' | 'zh'
  readonly text: string
  readonly answerable: boolean
  /** The evidence turns, by the parts of the answer. */
  readonly evidence: readonly (readonly string[])[]
  /** Whether the first memories rest on a turn of every part; `null` without answer or named turns. */
  readonly amongFirst: boolean | null
  /** Whether the context has every part; `null` without answer. */
  readonly inContext: boolean | null
  /** `null` when the system does not say. */
  readonly known: boolean | null
  readonly confidence: number | null
  readonly context: string
  readonly contextTokens: number
  readonly milliseconds: number
  /** Why the system failed, if it did. It is then wrong in all. */
  readonly failure: string | null
}

/** Token budgets of the contexts searched for key points. */
export const COVERAGE_BUDGETS = [500, 1_000, 2_000] as const

/** Key points were searched for in contexts of several budgets. */
export interface CoverageEntry extends Entry {
  readonly entry: 'coverage'
  readonly question: string
  readonly category: string
  readonly text: string
  readonly keyPoints: readonly string[]
  /** A context a budget, smallest first. */
  readonly contexts: readonly CoveredContext[]
  /** Why the system failed on one of them, if it did. That context counts as empty. */
  readonly failure: string | null
}

export interface CoveredContext {
  readonly budget: number
  readonly tokens: number
  readonly context: string
  /** For each key point, whether the judge finds it. */
  readonly held: readonly boolean[]
  /** For each key point, the share of its words, numbers and dates present; computed. */
  readonly words: readonly number[]
}

/** A multiple-choice probe was asked. */
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

/** A probe-table question was asked, and the reply compared with its reference (MOOM, appendix H). */
export interface ReplyEntry extends Entry {
  readonly entry: 'reply'
  readonly question: string
  readonly text: string
  readonly reference: string
  readonly reply: string
  /** 0 to 5, by the judge; 0 when a step failed. */
  readonly score: number
  readonly reason: string
  /** Overlap of reply and reference; computed, no judge. */
  readonly overlap: Readonly<Record<string, number>>
  readonly retrieved: readonly string[]
  readonly context: string
  readonly failure: string | null
}

/** The expected and actual effect of one user turn on the memory. */
export interface OperationEntry extends Entry {
  readonly entry: 'operation'
  readonly gold: GoldOperation
  /** The actual operations in order; empty: none. */
  readonly actual: readonly {
    readonly kind: 'add' | 'modify' | 'delete'
    readonly before: string | null
    readonly after: string | null
  }[]
  readonly typeCorrect: boolean
  /** `null` without an expected index (`add`, `none`). */
  readonly indexCorrect: boolean | null
  /** The same where the updater was shown the expected memory; `null` where it was not. Absent: unknown. */
  readonly indexShown?: boolean | null
  /** `null` without expected content (`delete`, `none`). */
  readonly contentCorrect: boolean | null
  /** Index and content whatever the type, over every turn: right too where none was expected and none given. Absent: an older log. */
  readonly ofAnyType?: { readonly index: boolean; readonly content: boolean }
  readonly reason: string
}

/** A label and its most similar memory (MOOM). */
export interface LabelEntry extends Entry {
  readonly entry: 'label'
  readonly label: string
  /** The data set's kind of label, where it has several. */
  readonly kind?: string
  readonly text: string
  /** The most similar memory; `null` when the system has none. */
  readonly memory: string | null
  /** `rouge2`, `rougeL`, `greedy_words`, `cosine`, and with a model of tokens `bertscore`: each the best over the memories. */
  readonly overlap: Readonly<Record<string, number>>
  /** MemScore, 0 to 5, by the judge; `null` without a judge. */
  readonly memScore: number | null
  readonly reason: string
}

/** A failure outside of questions: it is reported, never averaged away. */
export interface FailureEntry extends Entry {
  readonly entry: 'failure'
  readonly where: string
  readonly message: string
}

/** A malformed but readable answer of a system: reported, without affecting figures. */
export interface OddityEntry extends Entry {
  readonly entry: 'oddity'
  readonly what: string
  readonly count: number
}

/** A finished conversation: written last, and what makes a run resumable. */
export interface DoneEntry extends Entry {
  readonly entry: 'done'
  readonly usage: SystemUsage
  readonly ingestMs: number
  readonly memories: number | null
  readonly milliseconds: number
}

/** A step of a benchmark without conversations: its figures and single values. */
export interface StepEntry {
  readonly entry: 'step'
  readonly step: string
  readonly results: readonly SystemFigures[]
  readonly records: unknown
}

/** One line of a run’s log: what was measured at one step. */
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
