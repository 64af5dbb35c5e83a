import type { RecallContext, RecalledMemory } from '../retrieval/recall-types.ts'
import { findTerms } from '../text/analyse-text.ts'
import type { CountTokens } from '../text/count-tokens.ts'
import { costOf, joinLines, type ContextLine } from './compose-context.ts'
import { dayOf, statementLine } from './context-line.ts'
import { KNOWN_FROM } from '../retrieval/measure-confidence.ts'
import { asksOfAgent } from '../retrieval/read-question.ts'
import { tellExchange, type TellOptions } from './tell-exchange.ts'

/** What a context answers, and how sure it is that memory holds it. */
export interface Answered {
  readonly question: string
  readonly confidence: number
  readonly known: boolean
  /** Whether one line could not answer it: as much is spent then as where it is known. */
  readonly isWide: boolean
  /** Lines that stand ahead of what was found: the profile's. */
  readonly ahead: readonly string[]
  /** Memories that those lines tell: stated again only where they hold what was asked. */
  readonly told: ReadonlySet<string>
}

export interface ContextBudget {
  readonly tokens: number
  readonly countTokens: CountTokens
}

/**
 * Share of the budget that is spent: little where most likely nothing is known, and more the surer it is, up to `SURE_FROM`; and
 * tokens that are spent in any case where the budget has them. What is most likely not known is not drowned in what merely
 * sounds alike: the nearest few lines are shown, so that a reader can see that it is none of them.
 */
const SPENT = { unknown: 0.15, unsure: 0.35, sure: 0.8 } as const
/** From this confidence on all of it is spent. */
export const SURE_FROM = 0.6
const LEAST_SPENT = { unknown: 150, known: 300 } as const
/** What is shown in full, and how much of a turn further down: its beginning and the sentence that bears on the question. */
const WHOLE_LINES = 3
const TURN_TOKENS = { whole: 110, clipped: 34, hint: 30 } as const
/** No line costs less. */
const LEAST_LINE = 8
/** A memory scoring less than this share of the best is noise, the more so the less sure it is that anything is known. */
const LEAST_SHARE = { unsure: 0.68, sure: 0.58 } as const
/** Such a share of the lines may be one session's, once there are some; what is more comes after what others said. */
const SESSION_SHARE = 0.5
const SESSION_LEAST = 4

interface Chosen {
  readonly recalled: RecalledMemory
  readonly terms: ReadonlySet<string>
}

function isStatement({ memory }: RecalledMemory): boolean {
  return memory.form !== 'utterance'
}

function wordsOf(recalled: RecalledMemory): string {
  if (isStatement(recalled)) return recalled.memory.text
  const own = recalled.evidence.filter(({ role, text }) => role !== 'agent' && text !== null)
  return (own.length > 0 ? own : recalled.evidence).map(({ text }) => text ?? '').join('\n')
}

/** Whether one says nothing that the other does not: a number or a name more, and it is something else. */
function isWithin(one: Chosen, other: Chosen): boolean {
  return one.terms.size > 0 && [...one.terms].every((term) => other.terms.has(term))
}

/** Whether a statement that is shown rests on these very words, and says all of them that was asked for. */
function isToldBy(statement: Chosen, { recalled, terms }: Chosen, asked: ReadonlySet<string>): boolean {
  const turns = new Set(recalled.memory.evidence.map(({ turn }) => turn))
  if (!statement.recalled.memory.evidence.some(({ turn }) => turns.has(turn))) return false
  return [...terms].every((term) => !asked.has(term) || statement.terms.has(term))
}

/** Whatever repeats a line that ranks before it is left out; what is more than its session's share comes after the others. */
function withoutRepeats(ranked: readonly Chosen[]): Chosen[] {
  const kept: Chosen[] = []
  const over: Chosen[] = []
  const sessions = new Map<string, number>()
  for (const one of ranked) {
    const { memory } = one.recalled
    const isRepeated = kept.some(
      (other) => isStatement(one.recalled) === isStatement(other.recalled) && isWithin(one, other),
    )
    if (isRepeated) continue
    const ofSession = sessions.get(memory.session) ?? 0
    const isOver =
      !isStatement(one.recalled) && ofSession >= Math.max(SESSION_LEAST, SESSION_SHARE * kept.length)
    if (!isStatement(one.recalled)) sessions.set(memory.session, ofSession + 1)
    ;(isOver ? over : kept).push(one)
  }
  return [...kept, ...over]
}

/** Those that are not noise beside the best. */
function nearBest(memories: readonly RecalledMemory[], confidence: number): Chosen[] {
  const best = Math.max(0, ...memories.map(({ score }) => score))
  const { unsure, sure } = LEAST_SHARE
  const least = best * (unsure + (sure - unsure) * suretyOf(confidence))
  return memories
    .filter(({ score }) => score >= least)
    .map((recalled) => ({ recalled, terms: new Set(findTerms(wordsOf(recalled))) }))
}

