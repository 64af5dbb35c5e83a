import { storeContract, type Store } from 'keepsake/store-kit'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { PgliteStores } from './pglite-store.ts'
import { SAID } from './said.ts'

let stores: PgliteStores
/** Every statement that was asked, its blanks as one. */
const asked = new Set<string>()

beforeAll(async () => {
  stores = await PgliteStores.start({ candidates: true })
  const { database } = stores
  const query = database.query.bind(database)
  database.query = (text, ...rest) => {
    asked.add(text.replaceAll(/\s+/g, ' '))
    return query(text, ...rest)
  }
})
beforeEach(() => stores.reuse())
afterAll(() => stores.database.close())

const cases = storeContract({
  open: () => stores.open(),
  openAgain: (store: Store) => stores.openAgain(store),
  givesCandidates: true,
})

describe('the store in PGlite', () => {
  it.each(cases)('$name', ({ skip, run }) => {
    expect(skip).toBeUndefined()
    return run()
  })
})

describe('every statement that the contract had it ask', () => {
  it('names the owner where it is about what people said', () => {
    const about = new RegExp(`\\b(FROM|JOIN|INTO|UPDATE) (${SAID.join('|')})\\b`)
    const statements = [...asked].filter((text) => about.test(text))
    expect(statements.length).toBeGreaterThan(50)
    const isOwned = /owner = \$\d|INSERT INTO \w+ \([^)]*\bowner\b/
    // Of everybody's rows only the number is asked.
    const isCount = /^SELECT (status, )?count\(\*\) FROM \w+ WHERE /
    expect(statements.filter((text) => !isOwned.test(text) && !isCount.test(text))).toEqual([])
  })

  it('joins tables of people by the owner', () => {
    const joins = [...asked].flatMap((text) =>
      [...text.matchAll(/JOIN (\w+) \w ON (.*?)(?=JOIN|WHERE|$)/g)].map(([, table, on = '']) => ({
        table,
        on,
      })),
    )
    const owned = joins.filter(({ table }) => table !== 'pg_namespace')
    expect(owned.length).toBeGreaterThan(5)
    expect(owned.filter(({ on }) => !/owner = (\w\.owner|\$\d)/.test(on))).toEqual([])
  })
})
