import type { TurnInput } from 'keepsake'
import type { DatasetTurn } from '../datasets/conversation.ts'

export function turnInputs(turns: readonly DatasetTurn[]): TurnInput[] {
  return turns.map(({ zone: timeZone, isNamed = true, speaker, ...turn }) => ({
    ...turn,
    ...(isNamed ? { speaker } : {}),
    timeZone,
  }))
}
