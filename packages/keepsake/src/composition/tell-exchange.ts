import type { RecalledEvidence, RecalledMemory } from '../retrieval/recall-types.ts'
import { findTerms, splitSentences, type CountTokens } from '@keepsake/text'
import { clipTurn, countAsked } from './clip-turn.ts'
import { quote, speakerOf, voiceOf } from './context-line.ts'
import type { TextReadings } from './text-readings.ts'

export interface TellOptions {
  /** Terms of the question. */
  readonly terms: ReadonlySet<string>
  /** Whether the question is about what the agent said or did. */
  readonly asksAgent: boolean
  /** What the words of one turn may cost. */
  readonly tokens: number
  readonly countTokens: CountTokens
  /** What was read of the person's texts before. */
  readonly readings?: TextReadings | undefined
}

/** A turn with fewer content terms says little without what it answers: “Yes, twice!”, “4:26, I did it”. */
const FEW_TERMS = 5
/** Characters from which on a turn says something by itself, whatever its words. */
const LONGEST_ELLIPTIC = 80
/** An agent's turn beside the user's is there to be understood by: so much of it at most. */
const BESIDE = 24

/** “You are …”, “your sister …”: an agent's statement about the user, not a question put to them. */
const ABOUT_USER = /\b(?:you|your|you['’](?:re|ve|d|ll))\b|[你您]/i
const ASKS = /[?？]\s*["'”’)）]*$/

interface SaidTurn extends RecalledEvidence {
  readonly text: string
}

function isSaid(turn: RecalledEvidence): turn is SaidTurn {
  return turn.text !== null
}

/** Whether a turn needs what stands before it to be understood. */
export function isElliptic(text: string): boolean {
  return text.length < LONGEST_ELLIPTIC && new Set(findTerms(text)).size < FEW_TERMS
}

/** Whether an agent's words state something of the user that their own words would have to bear out. */
export function claimsAboutUser(text: string): boolean {
  return splitSentences(text).some((sentence) => ABOUT_USER.test(sentence.text) && !ASKS.test(sentence.text))
}

const leans = (text: string, readings: TextReadings | undefined): boolean =>
  readings?.read('elliptic', text, isElliptic) ?? isElliptic(text)
const tellsOfUser = (text: string, readings: TextReadings | undefined): boolean =>
  readings?.read('claims', text, claimsAboutUser) ?? claimsAboutUser(text)

/** What of an agent's turn makes the user's understood: the question it ends with, or its last sentence. */
function promptOf(turn: SaidTurn, { countTokens, terms }: TellOptions): string {
  const sentences = splitSentences(turn.text)
  const asked = sentences.findLast((sentence) => ASKS.test(sentence.text)) ?? sentences.at(-1)
  return clipTurn(asked?.text ?? turn.text, { terms, tokens: BESIDE, countTokens })
}

/** An agent's turn that stands for itself. Where it tells of the user and nothing of theirs stands beside it, it says so. */
function agentPart(turn: SaidTurn, options: TellOptions, isAlone: boolean): string {
  const isUnconfirmed = isAlone && tellsOfUser(turn.text, options.readings)
  return `${speakerOf(turn)}${isUnconfirmed ? ' (unconfirmed)' : ''}: ${quote(clipTurn(turn.text, options))}`
}

/** Whether the agent's turn is told for its own sake: it was asked about, or holds what was asked and the user's turns do not. */
function countsItself(
  turn: SaidTurn,
  users: readonly SaidTurn[],
  { terms, asksAgent }: TellOptions,
): boolean {
  const best = Math.max(0, ...users.map((one) => one.score))
  if (asksAgent || turn.score <= best) return turn.score >= best && asksAgent
  const held = countAsked(turn.text, terms)
  const heldByUser = countAsked(users.map((one) => one.text).join('\n'), terms)
  return held > heldByUser
}

function agentTurn(
  turn: SaidTurn,
  next: SaidTurn | undefined,
  users: readonly SaidTurn[],
  options: TellOptions,
): string[] {
  if (users.length === 0 || countsItself(turn, users, options))
    return [agentPart(turn, options, users.length === 0)]
  const isNeeded = next !== undefined && next.role === 'user' && leans(next.text, options.readings)
  return isNeeded ? [`${speakerOf(turn)}: ${quote(promptOf(turn, options))}`] : []
}

/**
 * What was said, as short as it can be told: the user's words, and of the agent's only what was asked about or what
 * makes the user's understood. Empty when nothing of it may be shown.
 */
export function tellExchange({ evidence }: Pick<RecalledMemory, 'evidence'>, options: TellOptions): string {
  const turns = evidence.filter(isSaid).sort((one, other) => one.at - other.at)
  const users = turns.filter((turn) => turn.role !== 'agent')
  const parts = turns.flatMap((turn, place) =>
    turn.role === 'agent'
      ? agentTurn(turn, turns[place + 1], users, options)
      : [`${voiceOf(turn, options.readings)}: ${quote(clipTurn(turn.text, options))}`],
  )
  return parts.join(' / ')
}
