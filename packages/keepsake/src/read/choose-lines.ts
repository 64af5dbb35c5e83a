// Chooses the memories that may get a line of a context.
import type { CountTokens } from '@keepsake/text'
import type { RecalledMemory } from '../retrieval/recall-types.ts'
import type { AnalysedText, AnalysedTexts } from '../user-state/analysed-text.ts'
import { saidTurns, type AheadLine, type SaidTurn } from './context-lines.ts'
import type { FoundAnswer } from './found-memory.ts'

/** The question that a context answers. */
export interface AnswerQuery {
  readonly question: string
  /** Whom the question is about: the user, the agent's words or actions, or neither. */
  readonly asks: FoundAnswer['asks']
  /** Whether statements fill the whole budget. A language model wrote them so that each can be read alone. */
  readonly isFilled: boolean
  /** Whether the answer lies in several turns, as for “Which cities have I visited?”. The context is then in order of time. */
  readonly isOfSeveral?: boolean
  /** Lines of the profile, which stand ahead of the memories. */
  readonly ahead: readonly AheadLine[]
  /** By utterance: the time since when something in its words no longer holds. */
  readonly changed: ReadonlyMap<string, number>
}

export interface ContextBudget {
  readonly tokens: number
  readonly countTokens: CountTokens
  readonly texts?: AnalysedTexts | undefined
  /** Maximum number of memories; no limit when absent. */
  readonly lines?: number | undefined
  /** Statements that ended by this time are presented as ended. When absent, all that have an end are. */
  readonly now?: number | undefined
}

/** Share of the best score below which a memory is noise. It is low: a statement that shares few words may be the newer one. */
const NOISE_SHARE = 0.15

/** Returns the score below which a memory is noise. */
export function minUsefulScore(memories: readonly Pick<RecalledMemory, 'score'>[]): number {
  return NOISE_SHARE * Math.max(0, ...memories.map(({ score }) => score))
}

/** A memory that may get a line. Its terms are computed when first needed, since most candidates come after the budget is spent. */
export class Candidate {
  readonly recalled: RecalledMemory
  readonly isStatement: boolean
  readonly #texts: AnalysedTexts
  #said: readonly SaidTurn[] | undefined
  #ownTexts: readonly AnalysedText[] | undefined
  #bits: number | undefined

  constructor(recalled: RecalledMemory, texts: AnalysedTexts) {
    this.recalled = recalled
    this.isStatement = recalled.memory.form !== 'utterance'
    this.#texts = texts
  }

  /** The turns whose words may be shown, in order of time. */
  get said(): readonly SaidTurn[] {
    return (this.#said ??= saidTurns(this.recalled, this.#texts))
  }

  /** The words that count as its own: a statement's text, or the user's turns, or others' turns if the user said nothing. */
  get ownTexts(): readonly AnalysedText[] {
    if (this.#ownTexts !== undefined) return this.#ownTexts
    const users = this.said.filter(({ turn }) => turn.role !== 'assistant')
    const texts = (users.length > 0 ? users : this.said).map(({ text }) => text)
    return (this.#ownTexts = this.isStatement ? [this.#texts.of(this.recalled.memory.text)] : texts)
  }

  /** Signature of its terms, see `AnalysedText`. */
  get bits(): number {
    return (this.#bits ??= this.ownTexts.reduce((all, { bits }) => all | bits, 0))
  }

  /** Whether another candidate holds all of its terms. One more number or name makes it different. */
  isWithin(other: Candidate): boolean {
    const mayBeWithin = this.bits !== 0 && (this.bits & ~other.bits) === 0
    if (this.isStatement !== other.isStatement || !mayBeWithin) return false
    return isRepeated(this.ownTexts, other.ownTexts)
  }
}

/** Whether other texts hold all terms of some texts. */
function isRepeated(texts: readonly AnalysedText[], others: readonly AnalysedText[]): boolean {
  const isRepeatedTerm = (term: string): boolean => others.some(({ terms }) => terms.has(term))
  return texts.every(({ terms }) => terms.values().every(isRepeatedTerm))
}

/**
 * Lists the memories that may get a line of an answer, best first. If statements fill the budget, all other statements follow. A statement
 * that only the agent made is no answer to a question about the user.
 */
export function chooseCandidates(
  memories: readonly RecalledMemory[],
  { isFilled, asks }: Pick<AnswerQuery, 'isFilled' | 'asks'>,
  texts: AnalysedTexts,
): Candidate[] {
  const minScore = minUsefulScore(memories)
  const mayAnswer = ({ isStatement, recalled }: Candidate): boolean =>
    !isStatement || asks !== 'user' || recalled.memory.label !== 'agent-stated'
  const candidates = memories.map((memory) => new Candidate(memory, texts)).filter(mayAnswer)
  const isUseful = ({ recalled }: Candidate): boolean => recalled.score >= minScore
  const rest = isFilled ? candidates.filter((entry) => entry.isStatement && !isUseful(entry)) : []
  return [...candidates.filter(isUseful), ...rest]
}
