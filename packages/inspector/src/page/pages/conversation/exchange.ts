import type { PastOperation, Recall, RememberResult, TurnInput } from '@keepsake/client'

/** Something that was said on this page, what was recalled for it, and what became of it. */
export interface Exchange {
  readonly id: number
  readonly said: string
  readonly at: number
  /** `null` till it is there. */
  readonly recall: Recall | null
  /** The answer as far as it has come; `null` where nobody answers. */
  readonly reply: string | null
  /** `null` till it is durable, and where nothing is kept. */
  readonly remembered: RememberResult | null
  readonly isKept: boolean
  readonly state: 'open' | 'done' | 'failed'
  readonly error: unknown
}

export function beginExchange(said: string, { id, isKept }: { id: number; isKept: boolean }): Exchange {
  const nothing = { recall: null, reply: null, remembered: null, error: null }
  return { id, said, at: Date.now(), isKept, state: 'open', ...nothing }
}

/** The exchanges of a talk that is not kept, as turns: the memory cannot add them, since it does not have them. */
export function turnsOf(exchanges: readonly Exchange[]): TurnInput[] {
  return exchanges.flatMap(({ said, reply, state }): TurnInput[] => {
    if (state === 'failed') return []
    const asked: TurnInput = { role: 'user', text: said }
    return reply === null || reply === '' ? [asked] : [asked, { role: 'agent', text: reply }]
  })
}

/** What of the log came of an exchange: after its turns were recorded, and before those of the next. */
export function operationsOf(
  operations: readonly PastOperation[],
  from: number,
  until: number | null,
): readonly PastOperation[] {
  return operations
    .filter(({ sequence }) => sequence > from && (until === null || sequence <= until))
    .toSorted((one, other) => one.sequence - other.sequence)
}
