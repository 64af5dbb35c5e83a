import type { CountTokens } from '@keepsake/text'
import type { RecalledMemory } from '../retrieval/recall-types.ts'
import type { AnalysedText, AnalysedTexts } from '../user-state/analysed-text.ts'
import { saidTurns, type AheadLine, type SaidTurn } from './context-lines.ts'
import type { FoundAnswer } from './found-memory.ts'

/** What a context answers. */
export interface AnswerQuery {
  readonly question: string
  /** Whom it is about: the user, the agent's words or actions, or neither. */
  readonly asks: FoundAnswer['asks']
  /** Whether the whole budget is filled with statements, which a language model wrote to be read alone. */
  readonly isFilled: boolean
  /** Whether the answer needs several places: then each day has a line of its own, in order of time. */
  readonly isOfSeveral?: boolean
  /** Lines of the profile, which stand ahead of the memories. */
  readonly ahead: readonly AheadLine[]
  /** By utterance: since when something in its words is no longer so. */
  readonly changed: ReadonlyMap<string, number>
}

export interface ContextBudget {
  readonly tokens: number
  readonly countTokens: CountTokens
  readonly texts?: AnalysedTexts | undefined
  /** Maximum of memories; no limit when absent. */
  readonly lines?: number | undefined
  /** Time by which statements have ended; those with an end all have when absent. */
  readonly now?: number | undefined
}

/** Share of the best score below which a memory is noise. It is low: a statement that shares few words may be the newer one. */
const NOISE_SHARE = 0.15

/** The score below which a memory is noise beside the best. */
export function leastScore(memories: readonly Pick<RecalledMemory, 'score'>[]): number {
  return NOISE_SHARE * Math.max(0, ...memories.map(({ score }) => score))
}

/** A memory that may get a line. Its terms are read when first needed, which most never are once the budget is spent. */
export class Candidate {
  readonly recalled: RecalledMemory
  readonly isStatement: boolean
  readonly #texts: AnalysedTexts
  #said: readonly SaidTurn[] | undefined
  #own: readonly AnalysedText[] | undefined
  #bits: number | undefined

  constructor(recalled: RecalledMemory, texts: AnalysedTexts) {
    this.recalled = recalled
    this.isStatement = recalled.memory.form !== 'utterance'
    this.#texts = texts
  }

  /** What was said, in order of time. */
  get said(): readonly SaidTurn[] {
    return (this.#said ??= saidTurns(this.recalled, this.#texts))
  }

  /** Its own words: a statement, or the user's turns, or others' where the user said nothing. */
  get own(): readonly AnalysedText[] {
    if (this.#own !== undefined) return this.#own
    const users = this.said.filter(({ turn }) => turn.role !== 'assistant')
    const texts = (users.length > 0 ? users : this.said).map(({ text }) => text)
    return (this.#own = this.isStatement ? [this.#texts.of(this.recalled.memory.text)] : texts)
  }

  /** Bits of its terms, see `AnalysedText`. */
  get bits(): number {
    return (this.#bits ??= this.own.reduce((all, { bits }) => all | bits, 0))
  }

  /** Whether it says nothing that another does not: one more number or name is something else. */
  isWithin(other: Candidate): boolean {
    if (this.isStatement !== other.isStatement || this.bits === 0 || (this.bits & ~other.bits) !== 0)
      return false
    return isRepeated(this.own, other.own)
  }
}

/** Whether other texts hold all terms of some texts. */
function isRepeated(own: readonly AnalysedText[], others: readonly AnalysedText[]): boolean {
  const isSaid = (term: string): boolean => others.some(({ terms }) => terms.has(term))
  return own.every(({ terms }) => terms.values().every(isSaid))
}

/**
 * Lists the memories that may get a line of an answer, best first. Where the budget is filled, every other statement follows. What the agent
 * alone stated is no answer about the user.
 */
export function chooseCandidates(
  memories: readonly RecalledMemory[],
  { isFilled, asks }: Pick<AnswerQuery, 'isFilled' | 'asks'>,
  texts: AnalysedTexts,
): Candidate[] {
  const least = leastScore(memories)
  const isMeant = ({ isStatement, recalled }: Candidate): boolean =>
    !isStatement || asks !== 'user' || recalled.memory.label !== 'agent-stated'
  const candidates = memories.map((one) => new Candidate(one, texts)).filter(isMeant)
  const isNear = ({ recalled }: Candidate): boolean => recalled.score >= least
  const rest = isFilled ? candidates.filter((one) => one.isStatement && !isNear(one)) : []
  return [...candidates.filter(isNear), ...rest]
}
