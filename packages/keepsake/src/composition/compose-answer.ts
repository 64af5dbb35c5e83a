import type { RecallContext, RecalledMemory } from '../retrieval/recall-types.ts'
import { asksOfAgent, findTerms, findTermsAgain, type CountTokens } from '@keepsake/text'
import { costOf, joinLines, withAhead, type AheadLine, type ContextLine } from './compose-context.ts'
import { dayOf, statementLine } from './context-line.ts'
import { markTerms } from './mark-terms.ts'
import { readMayAnswer } from './may-answer.ts'
import type { TextReadings } from './text-readings.ts'
import { tellExchange, type TellOptions } from './tell-exchange.ts'
import { SURE_FROM, suretyOf, tokensSpent } from './tokens-spent.ts'

/** What a context answers, and how sure it is that memory holds it. */
export interface Answered {
  readonly question: string
  readonly confidence: number
  readonly known: boolean
  /** Whether one line could not answer it: as much is spent then as where it is known. */
  readonly isWide: boolean
  /** Whether all of the budget is spent, on statements where nothing else is worth a line: a language model wrote them to be read alone. */
  readonly isFilled: boolean
  /** Lines that stand ahead of what was found: the profile's. */
  readonly ahead: readonly AheadLine[]
  /** Memories that those lines tell: stated again only where they hold what was asked. */
  readonly told: ReadonlySet<string>
  /** Of words that told what is no longer so: since when something else is. */
  readonly changed: ReadonlyMap<string, number>
}

export interface ContextBudget {
  readonly tokens: number
  readonly countTokens: CountTokens
  /** What was read of the person's texts before. */
  readonly readings?: TextReadings | undefined
  /** Memories at most; as many as fit when absent. */
  readonly lines?: number | undefined
}

/** Where the budget is filled with statements, what was said may take so much of it. */
const SAID_SHARE = 0.4
/**
 * How many lines are shown in full, of what is not sure the first alone, so that there is room for others; and how much of a turn
 * further down: its beginning and the sentence that bears on the question.
 */
const WHOLE_LINES = { unsure: 1, sure: 3 } as const
const TURN_TOKENS = { whole: 110, clipped: 34, hint: 20 } as const
/** No line costs less. */
const LEAST_LINE = 8
/** A memory scoring less than this share of the best is noise, the more so the less sure it is that anything is known. */
const LEAST_SHARE = { unsure: 0.68, sure: 0.58 } as const
/** The same of a question that one line could not answer: its second answer is found by less of its words. */
const WIDE_SHARE = 0.4
/** So many of the best are told whatever they tell: they may answer in words of their own. */
const UNASKED_LINES = 3
/** Such a share of the lines may be one session's, once there are some; what is more comes after what others said. */
const SESSION_SHARE = 0.5
const SESSION_LEAST = 4

/** A memory that may get a line. Its terms are found when first asked for: once the budget is spent, of the rest nobody asks. */
class Chosen {
  readonly recalled: RecalledMemory
  readonly isStatement: boolean
  readonly #readings: TextReadings | undefined
  #terms: ReadonlySet<string> | undefined
  #mark: number | undefined

  constructor(recalled: RecalledMemory, readings: TextReadings | undefined) {
    this.recalled = recalled
    this.isStatement = isStatement(recalled)
    this.#readings = readings
  }

