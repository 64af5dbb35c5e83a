import { candidateOf, type Candidate } from '../memories/candidate.ts'
import type { Evidence } from '../memories/evidence.ts'
import type { Round } from '../turns/rounds.ts'
import type { Turn } from '../turns/turn.ts'
import type { SummariseOptions, Summariser } from './summariser.ts'
import type { SummarySource } from '../prompts/render-summary-sources.ts'

/** Characters a summary of a level may have: a level above holds five times the talk in twice the words. */
const CHARACTERS_BY_LEVEL = [0, 500, 900, 1_600, 2_400] as const
const MOST_CHARACTERS = 3_200

/** @param level 1 and up */
export function longestSummary(level: number): number {
  return CHARACTERS_BY_LEVEL[level] ?? MOST_CHARACTERS
}

export function sourcesOfTurns(turns: readonly Turn[]): SummarySource[] {
  return turns.map(({ id, text, role, speaker, at, timeZone }) => ({
    turn: id,
    text,
    role,
    speaker,
    at,
    timeZone,
  }))
}

/** A node of the level below, with its own text or only turns (a raw unit). */
export type LowerUnit = Pick<Candidate, 'text' | 'evidence' | 'validFrom'>

/**
 * What a summary of summaries is made of: the sentences that the lower ones kept, not the talk. A whole turn
 * replaces a missing quote.
 *
 * @param units candidates or memories of the level below
 * @param turnOf finds a turn that may have been erased since
 * @param reads `texts` takes the words of units that a language model wrote, instead of their quotes
 */
export function sourcesOfUnits(
  units: readonly LowerUnit[],
  turnOf: (id: string) => Turn | undefined,
  reads: 'quotes' | 'texts' = 'quotes',
): SummarySource[] {
  return units.flatMap((unit) =>
    reads === 'texts' && unit.text !== '' ? sourceOfTelling(unit) : quotesOf(unit, turnOf),
  )
}

function sourceOfTelling(unit: LowerUnit): SummarySource[] {
  const { text, evidence, validFrom: at } = unit
  const turn = evidence[0]?.turn
  return turn === undefined ? [] : [{ turn, text, role: 'other', speaker: null, at, evidence }]
}

function quotesOf(unit: LowerUnit, turnOf: (id: string) => Turn | undefined): SummarySource[] {
  return unit.evidence.flatMap(({ turn: id, quote }) => {
    const turn = turnOf(id)
    if (turn === undefined) return []
    const { role, speaker, at, timeZone } = turn
    return [{ turn: id, text: quote ?? turn.text, role, speaker, at, timeZone }]
  })
}

/**
 * A raw unit of level 1: the turns of its rounds, whole, as MOOM keeps them ("raw information flow"). Its words
 * are its turns'; nothing is summarised yet.
 */
export function rawUnit(rounds: readonly Round[]): Candidate {
  const turns = rounds.flatMap((round) => round.turns)
  return {
    ...storyCandidate(1, turns[0]?.at ?? 0),
    evidence: turns.map((turn) => ({ turn: turn.id, quote: null })),
  }
}

/**
 * A summary of a level: of units below it (MOOM's S⁽ᵐ⁾), or of a raw unit's own turns where a preset wants a
 * summary each.
 *
 * @param at when the first of its sources was said, milliseconds since 1970
 * @returns `null` when nothing in the sources is worth keeping
 */
export async function summaryUnit(
  { level, at }: { readonly level: number; readonly at: number },
  sources: readonly SummarySource[],
  summariser: Summariser,
  options: Omit<SummariseOptions, 'maxCharacters'> = {},
): Promise<Candidate | null> {
  const summary = await summariser.summarise(sources, { ...options, maxCharacters: longestSummary(level) })
  // What must not be kept leaves a gap in the story, as what is not worth telling does.
  return summary === null || summary === 'unsafe'
    ? null
    : { ...storyCandidate(level, at), text: summary.text, evidence: summary.evidence }
}

/** Makes a node of level 1 from a segment summary. */
export function toldUnit(
  summary: { readonly text: string; readonly evidence: readonly Evidence[] },
  time: number,
): Candidate {
  return { ...storyCandidate(1, time), ...summary }
}

function storyCandidate(level: number, time: number): Candidate {
  return candidateOf({ form: 'story', level, validFrom: time })
}
