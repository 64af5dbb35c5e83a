import type { LifeEvent } from './point.ts'

/** What is asked about as one: an event that stands alone, or all the stages of a larger one. */
export interface QuestionUnit {
  readonly kind: LifeEvent['kind']
  /** Places of its events, in order; it is asked about after the last. */
  readonly places: readonly number[]
}

/**
 * Which sessions are asked about together (HaluMem, stage 6: “for each career event, all its sub-stages are integrated into a single
 * unit”), by the place after which they are.
 */
export function questionUnits(events: readonly LifeEvent[]): Map<number, QuestionUnit> {
  const byUnit = Map.groupBy(events.keys(), (place) => events[place]?.unit ?? place)
  return new Map(
    [...byUnit.values()].flatMap((places): [number, QuestionUnit][] => {
      const last = places.at(-1)
      const kind = last === undefined ? undefined : events[last]?.kind
      return last === undefined || kind === undefined ? [] : [[last, { kind, places }]]
    }),
  )
}