  get terms(): ReadonlySet<string> {
    return (this.#terms ??= new Set(findTermsAgain(textsOf(this.recalled).join('\n'))))
  }

  /** The mark of its terms, which is known of texts that were told before. No term reaches from one text into the next. */
  get mark(): number {
    return (this.#mark ??= textsOf(this.recalled).reduce((mark, text) => mark | this.#markOf(text), 0))
  }

  #markOf(text: string): number {
    const make = (): number => markTerms(findTermsAgain(text))
    return this.#readings?.mark(text, make) ?? make()
  }
}

function isStatement({ memory }: RecalledMemory): boolean {
  return memory.form !== 'utterance'
}

/** What it says: a statement its words, talk those of the user's turns, or of others where the user said nothing. */
function textsOf(recalled: RecalledMemory): string[] {
  if (isStatement(recalled)) return [recalled.memory.text]
  const own = recalled.evidence.filter(({ role, text }) => role !== 'agent' && text !== null)
  return (own.length > 0 ? own : recalled.evidence).map(({ text }) => text ?? '')
}

/** Whether one says nothing that the other does not: a number or a name more, and it is something else. */
function isWithin(one: Chosen, other: Chosen): boolean {
  if (one.mark === 0 || (one.mark & ~other.mark) !== 0) return false
  return one.terms.isSubsetOf(other.terms)
}

/** Whether a statement that is shown rests on these very words, says all of them that was asked for, and is not over. */
function isToldBy(statement: Chosen, { recalled, terms }: Chosen, asked: ReadonlySet<string>): boolean {
  const { evidence } = recalled.memory
  const rests = statement.recalled.memory.evidence.some(({ turn }) =>
    evidence.some((one) => one.turn === turn),
  )
  if (!rests || statement.recalled.memory.validUntil !== null) return false
  return [...terms].every((term) => !asked.has(term) || statement.terms.has(term))
}

/** Whatever repeats a line that ranks before it is left out; what is more than its session's share comes after the others. */
function* withoutRepeats(ranked: readonly Chosen[]): Generator<Chosen> {
  const kept: Chosen[] = []
  const over: Chosen[] = []
  const sessions = new Map<string, number>()
  for (const one of ranked) {
    const { session } = one.recalled.memory
    if (kept.some((other) => one.isStatement === other.isStatement && isWithin(one, other))) continue
    const ofSession = sessions.get(session) ?? 0
    const isOver = !one.isStatement && ofSession >= Math.max(SESSION_LEAST, SESSION_SHARE * kept.length)
    if (!one.isStatement) sessions.set(session, ofSession + 1)
    ;(isOver ? over : kept).push(one)
    if (!isOver) yield one
  }
  yield* over
}

/** What a memory must score not to be noise beside the best. */
export function leastScore(
  memories: readonly Pick<RecalledMemory, 'score'>[],
  { confidence, isWide }: Pick<Answered, 'confidence' | 'isWide'>,
): number {
  const best = Math.max(0, ...memories.map(({ score }) => score))
  if (isWide) return best * WIDE_SHARE
  const { unsure, sure } = LEAST_SHARE
  return best * (unsure + (sure - unsure) * suretyOf(confidence))
}

/**
 * Those worth a line, best first. What a statement tells already is left to the statement, which then stands where the better of
 * the two stood.
 */
function chooseWorthy(near: readonly Chosen[], asked: ReadonlySet<string>): Iterable<Chosen> {
  const statements = near.filter((one) => one.isStatement)
  if (statements.length === 0) return withoutRepeats(near)
  const places = new Map(near.map((one, place) => [one, place]))
  for (const [place, one] of near.entries()) {
    if (one.isStatement) continue
    const told = statements.find((statement) => isToldBy(statement, one, asked))
    if (told === undefined) continue
    places.delete(one)
    places.set(told, Math.min(place, places.get(told) ?? place))
  }
  const ranked = [...places].toSorted(([, one], [, other]) => one - other).map(([one]) => one)
  return withoutRepeats(ranked)
}

function exchangeLine(
  recalled: RecalledMemory,
  options: TellOptions & { readonly changed: number | undefined },
): string {
  const { memory, evidence } = recalled
  const said = tellExchange(recalled, options)
  const { changed } = options
  const since = changed === undefined ? '' : `, no longer all current as of ${dayOf(changed, evidence)}`
  return said === '' ? '' : `- [${dayOf(memory.validFrom, evidence)}${since}] ${said}`
}

function turnTokens(place: number, { known, isWide, confidence }: Answered): number {
  if (!known && !isWide) return TURN_TOKENS.hint
  const whole = isWide || confidence >= SURE_FROM ? WHOLE_LINES.sure : WHOLE_LINES.unsure
  return place < whole ? TURN_TOKENS.whole : TURN_TOKENS.clipped
}

/**
 * Of what is known, whatever can be seen to hold no answer is left out after the first few: a line without a number does not say how
 * many. Where a language model wrote statements, what was said stands for what they leave out, and stays.
 */
function* thatMayAnswer(worthy: Iterable<Chosen>, answered: Answered): Generator<Chosen> {
  const { known, isWide, isFilled, question } = answered
  const mayAnswer = known && !isWide && !isFilled ? readMayAnswer(question) : null
  let said = 0
  for (const one of worthy) {
    const isUnasked = mayAnswer === null || one.isStatement || said++ < UNASKED_LINES
    if (isUnasked || mayAnswer(one.recalled.evidence)) yield one
  }
}

/** Statements first, those of one matter together and the older before the newer; then what was said, best first. */
function inOrder(chosen: readonly Chosen[]): Chosen[] {
  const matterOf = ({ memory }: RecalledMemory): string => `${memory.subject}/${memory.key ?? memory.id}`
  const matters = Map.groupBy(
    chosen.filter((one) => one.isStatement),
    ({ recalled }) => matterOf(recalled),
  )
  const statements = [...matters.values()].flatMap((of) =>
    of.toSorted((one, other) => one.recalled.memory.validFrom - other.recalled.memory.validFrom),
  )
  return [...statements, ...chosen.filter((one) => !one.isStatement)]
}

/** The lines chosen so far, and what is left to spend. */
class Lines {
  readonly texts = new Map<Chosen, string>()
  readonly #answered: Answered
  readonly #budget: ContextBudget
  readonly #asksAgent: boolean
  #left: number
  #leftForSaid: number
  #said = 0

