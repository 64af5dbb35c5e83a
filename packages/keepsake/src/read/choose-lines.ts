import {
  holdsAnswer,
  readWantedAnswer,
  readWantedProperty,
  tellsProperty,
  type AnswerKind,
  type CountTokens,
} from '@keepsake/text'
import { KNOWN_FROM } from '../retrieval/measure-confidence.ts'
import type { RecalledMemory } from '../retrieval/recall-types.ts'
import type { AnalysedTexts } from '../user-state/analysed-text.ts'
import { type AnalysedText } from '../user-state/analysed-text.ts'
import type { AheadLine } from './context-lines.ts'

/** What a context answers, and how sure the recall is. */
export interface AnswerQuery {
  readonly question: string
  readonly confidence: number
  readonly known: boolean
  /** Whether one line could not answer the question. It gets the budget of a known answer. */
  readonly isWide: boolean
  /** Whether the whole budget is filled with statements, which a language model wrote to be read alone. */
  readonly isFilled: boolean
  /** Lines of the profile, which stand ahead of the memories. */
  readonly ahead: readonly AheadLine[]
  /** Memories that those lines state: repeated only where they hold what was asked. */
  readonly stated: ReadonlySet<string>
  /** By utterance: since when something in its words is no longer so. */
  readonly changed: ReadonlyMap<string, number>
}

export interface ContextBudget {
  readonly tokens: number
  readonly countTokens: CountTokens
  /** Analysed texts of the user. */
  readonly texts?: AnalysedTexts | undefined
  /** Maximum of memories; no limit when absent. */
  readonly lines?: number | undefined
}

/** Share of the best score below which a memory is noise. */
const MIN_SHARE = { unsure: 0.68, sure: 0.58, wide: 0.4 } as const
/** Utterances shown whatever they hold: they may answer in other words. */
const UNCHECKED_LINES = 3
/** Share of the lines that one session may take before others, and how many it may take anyway. */
const SESSION_SHARE = 0.5
const SESSION_MIN = 4

/** Shares of the budget by confidence: from `nothing` to `unknown` below {@link KNOWN_FROM}, from `unsure` to `sure` above it. */
const BUDGET_SHARE = { nothing: 0.06, unknown: 0.12, unsure: 0.3, sure: 0.8 } as const
/** Up to this confidence nothing is known. */
const NOTHING_TO = 0.2
/** From this confidence on the whole share is spent. */
export const SURE_FROM = 0.6
const MIN_TOKENS = { unknown: 120, known: 300 } as const

/** How sure a recall is, from 0 where it is only just known to 1 from {@link SURE_FROM} on. */
function suretyOf(confidence: number): number {
  return between(confidence, KNOWN_FROM, SURE_FROM)
}

/** Where a value lies between two, from 0 to 1. */
function between(value: number, low: number, high: number): number {
  return Math.min(1, Math.max(0, value - low) / (high - low))
}

/** Tokens that an answer spends: the more, the surer it is. An unknown answer shows only a few nearest lines. */
export function tokensSpent(
  tokens: number,
  { confidence, known, isWide }: Pick<AnswerQuery, 'confidence' | 'known' | 'isWide'>,
): number {
  const { nothing, unknown, unsure, sure } = BUDGET_SHARE
  const isSpent = known || (isWide && confidence > NOTHING_TO)
  const share = isSpent
    ? unsure + (sure - unsure) * suretyOf(confidence)
    : nothing + (unknown - nothing) * between(confidence, NOTHING_TO, KNOWN_FROM)
  const least = isSpent ? MIN_TOKENS.known : MIN_TOKENS.unknown * (share / unknown)
  return Math.min(tokens, Math.max(Math.round(least), Math.round(tokens * share)))
}

/** The score below which a memory is noise beside the best. */
export function leastScore(
  memories: readonly Pick<RecalledMemory, 'score'>[],
  { confidence, isWide }: Pick<AnswerQuery, 'confidence' | 'isWide'>,
): number {
  const best = Math.max(0, ...memories.map(({ score }) => score))
  const { unsure, sure, wide } = MIN_SHARE
  return best * (isWide ? wide : unsure + (sure - unsure) * suretyOf(confidence))
}

/** Kinds of answers whose lack a text shows. Any line has a day, and any Chinese word may be a name. */
const CHECKED_KINDS: Readonly<Record<'en' | 'zh', readonly AnswerKind[]>> = {
  en: ['amount', 'count', 'duration', 'name', 'person'],
  zh: ['amount', 'count', 'duration', 'person'],
}
/** Longer texts are not checked. */
const MAX_CHECKED = 4_000

/**
 * Reads whether texts may hold what a question wants: a number, a sum, a duration, a name, a property such as a colour.
 * `null` for a question that any words may answer.
 *
 * @example
 * readMayAnswer('How much rent do I pay?')?.([{ text: 'The rent went up.' }]) // false
 */
export function readMayAnswer(
  question: string,
): ((turns: readonly { readonly text: string | null }[]) => boolean) | null {
  const wanted = readWantedAnswer(question)
  const checked = CHECKED_KINDS[wanted.isChinese ? 'zh' : 'en']
  const kinds = wanted.kinds.filter((kind) => checked.includes(kind))
  const property = readWantedProperty(question)
  if (kinds.length === 0 && property === null) return null
  return (turns) => {
    const text = turns.map((turn) => turn.text ?? '').join('\n')
    if (text.length > MAX_CHECKED) return true
    return kinds.length > 0 || property === null
      ? holdsAnswer({ ...wanted, kinds }, text)
      : tellsProperty(property, text)
  }
}

