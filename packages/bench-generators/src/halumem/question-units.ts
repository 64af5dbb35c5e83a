import type { LifeEvent } from './point.ts'

/** Events that questions treat as one: a single event, or all stages of a career event. */
export interface QuestionUnit {
  readonly kind: LifeEvent['kind']
  /** Indexes of its events, in order. Its questions belong to the session of the last. */
  readonly eventIndexes: readonly number[]
}

/** Groups events into units by the index of their last event (HaluMem, stage 6: sub-stages of a career event form one unit). */
export function questionUnits(events: readonly LifeEvent[]): Map<number, QuestionUnit> {
  const byUnit = Map.groupBy(events.keys(), (eventIndex) => events[eventIndex]?.unit ?? eventIndex)
  return new Map(
    [...byUnit.values()].flatMap((eventIndexes): [number, QuestionUnit][] => {
      const last = eventIndexes.at(-1)
      const kind = last === undefined ? undefined : events[last]?.kind
      return last === undefined || kind === undefined ? [] : [[last, { kind, eventIndexes }]]
    }),
  )
}
