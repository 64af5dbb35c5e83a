import {
  InvalidInputError,
  NotFoundError,
  turnsQuoted,
  type EraseReceipt,
  type JobRow,
  type Memory,
  type NewDocument,
  type NewOperation,
  type Operation,
  type ScopeRow,
  type SessionRow,
  type StoredRecord,
  type StoredScopeKey,
  type Turn,
} from 'keepsake/store-kit'

/** A turn; without words once they are erased. */
export type KeptTurn = Omit<Turn, 'text'> & { text: string | null }

export interface KeptMemory {
  memory: Memory
  sequence: number
  revision: number
  /** Every turn that it or its operations ever rested on. */
  quoted: Set<string>
}

export interface KeptScope {
  readonly row: ScopeRow
  lastPosition: number
  readonly sessions: { -readonly [Field in keyof SessionRow]: SessionRow[Field] }[]
  readonly progress: Map<string, number>
}

export interface Person {
  readonly owner: number
  /** `null` once erased. */
  key: { readonly tenant: string; readonly user: string } | null
  revision: number
  epoch: number
  readonly scopes: KeptScope[]
  readonly turns: Map<string, KeptTurn>
  readonly log: Operation[]
  /** In order of making. */
  readonly memories: Map<string, KeptMemory>
  /** In order of their last writing. */
  readonly documents: Map<string, { readonly document: NewDocument; readonly revision: number }>
  readonly receipts: EraseReceipt[]
}

export type KeptJob = { -readonly [Field in keyof JobRow]: JobRow[Field] } & { dueAt: number }

/** Everything that is kept. A change is made on a copy, which takes its place when it is whole. */
export interface State {
  readonly people: Person[]
  scopes: number
  jobs: KeptJob[]
  readonly claims: Map<number, { readonly id: string; readonly holder: string; until: number }>
  readonly records: Map<string, { readonly record: StoredRecord; readonly until: number }>
}

export const EMPTY: State = { people: [], scopes: 0, jobs: [], claims: new Map(), records: new Map() }

export function makeScope(state: State, key: StoredScopeKey): ScopeRow {
  const { tenant, user } = key
  let person = state.people.find((one) => one.key?.tenant === tenant && one.key.user === user)
  if (person === undefined) {
    const nothing = { scopes: [], turns: new Map(), log: [], memories: new Map(), documents: new Map() }
    person = {
      owner: state.people.length + 1,
      key: { tenant, user },
      revision: 0,
      epoch: 0,
      ...nothing,
      receipts: [],
    }
    state.people.push(person)
  }
  state.scopes += 1
  const row = { owner: person.owner, scope: state.scopes, ...key }
  person.scopes.push({ row, lastPosition: 0, sessions: [], progress: new Map() })
  return row
}

export function personOf(state: State, owner: number): Person {
  const person = state.people[owner - 1]
  if (person === undefined) throw new NotFoundError('scope', String(owner))
  return person
}

/** The wall: a scope is written to only in the name of its owner. */
export function scopeOf(person: Person, scope: number): KeptScope {
  const found = person.scopes.find(({ row }) => row.scope === scope)
  if (found === undefined || person.key === null) throw new NotFoundError('scope', String(scope))
  return found
}

/** Whether a turn or memory is there with its words. */
export function hasContent(person: Person, kind: NewDocument['kind'], id: string): boolean {
  if (kind === 'turn') return typeof person.turns.get(id)?.text === 'string'
  const status = person.memories.get(id)?.memory.status
  return status !== undefined && status !== 'erased'
}

export function writeDocument(person: Person, document: NewDocument): void {
  const key = `${document.kind}/${document.id}`
  person.documents.delete(key)
  person.documents.set(key, { document, revision: person.revision })
}

/**
 * Appends operations and sets the memories they leave: just those that they touch, or log and projection would part.
 */
export function writeLog(
  person: Person,
  operations: readonly NewOperation[],
  memories: readonly Memory[],
): Operation[] {
  const logged = operations.map((one, index) => ({ ...one, sequence: person.log.length + index + 1 }))
  const left = new Map(memories.map((memory) => [memory.id, memory]))
  const touches = Map.groupBy(
    logged.flatMap((operation) => idsOf(operation).map((id) => ({ id, operation }))),
    ({ id }) => id,
  )
  for (const [id, by] of touches) {
    const memory = left.get(id)
    if (memory === undefined)
      throw new InvalidInputError(`What operations leave of memory "${id}" is not given.`)
    scopeOf(person, memory.scope)
    const quoted = turnsQuoted(
      memory,
      by.map(({ operation }) => operation),
    )
    for (const turn of person.memories.get(id)?.quoted ?? []) quoted.add(turn)
    const sequence = by.at(-1)?.operation.sequence ?? 0
    person.memories.set(id, { memory, sequence, revision: person.revision, quoted })
  }
  for (const id of left.keys())
    if (!touches.has(id)) throw new InvalidInputError(`No operation touches memory "${id}".`)
  person.log.push(...logged)
  return logged
}

/** The memories that an operation touches. */
export function idsOf({ memory, touched }: NewOperation): string[] {
  return memory === null ? touched.map((one) => one.memory) : [memory]
}