/**
 * Those worth a line, best first. What a statement tells already is left to the statement, which then stands where the better of
 * the two stood.
 */
function chooseWorthy(near: readonly Chosen[], asked: ReadonlySet<string>): Chosen[] {
  const statements = near.filter(({ recalled }) => isStatement(recalled))
  const places = new Map(near.map((one, place) => [one, place]))
  for (const [place, one] of near.entries()) {
    if (isStatement(one.recalled)) continue
    const told = statements.find((statement) => isToldBy(statement, one, asked))
    if (told === undefined) continue
    places.delete(one)
    places.set(told, Math.min(place, places.get(told) ?? place))
  }
  const ranked = [...places].toSorted(([, one], [, other]) => one - other).map(([one]) => one)
  return withoutRepeats(ranked)
}

/** How sure a recall is, from 0 where it only just calls something known to 1 from where all is spent. */
function suretyOf(confidence: number): number {
  return Math.min(1, Math.max(0, confidence - KNOWN_FROM) / (SURE_FROM - KNOWN_FROM))
}

/** What is spent of a budget. */
export function tokensSpent(
  tokens: number,
  { confidence, known, isWide }: Pick<Answered, 'confidence' | 'known' | 'isWide'>,
): number {
  const { unknown, unsure, sure } = SPENT
  const isSpent = known || isWide
  const share = isSpent ? unsure + (sure - unsure) * suretyOf(confidence) : unknown
  return Math.min(
    tokens,
    Math.max(isSpent ? LEAST_SPENT.known : LEAST_SPENT.unknown, Math.round(tokens * share)),
  )
}

function exchangeLine(recalled: RecalledMemory, options: TellOptions): string {
  const said = tellExchange(recalled, options)
  return said === '' ? '' : `- [${dayOf(recalled.memory.validFrom, recalled.evidence)}] ${said}`
}

function turnTokens(place: number, { known, isWide }: Answered): number {
  if (!known && !isWide) return TURN_TOKENS.hint
  return place < WHOLE_LINES ? TURN_TOKENS.whole : TURN_TOKENS.clipped
}

/** Statements first, those of one matter together and the older before the newer; then what was said, best first. */
function inOrder(chosen: readonly Chosen[]): Chosen[] {
  const matterOf = ({ memory }: RecalledMemory): string => `${memory.subject}/${memory.key ?? memory.id}`
  const matters = Map.groupBy(
    chosen.filter(({ recalled }) => isStatement(recalled)),
    ({ recalled }) => matterOf(recalled),
  )
  const statements = [...matters.values()].flatMap((of) =>
    of.toSorted((one, other) => one.recalled.memory.validFrom - other.recalled.memory.validFrom),
  )
  return [...statements, ...chosen.filter(({ recalled }) => !isStatement(recalled))]
}

/**
 * The context that answers a question: what stands ahead of it (the profile), then statements, of one matter together and dated,
 * then what was said where it adds to them. How much of the budget is spent follows how sure the recall is. Pure.
 */
export function composeAnswer(
  memories: readonly RecalledMemory[],
  answered: Answered,
  { tokens, countTokens }: ContextBudget,
): RecallContext {
  const terms = new Set(findTerms(answered.question))
  const asksAgent = asksOfAgent(answered.question)
  const costAhead = answered.ahead.reduce((sum, line) => sum + costOf(line, countTokens), 0)
  // Where nothing is known, what stands ahead is part of the little that is spent.
  let left = tokensSpent(tokens, answered) - (answered.known || answered.isWide ? 0 : costAhead)
  const lines = new Map<Chosen, string>()
  let exchanges = 0
  const asksIt = ({ terms: own }: Chosen): boolean => [...own].some((term) => terms.has(term))
  const worthy = chooseWorthy(nearBest(memories, answered.confidence), terms).filter(
    (one) => !answered.told.has(one.recalled.memory.id) || asksIt(one),
  )
  for (const one of worthy) {
    if (left < LEAST_LINE) break
    const { recalled } = one
    const place = isStatement(recalled) ? 0 : exchanges++
    const options = { terms, asksAgent, tokens: turnTokens(place, answered), countTokens }
    const text = isStatement(recalled) ? statementLine(recalled) : exchangeLine(recalled, options)
    const cost = costOf(text, countTokens)
    if (text === '' || cost > left) continue
    lines.set(one, text)
    left -= cost
  }
  const ordered = inOrder([...lines.keys()])
  const told = ordered.map((one): ContextLine => ({
    text: lines.get(one) ?? '',
    memory: one.recalled.memory.id,
  }))
  const ahead = answered.ahead.map((text): ContextLine => ({ text, memory: null }))
  return joinLines([...ahead, ...told], tokens, countTokens)
}
