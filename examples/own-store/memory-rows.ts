import * as kit from 'keepsake/store-kit'
import { findConflict } from './find-conflict.ts'
import { listMemories } from './list-memories.ts'
import type { Opening } from './opening.ts'
import { countKinds, pageOf } from './page-of.ts'
import { queueJobs } from './queue-jobs.ts'
import {
  hasContent,
  idsOf,
  makeScope,
  personOf,
  scopeOf,
  writeDocument,
  writeLog,
  type Person,
} from './state.ts'
import { addTurns, sortOutRepeats, sessionOf } from './add-turns.ts'

/** People's rows. */
export class MemoryRows implements kit.Rows {
  protected readonly opening: Opening

  constructor(opening: Opening) {
    this.opening = opening
  }

  protected find(owner: number): Person | undefined {
    return this.opening.state.people[owner - 1]
  }

  async findScope({ tenant, user, agent, app }: kit.StoredScopeKey): Promise<kit.ScopeRow | null> {
    const rows = await this.listScopes({ tenant, user })
    return rows.find((row) => row.agent === agent && row.app === app) ?? null
  }

  async ensureScope(key: kit.StoredScopeKey): Promise<kit.ScopeRow> {
    return (await this.findScope(key)) ?? this.opening.change((state) => makeScope(state, key))
  }

  async listScopes({ tenant, user, owner, after = 0, limit }: kit.ScopeFilter = {}): Promise<kit.ScopeRow[]> {
    const rows = this.opening.state.people.flatMap(({ scopes }) => scopes.map(({ row }) => row))
    return rows
      .filter((row) => row.tenant === (tenant ?? row.tenant) && row.user === (user ?? row.user))
      .filter((row) => row.owner === (owner ?? row.owner) && row.scope > after)
      .toSorted((one, other) => one.scope - other.scope)
      .slice(0, limit)
  }

  async append(request: kit.AppendRequest): Promise<kit.AppendResult> {
    return this.opening.change((state) => {
      const person = personOf(state, request.owner)
      const scope = scopeOf(person, request.scope)
      const { fresh, repeated } = sortOutRepeats(person, request)
      const added = addTurns(person, scope, request.session, fresh)
      queueJobs(this.opening, state, request.owner, request.jobs)
      const session = sessionOf(person, scope, request.session, repeated[0])
      const { revision, epoch } = person
      return { added, repeated, session, version: { revision, epoch }, sequence: person.log.length }
    })
  }

  async turns(query: kit.TurnQuery): Promise<kit.Turn[]> {
    const { ids, scopes, session, where, afterPosition = 0, beforePosition = Infinity } = query
    const found = [...(this.find(query.owner)?.turns.values() ?? [])]
      .flatMap(({ text, ...turn }) => (text === null ? [] : [{ ...turn, text }]))
      .filter(
        (turn) =>
          (ids?.includes(turn.id) ?? true) &&
          (scopes?.includes(turn.scope) ?? true) &&
          turn.session === (session ?? turn.session) &&
          turn.position > afterPosition &&
          turn.position < beforePosition &&
          (where === undefined || kit.matchesMetadata(where, turn.metadata)),
      )
      .toSorted((one, other) => one.scope - other.scope || one.position - other.position)
    return pageOf(found, query)
  }

  async sessions(
    owner: number,
    scopes: readonly number[],
    page: kit.SessionPage = {},
  ): Promise<kit.SessionRow[]> {
    const { afterNumber = 0, beforeNumber = Infinity } = page
    const found = (this.find(owner)?.scopes ?? [])
      .filter(({ row }) => scopes.includes(row.scope))
      .toSorted((one, other) => one.row.scope - other.row.scope)
      .flatMap(({ sessions }) => sessions.toSorted((one, other) => one.number - other.number))
      .filter(({ number }) => number > afterNumber && number < beforeNumber)
    return pageOf(found, page)
  }

  async counts(owner: number, scopes: readonly number[]): Promise<kit.ScopeCounts> {
    const person = this.find(owner)
    const isWanted = ({ scope }: { readonly scope: number }): boolean => scopes.includes(scope)
    return {
      sessions: (await this.sessions(owner, scopes)).length,
      turns: [...(person?.turns.values() ?? [])].filter((turn) => isWanted(turn) && turn.text !== null)
        .length,
      operations: (person?.log ?? []).filter(isWanted).length,
      memories: countKinds(
        [...(person?.memories.values() ?? [])].map(({ memory }) => memory).filter(isWanted),
      ),
    }
  }

