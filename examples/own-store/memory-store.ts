import * as kit from 'keepsake/store-kit'
import { erase } from './erase.ts'
import { MemoryRecords } from './memory-records.ts'
import { exportPerson, importPerson } from './move-people.ts'
import { newRows, Opening, type Shared } from './opening.ts'
import { makeScope, personOf, type Person } from './state.ts'

/**
 * A store that keeps everything in this process's memory, written against `keepsake/store-kit` alone, a part of the port after the
 * other. Several may be opened on the same rows, as processes open one database.
 */
export class MemoryStore extends MemoryRecords implements kit.Store {
  readonly name = 'memory'

  constructor(shared: Shared = newRows()) {
    super(new Opening(shared))
  }

  async erase(request: kit.EraseRequest): Promise<kit.EraseReceipt> {
    return this.opening.change((state) => {
      const person = personOf(state, request.owner)
      return person.receipts.find(({ id }) => id === request.id) ?? erase(state, person, request)
    })
  }

  async receipts(owner: number): Promise<kit.EraseReceipt[]> {
    return this.find(owner)?.receipts ?? []
  }

  async backup(): Promise<void> {
    throw new kit.NotPossibleError(
      `The ${this.opening.state.people.length} people here are in no file that could be copied.`,
    )
  }

  async stats(owner?: number): Promise<kit.StoreStats> {
    const people = this.opening.state.people.filter((person) => person.owner === (owner ?? person.owner))
    const sum = (count: (person: Person) => number): number =>
      people.reduce((all, person) => all + count(person), 0)
    const withStatus = (status: kit.Memory['status']): number =>
      sum(({ memories }) => [...memories.values()].filter(({ memory }) => memory.status === status).length)
    return {
      owners: people.filter(({ key }) => key !== null).length,
      scopes: sum(({ scopes }) => scopes.length),
      sessions: sum(({ scopes }) => scopes.reduce((all, { sessions }) => all + sessions.length, 0)),
      turns: sum(({ turns }) => [...turns.values()].filter(({ text }) => text !== null).length),
      operations: sum(({ log }) => log.length),
      memories: {
        live: withStatus('live'),
        quarantined: withStatus('quarantined'),
        deleted: withStatus('deleted'),
        forgotten: withStatus('forgotten'),
        erased: withStatus('erased'),
      },
      jobs: (await this.jobs(owner === undefined ? {} : { owner })).length,
      bytes: 0,
      schema: 1,
    }
  }

  async *exportRows(owner: number): AsyncGenerator<kit.ExportRow> {
    yield* exportPerson(this.opening.state, personOf(this.opening.state, owner))
  }

  async importRows(given: AsyncIterable<kit.ExportRow> | Iterable<kit.ExportRow>): Promise<kit.ScopeRow[]> {
    const rows: kit.ExportRow[] = []
    for await (const row of given) rows.push(row)
    const [header] = rows
    if (header?.row !== 'keepsake-export') throw new kit.InvalidInputError('This is no export of Keepsake.')
    const { tenant, user } = header
    if ((await this.listScopes({ tenant, user })).length > 0)
      throw new kit.NotPossibleError(`There are memories of user "${user}" already.`)
    return this.opening.change((state) => {
      const scopes = new Map<number, kit.ScopeRow>()
      for (const row of rows)
        if (row.row === 'scope')
          scopes.set(row.scope, makeScope(state, { tenant, user, agent: row.agent, app: row.app }))
      const [first] = scopes.values()
      if (first === undefined) throw new kit.InvalidInputError('The export names no scope.')
      const person = personOf(state, first.owner)
      person.revision += 1
      importPerson(state, person, rows, scopes)
      return [...scopes.values()]
    })
  }

  async close(): Promise<void> {
    this.opening.close()
  }
}
