import type { TurnInput } from 'keepsake'
import type { DatasetTurn } from '../datasets/conversation.ts'

/** Converts turns of a data set to the engine's form. */
export function turnInputs(turns: readonly DatasetTurn[]): TurnInput[] {
  return turns.map(({ zone: timeZone, isNamed = true, speaker, ...turn }) => ({
    ...turn,
    ...(isNamed ? { speaker } : {}),
    timeZone,
  }))
}
