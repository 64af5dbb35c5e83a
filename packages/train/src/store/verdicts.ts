import type { Operation } from 'keepsake'

/** What a statement said; nothing where it was ended. */
export interface Said {
  readonly text: string
  readonly value: string | null
}

/** What people made of a statement that was drawn from talk. */
export interface Verdict {
  /** What it should have said; `null`: it should not have been drawn. */
  readonly right: Said | null
  /** What stood before a person looked at it; `null`: nothing, since the engine did not believe it. */
  readonly before: Said | null
  /** Whether a person edited it, undid it, or released or refused it in quarantine. */
  readonly byPerson: boolean
}

/** The step that signs what is done through the interface: by a person, or by an application in their name. */
const BY_HAND = 'api'

/**
 * Holds what was drawn against what people did to it later, by the log alone. An edit says what it should have said; undoing it,
 * that it should not have been drawn; releasing it from quarantine, that it was right; removing it there, that it was not. What was
 * itself undone counts for nothing.
 */
export class Verdicts {
  readonly #byMemory = new Map<string, Operation[]>()
  readonly #undoneBy = new Map<string, Operation[]>()

  constructor(operations: readonly Operation[]) {
    for (const operation of operations) {
      if (operation.memory !== null) add(this.#byMemory, operation.memory, operation)
      if (operation.undoes !== null) add(this.#undoneBy, operation.undoes, operation)
    }
  }

  /** What people made of an operation that drew, changed or ended a statement; `null` where it did none of these. */
  of(drawn: Operation): Verdict | null {
    const { text, value = null } = drawn.payload?.after ?? {}
    const isEnd = text === undefined && ends(drawn)
    if ((text === undefined && !isEnd) || drawn.memory === null) return null
    const said = { text: text ?? '', value }
    if (this.#isUndone(drawn)) return { right: null, before: said, byPerson: true }
    const later = (this.#byMemory.get(drawn.memory) ?? []).filter(({ sequence }) => sequence > drawn.sequence)
    const hands = untilDrawnAgain(later).filter((one) => isByHand(one) && !this.#isUndone(one))
    if (isEnd) {
      const isBroughtBack = hands.some(({ kind }) => kind === 'restore')
      return { right: isBroughtBack ? null : said, before: said, byPerson: isBroughtBack }
    }
    const edited = hands.flatMap((one) => editOf(one, said)).at(-1)
    const right = edited ?? said
    if (drawn.payload?.after.status !== 'quarantined')
      return { right, before: said, byPerson: edited !== undefined }
    if (hands.some(({ kind }) => kind === 'restore')) return { right, before: null, byPerson: true }
    const isRefused = hands.some(({ kind }) => kind === 'delete')
    return { right: null, before: isRefused ? said : null, byPerson: isRefused }
  }

  #isUndone(operation: Operation): boolean {
    return (this.#undoneBy.get(operation.id) ?? []).some((undoing) => !this.#isUndone(undoing))
  }
}

/** Whether an operation says that something is over or to be dropped. */
export function ends({ payload }: Operation): boolean {
  const { status, validUntil } = payload?.after ?? {}
  return status === 'deleted' || (validUntil !== undefined && validUntil !== null)
}

/** Whether a person asked for it, and it does not follow from something else they asked for. */
function isByHand({ origin, parent, undoes }: Operation): boolean {
  return origin.step === BY_HAND && parent === null && undoes === null
}

/** What follows, up to where talk said something new of it. */
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

function add<Key, One>(map: Map<Key, One[]>, key: Key, one: One): void {
  const known = map.get(key)
  if (known === undefined) map.set(key, [one])
  else known.push(one)
}
