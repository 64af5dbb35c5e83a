import { PGlite } from '@electric-sql/pglite'
import { type Store, USER_TABLES, storeContract } from 'keepsake/store-kit'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openPgliteStore } from '../src/open-postgres-store.ts'

let database: PGlite
const schemas = new WeakMap<Store, string>()
const made: string[] = []
/** Schemas of earlier cases: creating one takes a second there, so they are emptied and used again. */
let free: string[] = []

beforeAll(async () => {
  database = await PGlite.create()
})
beforeEach(() => void (free = [...made]))
afterAll(() => database.close())

async function openIn(schema: string): Promise<Store> {
  const store = await openPgliteStore({ database, schema })
  schemas.set(store, schema)
  return store
}

async function openEmpty(): Promise<Store> {
  const known = free.pop()
  if (known === undefined) {
    made.push(`contract_${made.length}`)
    return openIn(made.at(-1) ?? '')
  }
  const tables = [...USER_TABLES, 'records'].map((table) => `DELETE FROM ${known}.${table};`)
  await database.exec(`BEGIN; SET LOCAL session_replication_role = replica; ${tables.join(' ')} COMMIT`)
  return openIn(known)
}

const cases = storeContract({ open: openEmpty, openAgain: (store) => openIn(schemas.get(store) ?? '') })

describe('the store in PGlite', () => {
  it.each(cases)('$name', ({ skip, run }) => {
    expect(skip).toBeUndefined()
    return run()
  })
})
