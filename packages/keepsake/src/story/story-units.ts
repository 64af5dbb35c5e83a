// Plans the units of a story and makes them. A story is a hierarchy of summaries, as in the paper MOOM.
import { InvalidInputError } from '@keepsake/text'
import { candidateOf, type Candidate } from '../memories/candidate.ts'
import type { Evidence } from '../memories/evidence.ts'
import type { SummarySource } from '../prompts/render-summary-sources.ts'
import type { Round } from '../turns/rounds.ts'
import type { Turn } from '../turns/turn.ts'
import type { SummariseOptions, Summariser } from './summariser.ts'

/** A stored unit of the story. It may be forgotten or deleted. */
export interface StoryUnit {
  /** The id of a stored unit, or `new:0`, `new:1` and so on for planned ones. */
  readonly ref: string
  /** 1 for a unit of rounds, 2 and up for summaries. */
  readonly level: number
}

/** A unit to make. Above level 1 it names the lower units that it summarises. They are stored, or planned before it. */
export type UnitPlan =
  | { readonly ref: string; readonly level: 1; readonly rounds: readonly Round[] }
  | { readonly ref: string; readonly level: number; readonly units: readonly string[] }

/** MOOM's θ₁, θ₂, θ₃ (section 3.1): six rounds per unit, five units per summary, five summaries per summary above. */
export const MOOM_THRESHOLDS: readonly number[] = [6, 5, 5]

/**
 * Plans the units that new rounds complete in MOOM's hierarchy (equations 1 and 2). Every θ₁ rounds make a unit of level 1,
 * and every θₘ units of level m−1 make a unit of level m. No unit is made twice. Rounds that do not fill a unit wait.
 *
 * @param existing all units made so far, in order of creation
 * @param rounds the rounds that are in no unit yet, in order; none if units of level 1 are made elsewhere
 * @param thresholds one per level, whole numbers from 1
 * @throws InvalidInputError when there is no threshold or one is not a whole number from 1
 *
 * @example
 * planUnits([], thirtyRounds, [6, 5, 5]).map((plan) => plan.level) // [1, 1, 1, 1, 1, 2]
 */
export function planUnits(
  existing: readonly StoryUnit[],
  rounds: readonly Round[],
  thresholds: readonly number[],
): UnitPlan[] {
  if (thresholds.length === 0 || !thresholds.every((count) => Number.isInteger(count) && count >= 1))
    throw new InvalidInputError(
      `A story's thresholds are whole numbers from 1, one a level; not [${thresholds.join(', ')}].`,
    )
  const [roundsPerUnit = 1, ...unitsPerSummary] = thresholds
  const plans: UnitPlan[] = []
  const newRef = (): string => `new:${plans.length}`
  for (let start = 0; start + roundsPerUnit <= rounds.length; start += roundsPerUnit)
    plans.push({ ref: newRef(), level: 1, rounds: rounds.slice(start, start + roundsPerUnit) })
  for (const [index, count] of unitsPerSummary.entries()) {
    const level = index + 2
    const below = [...existing, ...plans].filter((unit) => unit.level === level - 1).map(({ ref }) => ref)
    const summaries = existing.filter((unit) => unit.level === level).length
    for (let start = summaries * count; start + count <= below.length; start += count)
      plans.push({ ref: newRef(), level, units: below.slice(start, start + count) })
  }
  return plans
}

/** Maximum characters of a summary by level. Each level covers about five times the talk in one and a half times the words. */
const MAX_CHARACTERS = [0, 500, 900, 1_600, 2_400, 3_200] as const

/** Makes a unit of level 1 from whole rounds, without a text (MOOM's "raw information flow"). */
export function rawUnit(rounds: readonly Round[]): Candidate {
  const turns = rounds.flatMap((round) => round.turns)
  return storyUnit(1, turns[0]?.at ?? 0, {
    text: '',
    evidence: turns.map((turn) => ({ turn: turn.id, quote: null })),
  })
}

/** Makes a unit of the given level from a text and its evidence. */
export function storyUnit(
  level: number,
  validFrom: number,
  { text, evidence }: { readonly text: string; readonly evidence: readonly Evidence[] },
): Candidate {
  return candidateOf({ form: 'story', level, validFrom, text, evidence })
}

/** Summarises units of the level below (MOOM's S⁽ᵐ⁾); `null` if they contain nothing to store. */
export async function summaryUnit(
  { level, at }: { readonly level: number; readonly at: number },
  sources: readonly SummarySource[],
  summariser: Summariser,
  options: Omit<SummariseOptions, 'maxCharacters'> = {},
): Promise<Candidate | null> {
  const maxCharacters = MAX_CHARACTERS[Math.min(level, MAX_CHARACTERS.length - 1)] ?? 0
  const summary = await summariser.summarise(sources, { ...options, maxCharacters })
  return summary === null || summary === 'unsafe' ? null : storyUnit(level, at, summary)
}

/** Converts turns to sources of a summary. */
export function sourcesOfTurns(turns: readonly Turn[]): SummarySource[] {
  return turns.map(({ id, text, role, speaker, at, timeZone }) => {
    return { turn: id, text, role, speaker, at, timeZone }
  })
}

/** A unit of the level below: with its own text, or only with turns. */
export type LowerUnit = Pick<Candidate, 'text' | 'evidence' | 'validFrom'>

/** Returns the sources of a summary of units: their quoted sentences or whole turns. With `texts`, units with a text are sources themselves. */
export function sourcesOfUnits(
  units: readonly LowerUnit[],
  turnOf: (id: string) => Turn | undefined,
  reads: 'quotes' | 'texts' = 'quotes',
): SummarySource[] {
  return units.flatMap(({ text, evidence, validFrom: at }): SummarySource[] => {
    if (reads === 'texts' && text !== '') {
      const turn = evidence[0]?.turn
      return turn === undefined ? [] : [{ turn, text, role: 'other', speaker: null, at, evidence }]
    }
    return evidence.flatMap(({ turn: id, quote }) => {
      const turn = turnOf(id)
      return turn === undefined ? [] : sourcesOfTurns([{ ...turn, text: quote ?? turn.text }])
    })
  })
}