/** A memory that may get a line. Its terms are read when first needed, which most never are once the budget is spent. */
export class Candidate {
  readonly recalled: RecalledMemory
  readonly isStatement: boolean
  readonly #texts: AnalysedTexts
  #terms: ReadonlySet<string> | undefined

  constructor(recalled: RecalledMemory, texts: AnalysedTexts) {
    this.recalled = recalled
    this.isStatement = recalled.memory.form !== 'utterance'
    this.#texts = texts
  }

  /** Terms of a statement, or of the user's turns, or of others' where the user said nothing. */
  get terms(): ReadonlySet<string> {
    return (this.#terms ??= termsOf(this.#ownTexts()))
  }

  #ownTexts(): AnalysedText[] {
    const { memory, evidence } = this.recalled
    if (this.isStatement) return [this.#texts.of(memory.text)]
    const own = evidence.filter(({ role, text }) => role !== 'assistant' && text !== null)
    return (own.length > 0 ? own : evidence).map(({ text, turn }) => this.#texts.of(text ?? '', turn))
  }

  /** Whether it says nothing that another does not: one more number or name is something else. */
  isWithin(other: Candidate): boolean {
    return this.terms.size > 0 && this.terms.isSubsetOf(other.terms)
  }

  /** Whether a statement rests on the same words, holds every asked term in them, and still holds. */
  isStatedBy(statement: Candidate, asked: ReadonlySet<string>): boolean {
    const { memory } = statement.recalled
    const { evidence } = this.recalled.memory
    if (memory.validUntil !== null) return false
    if (!memory.evidence.some(({ turn }) => evidence.some((one) => one.turn === turn))) return false
    return [...asked].every((term) => !this.terms.has(term) || statement.terms.has(term))
  }
}

function termsOf(texts: readonly AnalysedText[]): ReadonlySet<string> {
  const [first] = texts
  if (texts.length === 1 && first !== undefined) return first.terms
  return new Set(texts.flatMap(({ terms }) => [...terms]))
}

/** Leaves out what repeats a line before it, and puts what exceeds its session's share behind the others. */
function* withoutRepeats(ranked: readonly Candidate[]): Generator<Candidate> {
  const kept: Candidate[] = []
  const deferred: Candidate[] = []
  const sessions = new Map<string, number>()
  for (const one of ranked) {
    if (kept.some((other) => one.isStatement === other.isStatement && one.isWithin(other))) continue
    const { session } = one.recalled.memory
    const ofSession = sessions.get(session) ?? 0
    if (!one.isStatement) sessions.set(session, ofSession + 1)
    if (!one.isStatement && ofSession >= Math.max(SESSION_MIN, SESSION_SHARE * kept.length)) {
      deferred.push(one)
    } else {
      kept.push(one)
      yield one
    }
  }
  yield* deferred
}

/** Replaces each utterance that a statement repeats by the statement, at the better place of the two. */
function withoutStated(near: readonly Candidate[], asked: ReadonlySet<string>): readonly Candidate[] {
  const statements = near.filter((one) => one.isStatement)
  if (statements.length === 0) return near
  const places = new Map(near.map((one, place) => [one, place]))
  for (const [place, one] of near.entries()) {
    if (one.isStatement) continue
    const stating = statements.find((statement) => one.isStatedBy(statement, asked))
    if (stating === undefined) continue
    places.delete(one)
    places.set(stating, Math.min(place, places.get(stating) ?? place))
  }
  return [...places].sort(([, one], [, other]) => one - other).map(([one]) => one)
}

/** Candidates worth a line, best first; where the budget is filled, then every other statement. */
function rankCandidates(
  memories: readonly RecalledMemory[],
  query: AnswerQuery,
  asked: ReadonlySet<string>,
  texts: AnalysedTexts,
): Iterable<Candidate> {
  const least = leastScore(memories, query)
  const candidates = memories.map((one) => new Candidate(one, texts))
  const near = candidates.filter(({ recalled }) => recalled.score >= least)
  const worthy = withoutRepeats(withoutStated(near, asked))
  if (!query.isFilled) return worthy
  const first = new Set(worthy)
  const rest = candidates.filter((one) => one.isStatement && !first.has(one))
  return withoutRepeats([...first, ...rest])
}

/**
 * Yields the memories that may get a line of an answer, best first. After the first few it leaves out utterances that cannot hold a
 * known answer: a line without a number does not say how many. A filled context keeps them, for what the statements leave out.
 */
export function* chooseCandidates(
  memories: readonly RecalledMemory[],
  query: AnswerQuery,
  terms: ReadonlySet<string>,
  texts: AnalysedTexts,
): Generator<Candidate> {
  const { known, isWide, isFilled, question } = query
  const mayAnswer = known && !isWide && !isFilled ? readMayAnswer(question) : null
  let utterances = 0
  for (const one of rankCandidates(memories, query, terms, texts)) {
    const isUnchecked = mayAnswer === null || one.isStatement || utterances++ < UNCHECKED_LINES
    if (isUnchecked || mayAnswer(one.recalled.evidence)) yield one
  }
}
