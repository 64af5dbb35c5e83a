import { findTerms, type CountTokens } from '@keepsake/text'
import type { Profile } from '../persona/profile.ts'
import type { RecallContext, RecalledMemory } from '../retrieval/recall-types.ts'
import type { UserState } from '../user-state/user-state.ts'
import { AnalysedTexts } from '../user-state/analysed-text.ts'
import { SURE_FROM, composeAnswer, type ContextBudget } from './answer-context.ts'
import type { FoundAnswer } from './group.ts'
import {
  contextLine,
  costOf,
  dayOf,
  formatExchange,
  joinLines,
  statementLine,
  type AheadLine,
  type ContextLine,
  withAhead,
} from './context-lines.ts'
import { PROFILE_TOKENS, aheadLine, fitProfile, readProfile } from './profile.ts'
import { oneLine, type RecallQuery, type RecallRequest } from './query.ts'

/** Tokens of one turn of a timeline: whole where all fit, else as long as all fit. */
const TURN_TOKENS = [160, 90, 60, 44, 30, 24] as const

/**
 * Composes a context as a plain list: recalled memories as they stand, best first, each on a dated line, within the
 * budget. A memory that does not fit is left out whole, and smaller ones after it may still fit. Pure.
 *
 * @param tokens the budget; the text costs at most this by `countTokens`.
 */
export function composeContext(
  memories: readonly RecalledMemory[],
  tokens: number,
  countTokens: CountTokens,
): RecallContext {
  const lines: ContextLine[] = []
  let left = tokens
  for (const recalled of memories) {
    const text = contextLine(recalled)
    const cost = costOf(text, countTokens)
    if (cost > left) continue
    lines.push({ text, memory: recalled.memory.id })
    left -= cost
  }
  return joinLines(lines, tokens, countTokens)
}

interface TimelineLine {
  readonly recalled: RecalledMemory
  readonly day: string
  readonly text: string
}

/** Omits the speaker of a line that holds the user's words alone, as most lines of a timeline do. */
function withoutLabel(said: string): string {
  return said.includes(' / ') ? said : said.replace(/^user: /, '')
}

/** Groups lines by day, in order of time. Statements carry their own dates and come first. */
function inDays(lines: readonly TimelineLine[]): ContextLine[] {
  const lineOf = ({ recalled, text }: TimelineLine): ContextLine => ({ text, memory: recalled.memory.id })
  const isUtterance = ({ recalled }: TimelineLine): boolean => recalled.memory.form === 'utterance'
  const utterances = lines.filter(isUtterance)
  const said = utterances.sort((one, other) => saidAt(one.recalled) - saidAt(other.recalled))
  const talk = [...Map.groupBy(said, ({ day }) => day)].flatMap(([day, of]): ContextLine[] => [
    { text: `[${day}]`, memory: null },
    ...of.map(lineOf),
  ])
  return [...lines.filter((line) => !isUtterance(line)).map(lineOf), ...talk]
}

function saidAt({ evidence, memory }: RecalledMemory): number {
  return Math.min(memory.validFrom, ...evidence.map(({ at }) => at))
}

/** Lines within the budget, each day with a line of its own. Returns `null` where `isWhole` is asked for and a line does not fit. */
function fitTimeline(
  memories: readonly RecalledMemory[],
  lineOf: (recalled: RecalledMemory) => TimelineLine | null,
  { tokens, countTokens }: ContextBudget,
  isWhole: boolean,
): TimelineLine[] | null {
  const days = new Set<string>()
  const kept: TimelineLine[] = []
  let left = tokens
  for (const recalled of memories) {
    const line = lineOf(recalled)
    if (line === null) continue
    const { day, text } = line
    const cost = costOf(text, countTokens) + (days.has(day) ? 0 : costOf(`[${day}]`, countTokens))
    if (cost <= left) {
      left -= cost
      days.add(day)
      kept.push(line)
    } else if (isWhole) return null
  }
  return kept
}

/**
 * Composes the context about a whole user, a session or a time: many short lines rather than few long ones, in order of
 * time. Pure.
 *
 * @param memories the most telling first
 */
export function composeTimeline(
  memories: readonly RecalledMemory[],
  { question, ahead }: { readonly question: string; readonly ahead: readonly AheadLine[] },
  { tokens, countTokens, texts = new AnalysedTexts() }: ContextBudget,
): RecallContext {
  const terms = new Set(findTerms(question))
  const spent = ahead.reduce((sum, { text }) => sum + costOf(text, countTokens), 0)
  const rest = { tokens: tokens - spent, countTokens }
  const lineWith =
    (turnTokens: number) =>
    (recalled: RecalledMemory): TimelineLine | null => {
      const day = dayOf(recalled.memory.validFrom, recalled.evidence)
      if (recalled.memory.form !== 'utterance') return { recalled, day, text: statementLine(recalled) }
      const options = { terms, asksAgent: false, tokens: turnTokens, countTokens, texts }
      const said = formatExchange(recalled, options)
      return said === '' ? null : { recalled, day, text: `- ${withoutLabel(said)}` }
    }
  let kept: TimelineLine[] | null = null
  for (const [place, turnTokens] of TURN_TOKENS.entries()) {
    const isLast = place === TURN_TOKENS.length - 1
    kept ??= fitTimeline(memories, lineWith(turnTokens), rest, !isLast)
  }
  return joinLines(withAhead(ahead, inDays(kept ?? [])), tokens, countTokens)
}

