import type { GatherRequest } from 'keepsake/store-kit'
import type { Database } from './database.ts'
import { lockPerson } from './keep-scopes.ts'
import { originsOf, writeOperations } from './write-log.ts'

/** Puts one strengthening in the place of several. */
export async function gatherOperations(
  { transactions, names }: Database,
  request: GatherRequest,
): Promise<boolean> {
  const { owner, scope, operations, by } = request
  await names.know(originsOf([by]))
  return transactions.write(
    { owner },
    async (sql) => {
      const isThere = await sql.value`SELECT 1 FROM owners WHERE owner = ${owner}`
      if (isThere === undefined) return false
      const [, found, memories] = await Promise.all([
        lockPerson(sql, owner),
        sql.cells<
          readonly [number]
        >`SELECT sequence FROM operations WHERE owner = ${owner} AND scope = ${scope}
          AND kind = 'reinforce' AND id = ANY(${operations}) ORDER BY sequence`,
        sql.cells<readonly [string, number]>`SELECT id, memory FROM memories
          WHERE owner = ${owner} AND id = ANY(${by.touched.map(({ memory }) => memory)})`,
      ])
      const sequences = found.map(([sequence]) => sequence)
      const last = sequences.at(-1)
      if (last === undefined || sequences.length !== new Set(operations).size) return false
      sql.send`DELETE FROM operations WHERE owner = ${owner} AND sequence = ANY(${sequences})`
      writeOperations(sql, names, owner, {
        operations: [{ ...by, sequence: last }],
        numbers: new Map(memories),
      })
      return true
    },
    { flush: false },
  )
}
