// Presents found memories, and composes the context from them within the token budget.
import { asksSeveral, findTerms } from '@keepsake/text'
import type { Profile } from '../persona/profile.ts'
import type { RecallContext, RecalledMemory, RecalledEvidence } from '../retrieval/recall-types.ts'
import type { UserState } from '../user-state/user-state.ts'
import { type AnswerQuery, type ContextBudget, chooseCandidates, type Candidate } from './choose-lines.ts'
import type { FoundAnswer, FoundMemory } from './found-memory.ts'
import { PROFILE_TOKENS, aheadLine, fitProfile, readProfile } from './profile.ts'
import { oneLine, type RecallQuery, type RecallRequest } from './query.ts'
import {
  composeContext,
  composeTimeline,
  formatDayHead,
  groupByDay,
  orderByTime,
  onlySpeaker,
  withoutLabel,
  type TimelineLine,
} from './timeline.ts'
import { AnalysedTexts } from '../user-state/analysed-text.ts'
import {
  costOf,
  dayOf,
  fitBlocks,
  formatExchange,
  insertSorted,
  joinLines,
  MIN_LINE_TOKENS,
  statementLine,
  withAhead,
  type AheadLine,
} from './context-lines.ts'
import type { Evidence } from '../memories/evidence.ts'
import { wordsOfUtterance } from '../memories/delete-memory.ts'
import type { Memory } from '../memories/memory.ts'
import { standingInstructions } from '../requests/instructions.ts'
import type { Turn } from '../turns/turn.ts'
import { blocksOf, textOf, turnsOf } from '../work/read-memories.ts'

/** Share of a context that the agent's blocks may take. */
const BLOCK_SHARE = 0.5
/** Share of a context that the profile may take. */
const PROFILE_SHARE = 0.25
/** Share of a context that one turn may take. A longer turn is cut to the sentences that bear on the question. */
const TURN_SHARE = 0.15
/** Share of a filled context that utterances may take. */
const UTTERANCE_SHARE = 0.3

/** Presents found memories as they were at the time `asOf`. Utterances get their words later, from {@link withWords}. */
export function presentMemories(
  asOf: number | null,
  state: UserState,
  found: readonly FoundMemory[],
): RecalledMemory[] {
  const versions = asOf === null ? found : found.flatMap((hit) => versionAt(hit, asOf))
  return versions.map((hit) => presentOne(state, hit))
}

/** Returns a memory as it was at a time, or nothing if it did not exist yet. */
function versionAt(found: FoundMemory, asOf: number): FoundMemory[] {
  const { memory } = found
  if (memory.form === 'utterance' || memory.validFrom <= asOf) return [found]
  const past = memory.past.find((version) => version.validFrom <= asOf && asOf < version.validUntil)
  return past === undefined ? [] : [{ ...found, memory: { ...memory, ...past, past: [] } }]
}

function presentOne(state: UserState, found: FoundMemory): RecalledMemory {
  const { score, parts, pending } = found
  const presented = presentMemory(state, found.memory)
  // A pending memory has no times of its own yet.
  const lastTurn = pending ? state.turns.get(found.memory.evidence.at(-1)?.turn ?? '') : undefined
  const memory =
    lastTurn === undefined
      ? presented
      : { ...presented, learnedAt: lastTurn.at, validFrom: lastTurn.at, metadata: lastTurn.metadata }
  return { memory, score, parts, pending, evidence: presentEvidence(state, found) }
}

/**
 * Copies a memory for the result of a recall. An utterance gets its words here, since contexts need only its evidence. Score parts of 0
 * are left out.
 */
export function withWords(state: UserState, recalled: RecalledMemory): RecalledMemory {
  const { memory } = recalled
  const text = memory.form === 'utterance' ? textOf(state, memory) : memory.text
  const parts: Record<string, number> = {}
  for (const name in recalled.parts) {
    const part = recalled.parts[name] ?? 0
    if (part !== 0) parts[name] = part
  }
  return { ...recalled, parts, memory: { ...memory, text } }
}

/** Returns a memory without quotes from withdrawn turns. */
function presentMemory(state: UserState, memory: Memory): Memory {
  const text = memory.form === 'utterance' ? memory.text : textOf(state, memory)
  const evidence = withoutWithdrawn(state, memory.evidence)
  if (text === memory.text && evidence === memory.evidence && memory.past.length === 0) return memory
  const past = memory.past.map((version) => {
    return { ...version, evidence: withoutWithdrawn(state, version.evidence) }
  })
  return { ...memory, text, evidence, past }
}