/** Of a profile, where it is not sure that anything is known: one short line, since little is told there and a second find says more. */
const LEAST_PROFILE_TOKENS = 12
/** What a profile may take of a context. */
const PROFILE_SHARE = 0.25

/** What was found, ready to be told. */
export interface Found extends Pick<FoundAnswer, 'as' | 'confidence' | 'isWide'> {
  /** What stands at the head, and then what was found, best first. */
  readonly memories: readonly RecalledMemory[]
  /** How many of them stand at the head. */
  readonly standing: number
  readonly known: boolean
  /** Since when what a memory told is no longer so. */
  readonly changed: ReadonlyMap<string, number>
}

/** The profile that stands ahead. */
async function profileAhead(
  { engine, resolved, query }: RecallRequest,
  state: UserState,
  isSure: boolean,
): Promise<Profile> {
  if (!query.profile) return { lines: [] }
  const whole = await readProfile(engine, resolved, query.now, state)
  const lines = isSure ? whole.lines : whole.lines.filter(({ isQuoted, slot }) => !isQuoted && slot !== 'now')
  const most = Math.min(
    isSure ? PROFILE_TOKENS : LEAST_PROFILE_TOKENS,
    Math.round(query.tokens * PROFILE_SHARE),
  )
  return { lines: fitProfile({ lines }, most, query.countTokens) }
}

/** Whether all of its words are shown anyway. Only what is told word for word is known to be: statements may say more. */
function isShown({ memory, evidence }: RecalledMemory, shown: ReadonlySet<string>): boolean {
  if (memory.form !== 'utterance' || shown.size === 0) return false
  const texts = evidence.flatMap(({ text }) => (text === null ? [] : [oneLine(text)]))
  return texts.length > 0 && texts.every((text) => shown.has(text))
}

/** Whether it tells any turn that is shown anyway, or nothing but words that are. */
export function repeatsShown(
  recalled: RecalledMemory,
  { shown, shownTurns }: Pick<RecallQuery, 'shown' | 'shownTurns'>,
): boolean {
  const isUtterance = recalled.memory.form === 'utterance'
  return (
    isShown(recalled, shown) || (isUtterance && recalled.evidence.some(({ turn }) => shownTurns.has(turn)))
  )
}

/** As it now stands. */
function withoutPast(recalled: RecalledMemory): RecalledMemory {
  return { ...recalled, memory: { ...recalled.memory, past: [] } }
}

/**
 * Composes the context as the preset does, the profile ahead.
 *
 * @param limit memories in it at most; `undefined`: as the preset does
 */
export async function composeRecallContext(
  request: RecallRequest,
  { memories, standing, confidence, known, as, isWide, changed }: Found,
  limit: number | undefined,
  state: UserState,
): Promise<{ readonly context: RecallContext; readonly profile: Profile }> {
  const { tokens, countTokens, shown, text: question, limit: most } = request.query
  const isList = request.engine.preset.context === 'list'
  const profile = await profileAhead(request, state, known && confidence >= SURE_FROM)
  const ahead = profile.lines.map(aheadLine)
  const toldAhead = new Set(profile.lines.flatMap((line) => line.memories))
  const top = memories[standing]?.score ?? 0
  // What stands at the head was not searched for: it counts as much as the best that was.
  const ranked = memories.map((one, place) => (place < standing ? { ...one, score: top } : one))
  const worded = request.engine.preset.tellsPast === false ? ranked.map(withoutPast) : ranked
  const unseen = worded.filter((recalled) => !isShown(recalled, shown))
  const isFilled = request.engine.preset.context === 'statements'
  const isCut = isList || (limit !== undefined && !isFilled)
  const told = isCut ? unseen.slice(0, standing + most) : unseen
  const budget = { tokens, countTokens, texts: state.texts }
  if (isList) return { context: composeContext(told, tokens, countTokens), profile }
  if (as === 'told') return { context: composeTimeline(told, { question, ahead }, budget), profile }
  const answered = { question, confidence, known, isWide, isFilled, ahead, stated: toldAhead, changed }
  const lines = limit === undefined ? undefined : standing + most
  return { context: composeAnswer(told, answered, { ...budget, lines }), profile }
}