  async progress(owner: number, scope: number): Promise<kit.ScopeProgress> {
    const { lastPosition, progress } = scopeOf(personOf(this.opening.state, owner), scope)
    return { lastPosition, branches: Object.fromEntries(progress) }
  }

  async commit(request: kit.CommitRequest): Promise<kit.CommitResult> {
    return this.opening.change((state): kit.CommitResult => {
      const person = personOf(state, request.owner)
      const scope = scopeOf(person, request.scope)
      const conflict = findConflict(state, person, scope, request)
      if (conflict !== null) return conflict
      person.revision += 1
      const operations = writeLog(person, request.operations, request.memories)
      for (const document of request.documents) {
        if (!hasContent(person, document.kind, document.id))
          throw new kit.InvalidInputError(`There is no ${document.kind} "${document.id}".`)
        writeDocument(person, document)
      }
      for (const { branch, to } of request.progress) scope.progress.set(branch, to)
      for (const { session, at } of request.endSessions) {
        const found = scope.sessions.find(({ id }) => id === session)
        if (found === undefined) throw new kit.NotFoundError('session', session)
        found.endedAt ??= at
      }
      state.jobs = state.jobs.filter(
        ({ id, owner }) => owner !== request.owner || !request.finishJobs.includes(id),
      )
      queueJobs(this.opening, state, request.owner, request.queueJobs)
      const { revision, epoch } = person
      return { outcome: 'committed', version: { revision, epoch }, operations }
    })
  }

  async memories(query: kit.MemoryQuery): Promise<kit.StoredMemory[]> {
    const { skip = 0, limit = Infinity } = query
    const found = listMemories(this.find(query.owner), query).slice(skip, skip + limit)
    return found.map(({ memory, sequence }) => ({ memory, sequence }))
  }

  async countMemories(query: kit.MemoryQuery): Promise<number> {
    return listMemories(this.find(query.owner), { ...query, after: undefined }).length
  }

  async operations(query: kit.OperationQuery): Promise<kit.Operation[]> {
    const { scopes, memory, kinds, ids, parent, afterSequence = 0, beforeSequence = Infinity } = query
    const found = (this.find(query.owner)?.log ?? []).filter(
      (operation) =>
        (scopes?.includes(operation.scope) ?? true) &&
        (memory === undefined || idsOf(operation).includes(memory)) &&
        (kinds?.includes(operation.kind) ?? true) &&
        (ids?.includes(operation.id) ?? true) &&
        operation.parent === (parent ?? operation.parent) &&
        operation.sequence > afterSequence &&
        operation.sequence < beforeSequence,
    )
    return pageOf(found, query)
  }

  async version(owner: number): Promise<kit.OwnerVersion> {
    const { revision, epoch } = personOf(this.opening.state, owner)
    return { revision, epoch }
  }

  async indexRows(owner: number, after: number): Promise<kit.IndexRows> {
    const person = personOf(this.opening.state, owner)
    const { revision, epoch } = person
    const documents = [...person.documents.values()]
      .filter((one) => one.revision > after)
      .map(({ document }): kit.IndexRow => ({ ...document, ...placeOf(person, document) }))
    const memories = [...person.memories.values()].filter((one) => one.revision > after)
    const known = memories.map(({ memory, sequence }) => ({ memory, sequence }))
    return { version: { revision, epoch }, documents, memories: known }
  }

  async vectors(owner: number, ids: readonly string[], embedder: string): Promise<Map<string, Float32Array>> {
    const documents = [...(this.find(owner)?.documents.values() ?? [])].map(({ document }) => document)
    return new Map(
      documents.flatMap(({ id, vector, embedder: by }) =>
        vector !== null && by === embedder && ids.includes(id) ? [[id, vector] as const] : [],
      ),
    )
  }

  async reindex(owner: number, documents: readonly kit.NewDocument[]): Promise<kit.OwnerVersion> {
    return this.opening.change((state) => {
      const person = personOf(state, owner)
      person.revision += 1
      for (const document of documents)
        if (hasContent(person, document.kind, document.id)) writeDocument(person, document)
      return { revision: person.revision, epoch: person.epoch }
    })
  }
}

/** Where a document stands: with its turn's place, or its memory's. */
function placeOf(person: Person, { kind, id }: kit.NewDocument) {
  const turn = person.turns.get(id)
  if (kind === 'turn' && turn !== undefined) {
    const { scope, session, position, role, speaker, at } = turn
    return { scope, session, position, role, speaker, at }
  }
  const { scope = 0, session = '', learnedAt: at = 0 } = person.memories.get(id)?.memory ?? {}
  return { scope, session, position: 0, role: 'other' as const, speaker: null, at }
}