function presentEvidence(state: UserState, found: FoundMemory): RecalledEvidence[] {
  const isKept = found.memory.form === 'utterance' && found.memory.status === 'live' && !found.pending
  const evidence: RecalledEvidence[] = []
  for (const { turn: id, quote } of shownEvidence(found.memory)) {
    const turn = state.turns.get(id)
    if (turn === undefined) continue
    const { session, role, speaker, at, timeZone } = turn
    const text = isKept ? wordsOfUtterance(turn, found.memory) : shownText(state, turn, quote)
    const metadata = text === null ? null : turn.metadata
    const score = found.turns.get(id) ?? 0
    const basic = { turn: id, session, role, speaker, at, timeZone, text, metadata, score }
    const shown = state.isCorrected(id) ? ({ ...basic, corrected: true } as const) : basic
    insertSorted(evidence, shown, (other) => other.score < score)
  }
  return evidence
}

/** Returns the evidence that is shown: each turn of an utterance once, and the quotes of a statement. */
function shownEvidence(memory: Memory): readonly Evidence[] {
  if (memory.form !== 'utterance' || memory.evidence.every(({ quote }) => quote === null))
    return memory.evidence
  return [...new Set(turnsOf(memory))].map((turn) => ({ turn, quote: null }))
}

/** Returns the words of a turn that may be shown: all if it is kept or pending, otherwise the quote, and none if it is withdrawn. */
function shownText(state: UserState, turn: Turn, quote: string | null): string | null {
  const keeper = state.utteranceOf(turn.id)
  if (keeper !== undefined) return wordsOfUtterance(turn, keeper)
  if (state.isPending(turn)) return turn.text
  return isWithdrawn(state, turn.id) ? null : quote
}

/** Whether a memory of the turn was deleted and no live utterance keeps the turn. Its words may then no longer be shown. */
function isWithdrawn(state: UserState, turn: string): boolean {
  if (state.utteranceOf(turn) !== undefined) return false
  return state.memoriesOfTurn(turn, { statuses: ['deleted'] }).some(({ form }) => form !== 'block')
}

function withoutWithdrawn(state: UserState, evidence: readonly Evidence[]): readonly Evidence[] {
  if (!evidence.some(({ turn, quote }) => quote !== null && isWithdrawn(state, turn))) return evidence
  return evidence.map((source) => (isWithdrawn(state, source.turn) ? { ...source, quote: null } : source))
}

/** The memories of a context. */
export interface ContextMemories extends Pick<FoundAnswer, 'as' | 'asks' | 'isWide'> {
  readonly memories: readonly RecalledMemory[]
  /** Number of memories at the head that the preset shows in every recall. */
  readonly standing: number
  /** Whether anything near the question was found. */
  readonly mayAnswer: boolean
  /** By memory: the time since when its statement no longer holds. */
  readonly changed: ReadonlyMap<string, number>
}

/**
 * Composes the context as the preset asks. Every context begins with instructions, blocks and the profile, in this order.
 *
 * @param limit maximum number of memories; the preset decides when absent
 */
