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
  headOf,
  inDays,
  inTime,
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
/** Share of a context that one turn may take. Of a longer one the sentences that bear on the question are shown. */
const TURN_SHARE = 0.15
/** Share of a filled context that utterances may take. */
const UTTERANCE_SHARE = 0.3

/** Presents found memories as they were at the time that was asked about. Utterances have no words yet: see {@link withWords}. */
export function presentMemories(
  asOf: number | null,
  state: UserState,
  found: readonly FoundMemory[],
): RecalledMemory[] {
  const versions = asOf === null ? found : found.flatMap((one) => versionOf(one, asOf))
  return versions.map((one) => presentOne(state, one))
}

/** A memory as it was at a time; none where it said nothing yet. */
function versionOf(found: FoundMemory, asOf: number): FoundMemory[] {
  const { memory } = found
  if (memory.form === 'utterance' || memory.validFrom <= asOf) return [found]
  const past = memory.past.find((version) => version.validFrom <= asOf && asOf < version.validUntil)
  return past === undefined ? [] : [{ ...found, memory: { ...memory, ...past, past: [] } }]
}

function presentOne(state: UserState, found: FoundMemory): RecalledMemory {
  const { score, parts, pending } = found
  const worded = presentMemory(state, found.memory)
  const last = pending ? state.turns.get(found.memory.evidence.at(-1)?.turn ?? '') : undefined
  const memory =
    last === undefined
      ? worded
      : { ...worded, learnedAt: last.at, validFrom: last.at, metadata: last.metadata }
  return { memory, score, parts, pending, evidence: presentEvidence(state, found) }
}

/**
 * A copy to return, with the words of an utterance and without score parts that are 0. Contexts are composed of its evidence, so only
 * those that are returned need the words.
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

/** A memory without quotes from withdrawn turns. */
function presentMemory(state: UserState, memory: Memory): Memory {
  const text = memory.form === 'utterance' ? memory.text : textOf(state, memory)
  const evidence = withoutWithdrawn(state, memory.evidence)
  if (text === memory.text && evidence === memory.evidence && memory.past.length === 0) return memory
  const past = memory.past.map((version) => ({
    ...version,
    evidence: withoutWithdrawn(state, version.evidence),
  }))
  return { ...memory, text, evidence, past }
}

function presentEvidence(state: UserState, found: FoundMemory): RecalledEvidence[] {
  const isKept = found.memory.form === 'utterance' && found.memory.status === 'live' && !found.pending
  const evidence: RecalledEvidence[] = []
  for (const { turn: id, quote } of restsOn(found.memory)) {
    const turn = state.turns.get(id)
    if (turn === undefined) continue
    const { session, role, speaker, at, timeZone } = turn
    const text = isKept ? wordsOfUtterance(turn, found.memory) : shownText(state, turn, quote)
    const metadata = text === null ? null : turn.metadata
    const score = found.turns.get(id) ?? 0
    const corrected = isCorrected(state, id) ? ({ corrected: true } as const) : {}
    const shown = { turn: id, session, role, speaker, at, timeZone, text, metadata, score, ...corrected }
    insertSorted(evidence, shown, (other) => other.score < score)
  }
  return evidence
}

/** Whether a live fact rests on words of the turn that were corrected since. */
function isCorrected(state: UserState, id: string): boolean {
  return state
    .memoriesOfTurn(id, { forms: ['fact'], statuses: ['live'] })
    .some(({ evidence }) => evidence.some(({ turn, corrected }) => turn === id && corrected === true))
}

/** The evidence that is shown: each turn of an utterance once, and the quotes of a statement. */
function restsOn(memory: Memory): readonly Evidence[] {
  if (memory.form !== 'utterance' || memory.evidence.every(({ quote }) => quote === null))
    return memory.evidence
  return [...new Set(turnsOf(memory))].map((turn) => ({ turn, quote: null }))
}

/** The words of a turn that may be shown: all while it is kept or waits, else the quoted ones, and none once it was withdrawn. */
function shownText(state: UserState, turn: Turn, quote: string | null): string | null {
  const keeper = state.utteranceOf(turn.id)
  if (keeper !== undefined) return wordsOfUtterance(turn, keeper)
  if (state.isPending(turn)) return turn.text
  return isWithdrawn(state, turn.id) ? null : quote
}

/** Whether something that rests on a turn was deleted and no live utterance keeps it: its words may no longer be shown. */
function isWithdrawn(state: UserState, turn: string): boolean {
  if (state.utteranceOf(turn) !== undefined) return false
  return state.memoriesOfTurn(turn, { statuses: ['deleted'] }).some(({ form }) => form !== 'block')
}

