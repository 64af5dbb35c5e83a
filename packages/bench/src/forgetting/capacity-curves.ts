import { meanUnits } from './capacities.ts'
import type { ForgettingTalk } from './forgetting-talk.ts'
import { plainSystems, scoreTalks, type Entrant } from './entrants.ts'
import { OURS } from './policies.ts'
import { rankByWords } from './rank-by-words.ts'
import type { RankMemories } from './rank-memories.ts'
import {
  averageRuns,
  estimate,
  estimateLead,
  perMetric,
  scorePeople,
  valuesOf,
  type ForgettingEstimates,
  type ForgettingFigures,
  type PersonScore,
} from './summarise-scores.ts'

export interface CapacityPoint extends ForgettingFigures {
  /** Units held at most. */
  readonly capacity: number
  /** The same over the units of the data set's mean talk. */
  readonly share: number
  /** 95 %, over people or conversations. */
  readonly intervals: ForgettingEstimates
  /** Our policy's figures at this capacity minus these, paired by person; `null` for our own. */
  readonly lead: ForgettingEstimates | null
  /** What the figures are the means of. */
  readonly byPerson: readonly PersonScore[]
}

/** One policy's figures against how much it may hold. */
export interface CapacityCurve {
  readonly policy: string
  readonly points: readonly CapacityPoint[]
  /** Area under each figure over the range of capacities, over the range's width: a mean figure, 0 to 1. */
  readonly area: ForgettingFigures
  readonly areaIntervals: ForgettingEstimates
  /** The area under our policy's curve minus this one's, paired by person; `null` for our own. */
  readonly areaLead: ForgettingEstimates | null
}

export interface CapacityCurveOptions {
  readonly talks: readonly ForgettingTalk[]
  readonly entrants: readonly Entrant[]
  /** Units held at most, rising. */
  readonly capacities: readonly number[]
  /** Of the intervals. */
  readonly seed: number
  /** Called after every talk of every run. */
  readonly progress?: () => void
}

/**
 * Each policy under a capacity that is enforced after every unit (not at the session's end), for a range of
 * capacities: means over people of the figures after each session.
 */
export async function measureCapacityCurves(options: CapacityCurveOptions): Promise<CapacityCurve[]> {
  const { entrants, capacities, seed } = options
  if (capacities.length === 0) return []
  const whole = meanUnits(options.talks)
  const rank = rankByWords()
  const measured = new Map<string, PersonScore[][]>()
  for (const entrant of entrants) measured.set(entrant.name, await scoreCapacities(entrant, rank, options))
  const ours = measured.get(OURS) ?? []
  const ourAreas = areasByPerson(capacities, ours)
  return [...measured].map(([policy, byCapacity]) => {
    const leadOf = (own: readonly PersonScore[], theirs: readonly PersonScore[]) =>
      policy === OURS ? null : estimateLead(own, theirs, seed)
    const areas = areasByPerson(capacities, byCapacity)
    const areaIntervals = estimate(areas, seed)
    return {
      policy,
      points: capacities.map((capacity, i) => {
        const byPerson = byCapacity[i] ?? []
        const intervals = estimate(byPerson, seed)
        const lead = leadOf(ours[i] ?? [], byPerson)
        return { capacity, share: capacity / whole, ...valuesOf(intervals), intervals, lead, byPerson }
      }),
      area: valuesOf(areaIntervals),
      areaIntervals,
      areaLead: leadOf(ourAreas, areas),
    }
  })
}

/** People's figures at each capacity. */
async function scoreCapacities(
  entrant: Entrant,
  rank: RankMemories,
  { talks, capacities, progress = () => undefined }: CapacityCurveOptions,
): Promise<PersonScore[][]> {
  const byCapacity: PersonScore[][] = []
  for (const memories of capacities) {
    const runs: PersonScore[][] = []
    for (const system of plainSystems(entrant, { when: 'capacity', memories }, rank)) {
      runs.push(scorePeople(await scoreTalks(system, talks, progress)))
    }
    byCapacity.push(averageRuns(runs))
  }
  return byCapacity
}

function areasByPerson(
  capacities: readonly number[],
  byCapacity: readonly (readonly PersonScore[])[],
): PersonScore[] {
  const people = byCapacity[0]?.map(({ person }) => person) ?? []
  return people.map((person) => {
    const scores = byCapacity.map((own) => own.find((score) => score.person === person))
    return {
      person,
      ...perMetric((metric) =>
        areaUnder(capacities.map((capacity, i) => [capacity, scores[i]?.[metric] ?? null])),
      ),
    }
  })
}

/**
 * Area under straight lines between points, over their range; the value itself for a single point; `null` of none
 * and when a point has no value.
 *
 * @param points x rising
 */
export function areaUnder(points: readonly (readonly [x: number, y: number | null])[]): number | null {
  const [first] = points
  const last = points.at(-1)
  if (first === undefined || last === undefined) return null
  if (first[0] === last[0]) return first[1]
  let area = 0
  let [before, height] = first
  for (const [x, y] of points) {
    if (y === null || height === null) return null
    area += ((x - before) * (y + height)) / 2
    before = x
    height = y
  }
  return area / (last[0] - first[0])
}