export async function composeRecallContext(
  request: RecallRequest,
  { memories: recalled, standing, mayAnswer, as, isWide, asks, changed }: ContextMemories,
  limit: number | undefined,
  state: UserState,
): Promise<{ readonly context: RecallContext; readonly profile: Profile }> {
  const { tokens, countTokens, shown, text: question, limit: maxMemories } = request.query
  const now = request.query.asOf ?? request.query.now
  const isList = request.engine.preset.context === 'list'
  const profile = await profileAhead(request, state, mayAnswer)
  const instructionLines = instructionsAhead(state, request.resolved.scopes, { countTokens, now })
  const blocks = request.query.blocks ? blocksOf(state, request.resolved.scopes) : []
  const blockLines = fitBlocks(blocks, Math.floor(tokens * BLOCK_SHARE), countTokens)
  const ahead = [...instructionLines, ...blockLines, ...profile.lines.map(aheadLine)]
  const memories = recalled.filter(({ memory }) => memory.form !== 'block')
  const bestScore = memories[standing]?.score ?? 0
  // The search gives standing memories no score. With the best score they stay first.
  const ranked = memories.map((memory, index) =>
    index < standing ? { ...memory, score: bestScore } : memory,
  )
  const candidates = request.engine.preset.tellsPast === false ? ranked.map(withoutPast) : ranked
  const unseen = candidates.filter((recalled) => !isShown(recalled, shown))
  const isFilled = request.engine.preset.context === 'statements'
  const isCut = isList || (limit !== undefined && !isFilled)
  const listed = isCut ? unseen.slice(0, standing + maxMemories) : unseen
  const budget = { tokens, countTokens, texts: state.texts, now }
  if (isList)
    return { context: composeContext(listed, tokens, countTokens, { ahead: blockLines, now }), profile }
  if (as === 'gathered') {
    const inProfile = new Set(profile.lines.flatMap((line) => line.memories))
    const others = listed.filter(({ memory }) => memory.form === 'utterance' || !inProfile.has(memory.id))
    return { context: composeTimeline(others, ahead, budget, new Set(findTerms(question))), profile }
  }
  const isOfSeveral = !isFilled && !isWide && asksSeveral(question)
  const answered = { question, asks, isFilled, isOfSeveral, ahead, changed }
  // If nothing near the question was found, the context shows no more memories than the recall returns.
  const fillsBudget = limit === undefined && (mayAnswer || isWide || isFilled)
  const lines = fillsBudget ? undefined : standing + maxMemories
  return { context: composeAnswer(listed, answered, { ...budget, lines }), profile }
}

/** Maximum tokens of the instructions ahead of a context. */
const INSTRUCTION_TOKENS = 120

/** Returns the newest instructions that fit, as lines ahead of a context. */
function instructionsAhead(
  state: UserState,
  scopes: readonly number[],
  { countTokens, now }: Pick<RecallQuery, 'countTokens' | 'now'>,
): AheadLine[] {
  let left = INSTRUCTION_TOKENS
  const lines = standingInstructions(state, scopes, now)
    .toReversed()
    .map(({ text }) => ({ text: `- ${text}`, quoted: null }))
  return lines.filter(({ text }) => (left -= costOf(text, countTokens)) >= 0).toReversed()
}

async function profileAhead(
  { engine, resolved, query }: RecallRequest,
  state: UserState,
  mayAnswer: boolean,
): Promise<Profile> {
  if (!query.profile) return { lines: [] }
  const profile = await readProfile(engine, resolved, query.now, state)
  const lines = mayAnswer ? profile.lines : profile.lines.filter(({ slot }) => slot !== 'now')
  const maxTokens = Math.min(PROFILE_TOKENS, Math.round(query.tokens * PROFILE_SHARE))
  const alreadyFits = maxTokens === PROFILE_TOKENS && query.countTokens === engine.countTokens
  return { lines: alreadyFits ? lines : fitProfile({ lines }, maxTokens, query.countTokens) }
}

/** Whether the prompt already shows an utterance: the same turn, or the same words. */
export function repeatsShown(
  recalled: RecalledMemory,
  { shown, shownTurns }: Pick<RecallQuery, 'shown' | 'shownTurns'>,
): boolean {
  const isUtterance = recalled.memory.form === 'utterance'
  return (
    isShown(recalled, shown) || (isUtterance && recalled.evidence.some(({ turn }) => shownTurns.has(turn)))
  )
}

/** Whether the prompt already has all words of an utterance. A statement is not checked, since it may say more than the words it came from. */
function isShown({ memory, evidence }: RecalledMemory, shown: ReadonlySet<string>): boolean {
  if (memory.form !== 'utterance' || shown.size === 0) return false
  const texts = evidence.flatMap(({ text }) => (text === null ? [] : [oneLine(text)]))
  return texts.length > 0 && texts.every((text) => shown.has(text))
}

function withoutPast(recalled: RecalledMemory): RecalledMemory {
  return { ...recalled, memory: { ...recalled.memory, past: [] } }
}

/**
 * Composes the context that answers a question: the lines ahead, then dated statements grouped by key, then utterances
 * under their days. The best memories get the budget first, as whole lines. Pure.
 */
