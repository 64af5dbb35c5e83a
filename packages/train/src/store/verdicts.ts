import type { Memory, Operation } from 'keepsake'

/** The words and the value of a fact. The text is empty, and the value `null`, for a fact that was ended. */
export interface Statement {
  readonly text: string
  readonly value: string | null
}

/** A user's later judgement of an extracted statement. */
export interface Verdict {
  /** The correct statement, or `null` if none should have been extracted. */
  readonly right: Statement | null
  /** The statement before the correction, or `null` if it was quarantined and so never valid. */
  readonly before: Statement | null
  /** Whether a person edited it, undid it, or released or refused it in quarantine. */
  readonly byPerson: boolean
}

/** The step of changes through the API: by a person, or by an application in their name. */
const BY_HAND = 'api'

/**
 * Compares extracted statements with users' later changes in the log:
 *
 * - An edit gives the correct text.
 * - Undoing the extraction means that the statement should not have been extracted.
 * - Quarantine holds statements until a user decides. Releasing a statement means that it was right, and removing it that it was wrong.
 *
 * Changes that were undone do not count.
 */
export class Verdicts {
  readonly #byMemory: ReadonlyMap<string | null, readonly Operation[]>
  /** Operations by the id of the operation that they undo. */
  readonly #undoneBy: ReadonlyMap<string | null, readonly Operation[]>

  constructor(operations: readonly Operation[]) {
    this.#byMemory = Map.groupBy(operations, ({ memory }) => memory)
    this.#undoneBy = Map.groupBy(operations, ({ undoes }) => undoes)
  }

  /** Returns the verdict on an operation that added, changed or ended a statement, or `null` for other operations. */
  of(extraction: Operation, fact: Pick<Memory, 'value'> | null = null): Verdict | null {
    const { text, value = fact?.value ?? null } = extraction.payload?.after ?? {}
    const isEnd = text === undefined && ends(extraction)
    if ((text === undefined && !isEnd) || extraction.memory === null) return null
    const statement = { text: text ?? '', value: isEnd ? null : value }
    if (this.isUndone(extraction)) return { right: null, before: statement, byPerson: true }
    const later = (this.#byMemory.get(extraction.memory) ?? []).filter(
      ({ sequence }) => sequence > extraction.sequence,
    )
    const changesByHand = untilExtractedAgain(later).filter(
      (change) => isByHand(change) && !this.isUndone(change),
    )
    if (isEnd) {
      const isBroughtBack = changesByHand.some(({ kind }) => kind === 'restore')
      return { right: isBroughtBack ? null : statement, before: statement, byPerson: isBroughtBack }
    }
    const edited = changesByHand.flatMap((change) => editOf(change, statement)).at(-1)
    const right = edited ?? statement
    const isQuarantined = extraction.payload?.after.status === 'quarantined'
    if (!isQuarantined) return { right, before: statement, byPerson: edited !== undefined }
    if (changesByHand.some(({ kind }) => kind === 'restore')) return { right, before: null, byPerson: true }
    const isRefused = changesByHand.some(({ kind }) => kind === 'delete')
    return { right: null, before: isRefused ? statement : null, byPerson: isRefused }
  }

  /** Reports whether an operation was undone, and the undoing was not undone itself. */
  isUndone(operation: Operation): boolean {
    return (this.#undoneBy.get(operation.id) ?? []).some((undoing) => !this.isUndone(undoing))
  }
}

/** Reports whether an operation deletes a fact or sets its end. */
export function ends({ payload }: Operation): boolean {
  const { status, validUntil } = payload?.after ?? {}
  return status === 'deleted' || (validUntil !== undefined && validUntil !== null)
}

/** Reports whether a person requested an operation, which did not only follow from another one. */
function isByHand({ origin, parent, undoes }: Operation): boolean {
  return origin.step === BY_HAND && parent === null && undoes === null
}

/** Returns the later operations up to the one by which talk changed the statement again. */
function untilExtractedAgain(later: readonly Operation[]): readonly Operation[] {
  const again = later.findIndex(
    ({ origin, payload }) => origin.step !== BY_HAND && payload?.after.text !== undefined,
  )
  return again === -1 ? later : later.slice(0, again)
}

/** Returns the statement after an edit, or none if the operation is no edit. */
function editOf({ kind, payload }: Operation, statement: Statement): Statement[] {
  const { text, value } = payload?.after ?? {}
  if (kind !== 'modify' || (text === undefined && value === undefined)) return []
  return [{ text: text ?? statement.text, value: value === undefined ? statement.value : value }]
}
