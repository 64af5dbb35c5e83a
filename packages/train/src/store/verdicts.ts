import type { Memory, Operation } from 'keepsake'

/** A statement's text; nothing where it was ended. */
export interface Said {
  readonly text: string
  readonly value: string | null
}

/** A user's later judgement of an extracted statement. */
export interface Verdict {
  /** The correct statement; `null`: it should not have been extracted. */
  readonly right: Said | null
  /** The statement before correction; `null`: none, since it was quarantined. */
  readonly before: Said | null
  /** Whether a person edited it, undid it, or released or refused it in quarantine. */
  readonly byPerson: boolean
}

/** The origin of changes through the API: by a person, or by an application in their name. */
const BY_HAND = 'api'

/**
 * Compares extracted statements with users' later changes in the log. An edit gives the correct text; undoing means that it should not have
 * been extracted; releasing it from quarantine, that it was right; removing it there, that it was wrong. Undone changes count for nothing.
 */
export class Verdicts {
  readonly #byMemory: ReadonlyMap<string | null, readonly Operation[]>
  readonly #undoneBy: ReadonlyMap<string | null, readonly Operation[]>

  constructor(operations: readonly Operation[]) {
    this.#byMemory = Map.groupBy(operations, ({ memory }) => memory)
    this.#undoneBy = Map.groupBy(operations, ({ undoes }) => undoes)
  }

  /**
   * The judgement of an operation that added, changed or ended a statement; `null` for other operations.
   *
   * @param fact the fact after it
   */
  of(drawn: Operation, fact: Pick<Memory, 'value'> | null = null): Verdict | null {
    const { text, value = fact?.value ?? null } = drawn.payload?.after ?? {}
    const isEnd = text === undefined && ends(drawn)
    if ((text === undefined && !isEnd) || drawn.memory === null) return null
    const statement = { text: text ?? '', value: isEnd ? null : value }
    if (this.isUndone(drawn)) return { right: null, before: statement, byPerson: true }
    const later = (this.#byMemory.get(drawn.memory) ?? []).filter(({ sequence }) => sequence > drawn.sequence)
    const hands = untilDrawnAgain(later).filter((one) => isByHand(one) && !this.isUndone(one))
    if (isEnd) {
      const isBroughtBack = hands.some(({ kind }) => kind === 'restore')
      return { right: isBroughtBack ? null : statement, before: statement, byPerson: isBroughtBack }
    }
    const edited = hands.flatMap((one) => editOf(one, statement)).at(-1)
    const right = edited ?? statement
    if (drawn.payload?.after.status !== 'quarantined')
      return { right, before: statement, byPerson: edited !== undefined }
    if (hands.some(({ kind }) => kind === 'restore')) return { right, before: null, byPerson: true }
    const isRefused = hands.some(({ kind }) => kind === 'delete')
    return { right: null, before: isRefused ? statement : null, byPerson: isRefused }
  }

  /** Whether it was undone, and the undoing stands. */
  isUndone(operation: Operation): boolean {
    return (this.#undoneBy.get(operation.id) ?? []).some((undoing) => !this.isUndone(undoing))
  }
}

/** Whether an operation ends or deletes something. */
export function ends({ payload }: Operation): boolean {
  const { status, validUntil } = payload?.after ?? {}
  return status === 'deleted' || (validUntil !== undefined && validUntil !== null)
}

/** Whether a person requested it, rather than it following from another request. */
function isByHand({ origin, parent, undoes }: Operation): boolean {
  return origin.step === BY_HAND && parent === null && undoes === null
}

/** Later operations until talk changed it again. */
function untilDrawnAgain(later: readonly Operation[]): readonly Operation[] {
  const again = later.findIndex(
    ({ origin, payload }) => origin.step !== BY_HAND && payload?.after.text !== undefined,
  )
  return again === -1 ? later : later.slice(0, again)
}

function editOf({ kind, payload }: Operation, said: Said): Said[] {
  const { text, value } = payload?.after ?? {}
  if (kind !== 'modify' || (text === undefined && value === undefined)) return []
  return [{ text: text ?? said.text, value: value === undefined ? said.value : value }]
}