function withoutWithdrawn(state: UserState, evidence: readonly Evidence[]): readonly Evidence[] {
  if (!evidence.some(({ turn, quote }) => quote !== null && isWithdrawn(state, turn))) return evidence
  return evidence.map((one) => (isWithdrawn(state, one.turn) ? { ...one, quote: null } : one))
}

/** What was found, ready to be composed. */
export interface Found extends Pick<FoundAnswer, 'as' | 'asks' | 'isWide'> {
  readonly memories: readonly RecalledMemory[]
  /** Number of memories at the head. */
  readonly standing: number
  /** Whether anything near the question was found. */
  readonly mayAnswer: boolean
  /** By memory: since when its statement no longer holds. */
  readonly changed: ReadonlyMap<string, number>
}

/**
 * Composes the context as the preset does; instructions, blocks and the profile ahead, in this order, which no question changes.
 *
 * @param limit memories in it at most; `undefined`: as the preset does
 */
export async function composeRecallContext(
  request: RecallRequest,
  { memories: recalled, standing, mayAnswer, as, isWide, asks, changed }: Found,
  limit: number | undefined,
  state: UserState,
): Promise<{ readonly context: RecallContext; readonly profile: Profile }> {
  const { tokens, countTokens, shown, text: question, limit: most } = request.query
  const now = request.query.asOf ?? request.query.now
  const isList = request.engine.preset.context === 'list'
  const profile = await profileAhead(request, state, mayAnswer)
  const asked = instructionsAhead(state, request.resolved.scopes, { countTokens, now })
  const blocks = request.query.blocks ? blocksOf(state, request.resolved.scopes) : []
  const written = fitBlocks(blocks, Math.floor(tokens * BLOCK_SHARE), countTokens)
  const ahead = [...asked, ...written, ...profile.lines.map(aheadLine)]
  const memories = recalled.filter(({ memory }) => memory.form !== 'block')
  const top = memories[standing]?.score ?? 0
  // Memories at the head have no score of their own: they get the best one.
  const ranked = memories.map((one, place) => (place < standing ? { ...one, score: top } : one))
  const worded = request.engine.preset.tellsPast === false ? ranked.map(withoutPast) : ranked
  const unseen = worded.filter((recalled) => !isShown(recalled, shown))
  const isFilled = request.engine.preset.context === 'statements'
  const isCut = isList || (limit !== undefined && !isFilled)
  const listed = isCut ? unseen.slice(0, standing + most) : unseen
  const budget = { tokens, countTokens, texts: state.texts, now }
  if (isList)
    return { context: composeContext(listed, tokens, countTokens, { ahead: written, now }), profile }
  if (as === 'gathered') {
    const stated = new Set(profile.lines.flatMap((line) => line.memories))
    const besides = listed.filter(({ memory }) => memory.form === 'utterance' || !stated.has(memory.id))
    return { context: composeTimeline(besides, ahead, budget, new Set(findTerms(question))), profile }
  }
  const isOfSeveral = !isFilled && !isWide && asksSeveral(question)
  const answered = { question, asks, isFilled, isOfSeveral, ahead, changed }
  // Where nothing near the question was found, the context shows no more than what is returned.
  const isWhole = limit === undefined && (mayAnswer || isWide || isFilled)
  const lines = isWhole ? undefined : standing + most
  return { context: composeAnswer(listed, answered, { ...budget, lines }), profile }
}

/** Tokens of the instructions ahead of a context. */
const INSTRUCTION_TOKENS = 120

/** Returns the instructions as lines ahead of a context, the newest that fit. */
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
  const whole = await readProfile(engine, resolved, query.now, state)
  const lines = mayAnswer ? whole.lines : whole.lines.filter(({ slot }) => slot !== 'now')
  const most = Math.min(PROFILE_TOKENS, Math.round(query.tokens * PROFILE_SHARE))
  // The profile already fits this budget by the engine's counter.
  if (most === PROFILE_TOKENS && query.countTokens === engine.countTokens) return { lines }
  return { lines: fitProfile({ lines }, most, query.countTokens) }
}

/** Whether it repeats a turn that is already in the prompt, or only words that are. */
export function repeatsShown(
  recalled: RecalledMemory,
  { shown, shownTurns }: Pick<RecallQuery, 'shown' | 'shownTurns'>,
): boolean {
  const isUtterance = recalled.memory.form === 'utterance'
  return (
    isShown(recalled, shown) || (isUtterance && recalled.evidence.some(({ turn }) => shownTurns.has(turn)))
  )
}

