import type { Memory, Operation } from 'keepsake'

/** The words and the value of a fact. Both are empty for one that was ended. */
export interface Statement {
  readonly text: string
  readonly value: string | null
}

/** A user's later judgement of an extracted statement. */
export interface Verdict {
  /** The correct statement; `null`: it should not have been extracted. */
  readonly right: Statement | null
  /** The statement before correction; `null`: none, since it was quarantined. */
  readonly before: Statement | null
  /** Whether a person edited it, undid it, or released or refused it in quarantine. */
  readonly byPerson: boolean
}

/** The origin of changes through the API: by a person, or by an application in their name. */
const BY_HAND = 'api'

/**
 * Compares extracted statements with users' later changes in the log:
 *
 * - an edit gives the correct text;
 * - undoing the extraction means that the statement should not have been extracted;
 * - releasing it from quarantine (statements held until a user decides) means that it was right, removing it there that it was wrong.
 *
 * Changes that were undone do not count.
 */
export class Verdicts {
  readonly #byMemory: ReadonlyMap<string | null, readonly Operation[]>
  readonly #undoneBy: ReadonlyMap<string | null, readonly Operation[]>

  constructor(operations: readonly Operation[]) {
    this.#byMemory = Map.groupBy(operations, ({ memory }) => memory)
    this.#undoneBy = Map.groupBy(operations, ({ undoes }) => undoes)
  }

  /** The judgement of an operation that added, changed or ended a statement; `null` for other operations. */
  of(extraction: Operation, fact: Pick<Memory, 'value'> | null = null): Verdict | null {
    const { text, value = fact?.value ?? null } = extraction.payload?.after ?? {}
    const isEnd = text === undefined && ends(extraction)
    if ((text === undefined && !isEnd) || extraction.memory === null) return null
    const statement = { text: text ?? '', value: isEnd ? null : value }
    if (this.isUndone(extraction)) return { right: null, before: statement, byPerson: true }
    const later = (this.#byMemory.get(extraction.memory) ?? []).filter(
      ({ sequence }) => sequence > extraction.sequence,
    )
    const changesByHand = untilExtractedAgain(later).filter((one) => isByHand(one) && !this.isUndone(one))
    if (isEnd) {
      const isBroughtBack = changesByHand.some(({ kind }) => kind === 'restore')
      return { right: isBroughtBack ? null : statement, before: statement, byPerson: isBroughtBack }
    }
    const edited = changesByHand.flatMap((one) => editOf(one, statement)).at(-1)
    const right = edited ?? statement
    if (extraction.payload?.after.status !== 'quarantined')
      return { right, before: statement, byPerson: edited !== undefined }
    if (changesByHand.some(({ kind }) => kind === 'restore')) return { right, before: null, byPerson: true }
    const isRefused = changesByHand.some(({ kind }) => kind === 'delete')
    return { right: null, before: isRefused ? statement : null, byPerson: isRefused }
  }

  /** Whether it was undone, and the undoing stands. */
  isUndone(operation: Operation): boolean {
    return (this.#undoneBy.get(operation.id) ?? []).some((undoing) => !this.isUndone(undoing))
  }
}

export function ends({ payload }: Operation): boolean {
  const { status, validUntil } = payload?.after ?? {}
  return status === 'deleted' || (validUntil !== undefined && validUntil !== null)
}

/** Whether a person requested it, rather than it following from another request. */
function isByHand({ origin, parent, undoes }: Operation): boolean {
  return origin.step === BY_HAND && parent === null && undoes === null
}

/** Later operations until talk changed it again. */
function untilExtractedAgain(later: readonly Operation[]): readonly Operation[] {
  const again = later.findIndex(
    ({ origin, payload }) => origin.step !== BY_HAND && payload?.after.text !== undefined,
  )
  return again === -1 ? later : later.slice(0, again)
}

function editOf({ kind, payload }: Operation, said: Statement): Statement[] {
  const { text, value } = payload?.after ?? {}
  if (kind !== 'modify' || (text === undefined && value === undefined)) return []
  return [{ text: text ?? said.text, value: value === undefined ? said.value : value }]
}
