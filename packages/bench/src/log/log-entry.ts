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
  /** Intervals resample people, because answers about one person depend on each other. */
  readonly person: string
}

/** Logged when a session was passed to the system. */
export interface IngestionEntry extends Entry {
  readonly entry: 'ingestion'
  readonly session: string
  readonly turns: number
  readonly milliseconds: number
  readonly failure: string | null
}

/** Logged when the evidence of a question (the turns that answer it) was searched for. */
export interface RetrievalEntry extends Entry {
  readonly entry: 'retrieval'
  readonly question: string
  readonly category: string
  readonly text: string
  readonly answerable: boolean
  readonly confidence: number
  readonly milliseconds: number
  /** The first 30 found units, best first. A unit is a turn or a round, by data set. */
  readonly units: readonly string[]
  readonly evidence: readonly string[]
  /** The metrics of this question. `null` for a question without evidence. */
  readonly scores: Readonly<Record<string, number>> | null
  /** Why the retrieval failed. It then scores zero. `null`: it succeeded. */
  readonly failure: string | null
}

/** HaluMem: logged when a gold memory, which the data expects, was compared with the system's memories. */
export interface IntegrityEntry extends Entry {
  readonly entry: 'integrity'
  readonly session: string
  readonly gold: string
  readonly text: string
  readonly type: GoldMemoryType | null
  readonly source: GoldMemorySource
  readonly isUpdate: boolean
  readonly importance: number
  /** How far all memories after the session contain the gold memory. */
  readonly score: Degree
  /** How far the memories of this session alone contain it, as in HaluMem's published script. Older logs have it in `score`. */
  readonly scoreOfSession?: Degree
  readonly reason: string
  /** Whether it is an update for which nothing was retrieved. The published script counts such updates here, the paper does not. */
  readonly isUnretrievedUpdate: boolean
}

/** HaluMem: logged when an extracted memory was compared with the dialogue and the gold memories. */
export interface AccuracyEntry extends Entry {
  readonly entry: 'accuracy'
  readonly session: string
  readonly memory: string
  readonly text: string
  readonly score: Degree
  /** Whether the memory is about things in the gold memories. */
  readonly isTarget: boolean
  readonly reason: string
}

/** HaluMem: logged when a gold update was searched for among the memories. */
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

/** A question was answered, and the answer judged. */
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
  /** The step that lost a wrong answer. `null` for right answers, and where the step is unknown. */
  readonly lost: LostStep | null
  /** Overlap of answer and reference, by metric. It is computed without a judge. */
  readonly overlap: Readonly<Record<string, number>>
  readonly contextTokens: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly retrieveMs: number
  readonly answerMs: number
  /** Why there is no answer. It then counts as an omission. `null`: no step failed. */
  readonly failure: string | null
}

/** Logged when a question in plain words was asked, and the context was compared with the evidence turns. */
export interface EverydayEntry extends Entry {
  readonly entry: 'everyday'
  readonly question: string
  readonly category: string
  readonly language: 'en' | 'zh'
  readonly text: string
  readonly answerable: boolean
  /** The evidence turns, by the parts of the answer. */
  readonly evidence: readonly (readonly string[])[]
  /** Whether the first four memories rest on a turn of every part. `null`: nothing answers the question, or memories name no turns. */
  readonly amongFirst: boolean | null
  /** Whether the context contains every part. `null`: nothing answers the question. */
  readonly inContext: boolean | null
  /** Whether the system reports that it has an answer. `null`: it reports nothing about that. */
  readonly known: boolean | null
  readonly confidence: number | null
  readonly context: string
  readonly contextTokens: number
  readonly milliseconds: number
  /** Why the retrieval failed. It then counts as wrong in every metric. `null`: it succeeded. */
  readonly failure: string | null
}

/** Token budgets of the contexts searched for key points. */
export const COVERAGE_BUDGETS = [500, 1_000, 2_000] as const

/** Logged when key points were searched for in contexts of several budgets. */
export interface CoverageEntry extends Entry {
  readonly entry: 'coverage'
  readonly question: string
  readonly category: string
  readonly text: string
  readonly keyPoints: readonly string[]
  /** One context per budget, smallest budget first. */
  readonly contexts: readonly CoveredContext[]
  /** Why a retrieval failed. Its context counts as empty. `null`: all succeeded. */
  readonly failure: string | null
}

