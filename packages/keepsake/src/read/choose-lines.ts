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

/** Share of the best score below which a memory is noise. */
const NOISE_SHARE = 0.4

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
  #terms: readonly ReadonlySet<string>[] | undefined
  #first: string | undefined

  constructor(recalled: RecalledMemory, texts: AnalysedTexts) {
    this.recalled = recalled
    this.isStatement = recalled.memory.form !== 'utterance'
    this.#texts = texts
  }

  /** What was said, in order of time. */
  get said(): readonly SaidTurn[] {
    return (this.#said ??= saidTurns(this.recalled, this.#texts))
  }

  /** Terms of a statement, or of the user's turns one by one, or of others' where the user said nothing. */
  get terms(): readonly ReadonlySet<string>[] {
    if (this.#terms === undefined) {
      this.#terms = this.#ownTexts().map(({ terms }) => terms)
      this.#first = this.#terms
        .find(({ size }) => size > 0)
        ?.values()
        .next().value
    }
    return this.#terms
  }

  #has(term: string): boolean {
    const { terms } = this
    for (let i = 0; i < terms.length; i++) if (terms[i]?.has(term) === true) return true
    return false
  }

  #ownTexts(): AnalysedText[] {
    if (this.isStatement) return [this.#texts.of(this.recalled.memory.text)]
    const own = this.said.filter(({ turn }) => turn.role !== 'assistant')
    return (own.length > 0 ? own : this.said).map(({ text }) => text)
  }

  /** Whether it says nothing that another does not: one more number or name is something else. */
  isWithin(other: Candidate): boolean {
    if (this.isStatement !== other.isStatement) return false
    const { terms } = this
    // The first term nearly always decides.
    if (this.#first === undefined || !other.#has(this.#first)) return false
    return terms.every((own) => own.values().every((term) => other.#has(term)))
  }
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
