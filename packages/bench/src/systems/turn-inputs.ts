import type { TurnInput } from 'keepsake'
import type { DatasetTurn } from '../datasets/conversation.ts'

/** Converts turns of a data set to the engine's form. A speaker whom the data does not name is left out. */
export function turnInputs(turns: readonly DatasetTurn[]): TurnInput[] {
  return turns.map(({ zone: timeZone, isNamed = true, speaker, ...turn }) => ({
    ...turn,
    ...(isNamed ? { speaker } : {}),
    timeZone,
  }))
}
