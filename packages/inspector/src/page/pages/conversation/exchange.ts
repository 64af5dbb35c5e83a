import type { PastOperation, Recall, RememberResult, TurnInput } from '@keepsake/client'

/** A message of this page, with its recall and outcome. */
export interface Exchange {
  readonly id: number
  readonly said: string
  readonly at: number
  /** `null` until it is loaded. */
  readonly recall: Recall | null
  /** The answer so far; `null` without a model. */
  readonly reply: string | null
  /** `null` until it is durable, and where nothing is stored. */
  readonly remembered: RememberResult | null
  readonly isKept: boolean
  readonly state: 'open' | 'done' | 'failed'
  readonly error: unknown
}

export function beginExchange(said: string, { id, isKept }: { id: number; isKept: boolean }): Exchange {
  const nothing = { recall: null, reply: null, remembered: null, error: null }
  return { id, said, at: Date.now(), isKept, state: 'open', ...nothing }
}

/** The exchanges of an unstored conversation as turns, which the memory does not have. */
export function turnsOf(exchanges: readonly Exchange[]): TurnInput[] {
  return exchanges.flatMap(({ said, reply, state }): TurnInput[] => {
    if (state === 'failed') return []
    const asked: TurnInput = { role: 'user', text: said }
    return reply === null || reply === '' ? [asked] : [asked, { role: 'assistant', text: reply }]
  })
}

/** Operations of an exchange: after its turns were recorded, and before the next ones. */
export function operationsOf(
  operations: readonly PastOperation[],
  from: number,
  until: number | null,
): readonly PastOperation[] {
  return operations
    .filter(({ sequence }) => sequence > from && (until === null || sequence <= until))
    .toSorted((one, other) => one.sequence - other.sequence)
}