export function composeAnswer(
  memories: readonly RecalledMemory[],
  query: AnswerQuery,
  budget: ContextBudget,
): RecallContext {
  const { texts = new AnalysedTexts() } = budget
  const name = onlySpeaker(memories)
  const lines = new AnswerLines(query, { ...budget, texts, name })
  for (const candidate of chooseCandidates(memories, query, texts)) {
    if (lines.isFull) break
    lines.add(candidate)
  }
  const found = orderForReading(query.isOfSeveral === true ? orderByTime(lines.kept) : lines.kept)
  return joinLines(withAhead(query.ahead, groupByDay(found, name)), budget.tokens, budget.countTokens)
}

interface AnswerBudget extends ContextBudget {
  readonly texts: AnalysedTexts
  /** Name of the person who speaks with the agent; `null` if there are several. */
  readonly name: string | null
}

/** The chosen lines and the budget that is left. */
class AnswerLines {
  readonly kept: TimelineLine[] = []
  readonly #considered: Candidate[] = []
  readonly #query: AnswerQuery
  readonly #budget: AnswerBudget
  readonly #terms: ReadonlySet<string>
  readonly #days = new Set<string>()
  #left: number
  #leftForUtterances: number

  constructor(query: AnswerQuery, budget: AnswerBudget) {
    this.#query = query
    this.#budget = budget
    this.#terms = new Set(findTerms(query.question))
    const { tokens, countTokens } = budget
    this.#left = tokens - query.ahead.reduce((sum, { text }) => sum + costOf(text, countTokens), 0)
    this.#leftForUtterances = query.isFilled ? UTTERANCE_SHARE * tokens : this.#left
  }

  get isFull(): boolean {
    return (
      this.#left < MIN_LINE_TOKENS || this.kept.length >= (this.#budget.lines ?? Number.POSITIVE_INFINITY)
    )
  }

  /** Adds the line of a candidate, if the line fits the budget and repeats no candidate before it. */
  add(candidate: Candidate): void {
    const { countTokens, now, name } = this.#budget
    const { recalled, isStatement } = candidate
    const room = Math.min(this.#left, this.#leftForUtterances)
    const isTooLong = !isStatement && this.#minTokensOf(candidate) > room
    if (!isTooLong && this.#considered.some((other) => candidate.isWithin(other))) return
    this.#considered.push(candidate)
    if (isTooLong) return
    const text = isStatement ? statementLine(recalled, now) : this.#exchangeLine(candidate)
    const day = dayOf(recalled.memory.validFrom, recalled.evidence)
    const isNewDay = !isStatement && !this.#days.has(day)
    const cost = costOf(text, countTokens) + (isNewDay ? costOf(formatDayHead(day, name), countTokens) : 0)
    if (text === '' || cost > this.#left || (!isStatement && cost > this.#leftForUtterances)) return
    this.kept.push({ recalled, day, text })
    this.#left -= cost
    if (isStatement) return
    this.#days.add(day)
    this.#leftForUtterances -= cost
  }

  /** Counts the tokens that an exchange costs at least: those of the user's turns that are short enough to be shown whole. */
  #minTokensOf({ said }: Candidate): number {
    const { tokens, countTokens } = this.#budget
    let sum = 0
    for (const { turn, text } of said) {
      if (turn.role === 'assistant') continue
      const cost = text.countTokens(countTokens)
      if (cost <= TURN_SHARE * tokens) sum += cost
    }
    return sum
  }

  #exchangeLine({ recalled: { memory, evidence }, said: turns }: Candidate): string {
    const { tokens, countTokens, name } = this.#budget
    const { asks, changed } = this.#query
    const options = { terms: this.#terms, asks, tokens: TURN_SHARE * tokens, countTokens }
    const said = formatExchange(turns, options)
    const end = changed.get(memory.id)
    const since = end === undefined ? '' : `[no longer all current as of ${dayOf(end, evidence)}] `
    return said === '' ? '' : `- ${since}${withoutLabel(said, name)}`
  }
}

/** Orders lines for reading: statements grouped by subject and key, the older of a group first, and then utterances. */
function orderForReading(lines: readonly TimelineLine[]): TimelineLine[] {
  const isUtterance = ({ recalled }: TimelineLine): boolean => recalled.memory.form === 'utterance'
  const statementsByKey = Map.groupBy(
    lines.filter((line) => !isUtterance(line)),
    ({ recalled: { memory } }) => `${memory.subject}/${memory.key ?? memory.id}`,
  )
  const statements = [...statementsByKey.values()].flatMap(orderByTime)
  return [...statements, ...lines.filter(isUtterance)]
}
