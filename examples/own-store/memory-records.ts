import { randomUUID } from 'node:crypto'
import * as kit from 'keepsake/store-kit'
import { MemoryJobs } from './memory-jobs.ts'
import { personOf, type State } from './state.ts'

/** Small rows of whoever serves the memory. */
export class MemoryRecords extends MemoryJobs implements kit.Records {
  async record(collection: string, key: string): Promise<kit.StoredRecord | null> {
    return recordIn(this.opening.state, collection, key)
  }

  async records(query: kit.RecordQuery): Promise<kit.StoredRecord[]> {
    const { collection, owner, prefix = '', after, limit } = query
    return [...this.opening.state.records.values()]
      .filter(({ until }) => until > Date.now())
      .map(({ record }) => record)
      .filter((one) => one.collection === collection && one.key.startsWith(prefix))
      .filter((one) => one.owner === (owner ?? one.owner) && (after === undefined || one.key > after))
      .toSorted((one, other) => (one.key < other.key ? -1 : 1))
      .slice(0, limit)
  }

  async putRecord(given: kit.NewRecord): Promise<kit.StoredRecord | null> {
    const { collection, key, value, owner = null, lastsMs = Number.POSITIVE_INFINITY, expect } = given
    return this.opening.change((state) => {
      const known = recordIn(state, collection, key)?.version ?? null
      if (expect !== undefined && expect !== known) return null
      if (owner !== null && personOf(state, owner).key === null)
        throw new kit.NotFoundError('scope', String(owner))
      const record = { collection, key, value, owner, version: randomUUID() }
      state.records.set(JSON.stringify([collection, key]), { record, until: Date.now() + lastsMs })
      return record
    })
  }

  async removeRecord(collection: string, key: string, version?: string): Promise<boolean> {
    return this.opening.change((state) => {
      const known = recordIn(state, collection, key)
      if (known === null || known.version !== (version ?? known.version)) return false
      return state.records.delete(JSON.stringify([collection, key]))
    })
  }
}

function recordIn(state: State, collection: string, key: string): kit.StoredRecord | null {
  const kept = state.records.get(JSON.stringify([collection, key]))
  return kept === undefined || kept.until <= Date.now() ? null : kept.record
}