/** A context of one token budget, compared with the key points of an answer. */
export interface CoveredContext {
  readonly budget: number
  readonly tokens: number
  readonly context: string
  /** For each key point, whether the judge finds it in the context. */
  readonly held: readonly boolean[]
  /** For each key point, the computed share of its words, numbers and dates in the context. */
  readonly words: readonly number[]
}

/** Logged when a multiple-choice probe was asked. */
export interface ProbeEntry extends Entry {
  readonly entry: 'probe'
  readonly question: string
  readonly category: string
  readonly text: string
  readonly choices: readonly string[]
  readonly correct: number
  /** The index of the chosen option. `null`: a step failed, so the answer is wrong. */
  readonly chosen: number | null
  readonly retrieved: readonly string[]
  readonly context: string
  readonly failure: string | null
}

/** Logged when a question of the probe table was asked, and the reply compared with its reference (MOOM, appendix H). */
export interface ReplyEntry extends Entry {
  readonly entry: 'reply'
  readonly question: string
  readonly text: string
  readonly reference: string
  readonly reply: string
  /** The judge's score from 0 to 5. 0 if a step failed. */
  readonly score: number
  readonly reason: string
  /** Overlap of reply and reference, by metric. It is computed without a judge. */
  readonly overlap: Readonly<Record<string, number>>
  readonly retrieved: readonly string[]
  readonly context: string
  readonly failure: string | null
}

/** MMM: the expected and the actual effect of one user turn on the memory. */
export interface OperationEntry extends Entry {
  readonly entry: 'operation'
  readonly gold: GoldOperation
  readonly actual: readonly {
    readonly kind: 'add' | 'modify' | 'delete'
    readonly before: string | null
    readonly after: string | null
  }[]
  readonly typeCorrect: boolean
  /** Whether the right memory was changed. `null`: no memory should change (`add`, `none`). */
  readonly indexCorrect: boolean | null
  /** `indexCorrect` of an updater that was shown the expected memory. `null`: it was not shown. Absent: unknown. */
  readonly indexShown?: boolean | null
  /** Whether the new text is right. `null`: no text is expected (`delete`, `none`). */
  readonly contentCorrect: boolean | null
  /** Whether index and content are right, whatever the type. If none is expected, none is right. Older logs lack this field. */
  readonly ofAnyType?: { readonly index: boolean; readonly content: boolean }
  readonly reason: string
}

/** MOOM: a label (an annotated memory) with the system's most similar memory. */
export interface LabelEntry extends Entry {
  readonly entry: 'label'
  readonly label: string
  /** The data set's kind of label, if it has several. */
  readonly kind?: string
  readonly text: string
  /** The most similar memory. `null`: the system has none. */
  readonly memory: string | null
  /** The best value over the memories, by metric: `rouge2`, `rougeL`, `greedy_words`, `cosine`, and `bertscore` if it was computed. */
  readonly overlap: Readonly<Record<string, number>>
  /** The judge's MemScore from 0 to 5. `null`: there is no judge. */
  readonly memScore: number | null
  readonly reason: string
}

/** A failure outside of questions. Reports list it. */
export interface FailureEntry extends Entry {
  readonly entry: 'failure'
  readonly where: string
  readonly message: string
}

/** Malformed but readable answers of a system. Reports list them, and figures ignore them. */
export interface OddityEntry extends Entry {
  readonly entry: 'oddity'
  readonly what: string
  readonly count: number
}

/** Logged last, when a conversation was finished. A resumed run measures conversations without this entry again. */
export interface DoneEntry extends Entry {
  readonly entry: 'done'
  readonly usage: SystemUsage
  readonly ingestMs: number
  readonly memories: number | null
  readonly milliseconds: number
}

/** A finished step of a benchmark without conversations, with its figures. */
export interface StepEntry {
  readonly entry: 'step'
  readonly step: string
  readonly results: readonly SystemFigures[]
  readonly records: unknown
}

/** One line of a run’s log: the result of one step. */
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