/** Whether all of its words are already in the prompt. Statements may say more, so only utterances count. */
function isShown({ memory, evidence }: RecalledMemory, shown: ReadonlySet<string>): boolean {
  if (memory.form !== 'utterance' || shown.size === 0) return false
  const texts = evidence.flatMap(({ text }) => (text === null ? [] : [oneLine(text)]))
  return texts.length > 0 && texts.every((text) => shown.has(text))
}

function withoutPast(recalled: RecalledMemory): RecalledMemory {
  return { ...recalled, memory: { ...recalled.memory, past: [] } }
}

/**
 * Composes the context that answers a question: the lines ahead, then dated statements, those of one key together, then
 * utterances under their days. It spends the budget on whole lines, the best first, and always shows something of the best. Pure.
 */
export function composeAnswer(
  memories: readonly RecalledMemory[],
  query: AnswerQuery,
  budget: ContextBudget,
): RecallContext {
  const { texts = new AnalysedTexts() } = budget
  const name = onlySpeaker(memories)
  const lines = new AnswerLines(query, { ...budget, texts, name })
  for (const one of chooseCandidates(memories, query, texts)) {
    if (lines.isFull) break
    lines.add(one)
  }
  const found = inReadingOrder(query.isOfSeveral === true ? inTime(lines.kept) : lines.kept)
  return joinLines(withAhead(query.ahead, inDays(found, name)), budget.tokens, budget.countTokens)
}

interface AnswerBudget extends ContextBudget {
  readonly texts: AnalysedTexts
  /** The one person who speaks beside the agent. */
  readonly name: string | null
}

/** The chosen lines and the budget that is left. */
class AnswerLines {
  readonly kept: TimelineLine[] = []
  readonly #seen: Candidate[] = []
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

  /** Adds a line, if it fits the budget and repeats none before it. */
  add(one: Candidate): void {
    const { tokens, countTokens, now, name } = this.#budget
    const { recalled, isStatement } = one
    const isTooLong = !isStatement && this.#leastOf(one) > Math.min(this.#left, this.#leftForUtterances)
    if (!isTooLong && this.#seen.some((other) => one.isWithin(other))) return
    this.#seen.push(one)
    if (isTooLong) return
    const text = isStatement ? statementLine(recalled, now) : this.#exchangeLine(one, TURN_SHARE * tokens)
    const day = dayOf(recalled.memory.validFrom, recalled.evidence)
    const isNewDay = !isStatement && !this.#days.has(day)
    const cost = costOf(text, countTokens) + (isNewDay ? costOf(headOf(day, name), countTokens) : 0)
    if (text === '' || cost > this.#left || (!isStatement && cost > this.#leftForUtterances)) return
    this.kept.push({ recalled, day, text })
    this.#left -= cost
    if (isStatement) return
    this.#days.add(day)
    this.#leftForUtterances -= cost
  }

  /** Tokens that an exchange takes at least: what the user said is shown whole, unless it is long. */
  #leastOf({ said }: Candidate): number {
    const { tokens, countTokens } = this.#budget
    const own = said.map(({ turn, text }) => (turn.role === 'assistant' ? 0 : text.countTokens(countTokens)))
    return own.reduce((sum, one) => (one <= TURN_SHARE * tokens ? sum + one : sum), 0)
  }

  #exchangeLine({ recalled: { memory, evidence }, said: turns }: Candidate, tokens: number): string {
    const { countTokens, name } = this.#budget
    const { asks, changed } = this.#query
    const said = formatExchange(turns, { terms: this.#terms, asks, tokens, countTokens })
    const end = changed.get(memory.id)
    const since = end === undefined ? '' : `[no longer all current as of ${dayOf(end, evidence)}] `
    return said === '' ? '' : `- ${since}${withoutLabel(said, name)}`
  }
}

/** Statements first, those of one subject and key together and the older before the newer; then utterances. */
function inReadingOrder(chosen: readonly TimelineLine[]): TimelineLine[] {
  const isUtterance = ({ recalled }: TimelineLine): boolean => recalled.memory.form === 'utterance'
  const statements = Map.groupBy(
    chosen.filter((one) => !isUtterance(one)),
    ({ recalled: { memory } }) => `${memory.subject}/${memory.key ?? memory.id}`,
  )
  const dated = [...statements.values()].flatMap((of) =>
    of.toSorted((one, other) => one.recalled.memory.validFrom - other.recalled.memory.validFrom),
  )
  return [...dated, ...chosen.filter(isUtterance)]
}
