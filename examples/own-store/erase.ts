import { randomUUID } from 'node:crypto'
import {
  applyOperation,
  projectLog,
  StoreError,
  type EraseReceipt,
  type EraseRequest,
} from 'keepsake/store-kit'
import { hideNames } from './hide-names.ts'
import { writeLog, type KeptTurn, type Person, type State } from './state.ts'

/** Takes content out everywhere and leaves the receipt that says how much. */
export function erase(state: State, person: Person, request: EraseRequest): EraseReceipt {
  const { target } = request
  if (target !== 'person') refuseWhenMoreRest(person, target)
  person.revision += 1
  person.epoch += 1
  const documents = person.documents.size
  const isPerson = target === 'person'
  const ids = [...person.memories.values()].flatMap(({ memory: { id, status } }) =>
    status !== 'erased' && (isPerson || target.memories.includes(id)) ? [id] : [],
  )
  const turns = eraseTurns(person, (turn) => isPerson || target.turns.includes(turn))
  const payloads = erasePayloads(person, (memory) => isPerson || (memory !== null && ids.includes(memory)))
  if (isPerson) eraseKey(state, person)
  else {
    eraseMemories(person, request, ids)
    hideNames(state, person, turns)
  }
  eraseRecords(state, person, isPerson)
  if (request.record !== undefined) keepRecord(state, request.record)
  for (const job of state.jobs)
    if (job.owner === person.owner) Object.assign(job, { reason: null, answer: null })
  const counts = {
    turns: turns.length,
    memories: ids.length,
    payloads,
    documents: documents - person.documents.size,
  }
  const receipt = { id: request.id, at: request.at, ...counts, purgedAt: Date.now() }
  person.receipts.push(receipt)
  return receipt
}

/** A memory made from these turns since the caller looked would keep their words. */
function refuseWhenMoreRest(
  person: Person,
  { turns, memories }: { readonly turns: readonly string[]; readonly memories: readonly string[] },
): void {
  for (const { memory, quoted } of person.memories.values()) {
    const rests = memory.status !== 'erased' && turns.some((turn) => quoted.has(turn))
    if (rests && !memories.includes(memory.id))
      throw new StoreError(
        'store-busy',
        `Memory "${memory.id}" rests on a turn to be erased and was not named.`,
      )
  }
}

function eraseTurns(person: Person, isMeant: (id: string) => boolean): KeptTurn[] {
  const meant = [...person.turns.values()].filter(({ id, text }) => text !== null && isMeant(id))
  for (const turn of meant) {
    Object.assign(turn, { text: null, speaker: null, timeZone: null, metadata: null })
    person.documents.delete(`turn/${turn.id}`)
  }
  return meant
}

function erasePayloads(person: Person, isMeant: (memory: string | null) => boolean): number {
  let erased = 0
  for (const [index, operation] of person.log.entries()) {
    if (operation.payload === null || !isMeant(operation.memory)) continue
    person.log[index] = { ...operation, payload: null }
    erased += 1
  }
  return erased
}

/** Tombstones, as the operations that were given leave them. */
function eraseMemories(person: Person, { operations }: EraseRequest, ids: readonly string[]): void {
  const wanted = operations.filter(({ memory }) => memory !== null && ids.includes(memory))
  writeLog(
    person,
    wanted,
    wanted.flatMap((one) => applyOperation(undefined, one, one.memory ?? '') ?? []),
  )
  for (const id of ids) {
    person.documents.delete(`memory/${id}`)
    person.memories.get(id)?.quoted.clear()
  }
}

/** What is left of a person: the log's kinds and times, and tombstones. */
function eraseKey(state: State, person: Person): void {
  person.key = null
  person.scopes.length = 0
  person.turns.clear()
  person.documents.clear()
  const { revision } = person
  for (const [id, memory] of projectLog(person.log))
    person.memories.set(id, { memory, sequence: 0, revision, quoted: new Set() })
  state.jobs = state.jobs.filter(({ owner }) => owner !== person.owner)
}

/** All of a person's, or what only lasts a while: an answer that is kept for a second try may tell what is gone. */
function eraseRecords(state: State, { owner }: Person, isAll: boolean): void {
  for (const [key, { record, until }] of state.records)
    if (record.owner === owner && (isAll || Number.isFinite(until))) state.records.delete(key)
}

/** What is written with an erasure concerns nobody, and lasts. */
function keepRecord(state: State, given: NonNullable<EraseRequest['record']>): void {
  const record = { ...given, owner: null, version: randomUUID() }
  state.records.set(JSON.stringify([given.collection, given.key]), {
    record,
    until: Number.POSITIVE_INFINITY,
  })
}
