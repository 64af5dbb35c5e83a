import type { PastOperation, Recall, RememberResult, TurnInput } from '@keepsake/client'

/** A message sent from this page, with its recall and outcome. */
export interface Exchange {
  readonly id: number
  readonly message: string
  readonly at: number
  /** `null` until it is loaded. */
  readonly recall: Recall | null
  /** The received part of the answer; `null` without a model. */
  readonly reply: string | null
  /** `null` until the message is stored, and if it is not to be stored. */
  readonly remembered: RememberResult | null
  readonly isKept: boolean
  readonly state: 'open' | 'done' | 'failed'
  readonly error: unknown
}

export function beginExchange(message: string, { id, isKept }: { id: number; isKept: boolean }): Exchange {
  const nothing = { recall: null, reply: null, remembered: null, error: null }
  return { id, message, at: Date.now(), isKept, state: 'open', ...nothing }
}

/** Converts exchanges that are not stored to turns, which the next request sends along. */
export function turnsOf(exchanges: readonly Exchange[]): TurnInput[] {
  return exchanges.flatMap(({ message, reply, state }): TurnInput[] => {
    if (state === 'failed') return []
    const question: TurnInput = { role: 'user', text: message }
    return reply === null || reply === '' ? [question] : [question, { role: 'assistant', text: reply }]
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