  constructor(answered: Answered, budget: ContextBudget) {
    this.#answered = answered
    this.#budget = budget
    this.#asksAgent = asksOfAgent(answered.question)
    const { tokens, countTokens } = budget
    const { isFilled, known, isWide, ahead } = answered
    const costAhead = ahead.reduce((sum, { text }) => sum + costOf(text, countTokens), 0)
    // Where nothing is known, what stands ahead is part of the little that is spent.
    const spent = tokensSpent(tokens, answered) - (known || isWide ? 0 : costAhead)
    this.#left = isFilled ? tokens - costAhead : spent
    this.#leftForSaid = isFilled ? SAID_SHARE * tokens : spent
  }

  get isFull(): boolean {
    return this.#left < LEAST_LINE || this.texts.size >= (this.#budget.lines ?? Number.POSITIVE_INFINITY)
  }

  add(one: Chosen, terms: ReadonlySet<string>): void {
    const { countTokens, readings } = this.#budget
    const isSaid = !one.isStatement
    const tokens = turnTokens(this.#said, this.#answered)
    const text = isSaid
      ? exchangeLine(one.recalled, {
          terms,
          asksAgent: this.#asksAgent,
          tokens,
          countTokens,
          readings,
          changed: this.#answered.changed.get(one.recalled.memory.id),
        })
      : statementLine(one.recalled)
    if (isSaid) this.#said++
    const cost = costOf(text, countTokens)
    if (text === '' || cost > this.#left || (isSaid && cost > this.#leftForSaid)) return
    this.texts.set(one, text)
    this.#left -= cost
    if (isSaid) this.#leftForSaid -= cost
  }
}

/** What is worth a line, best first; where the budget is filled, then whatever else is stated. */
function inTurn(
  memories: readonly RecalledMemory[],
  answered: Answered,
  terms: ReadonlySet<string>,
  readings: TextReadings | undefined,
): Iterable<Chosen> {
  const { isFilled } = answered
  const least = leastScore(memories, answered)
  const isNear = ({ score }: RecalledMemory): boolean => score >= least
  const looked = memories.filter((one) => isNear(one) || (isFilled && isStatement(one)))
  const chosen = looked.map((one) => new Chosen(one, readings))
  const near = chosen.filter(({ recalled }) => isNear(recalled))
  if (!isFilled) return chooseWorthy(near, terms)
  const worthy = [...chooseWorthy(near, terms)]
  const known = new Set(worthy)
  return withoutRepeats([...worthy, ...chosen.filter((one) => one.isStatement && !known.has(one))])
}

/**
 * The context that answers a question: what stands ahead of it (the profile), then statements, of one matter together and dated,
 * then what was said where it adds to them. How much of the budget is spent follows how sure the recall is, unless it is filled. Pure.
 */
export function composeAnswer(
  memories: readonly RecalledMemory[],
  answered: Answered,
  budget: ContextBudget,
): RecallContext {
  const terms = new Set(findTerms(answered.question))
  const asksIt = ({ terms: own }: Chosen): boolean => [...own].some((term) => terms.has(term))
  const lines = new Lines(answered, budget)
  for (const one of thatMayAnswer(inTurn(memories, answered, terms, budget.readings), answered)) {
    if (lines.isFull) break
    if (!answered.told.has(one.recalled.memory.id) || asksIt(one)) lines.add(one, terms)
  }
  const told = inOrder([...lines.texts.keys()]).map((one): ContextLine => ({
    text: lines.texts.get(one) ?? '',
    memory: one.recalled.memory.id,
  }))
  return joinLines(withAhead(answered.ahead, told), budget.tokens, budget.countTokens)
}
