import { Client } from 'pg'
import { withoutPassword } from './connections.ts'
import { requireSchemaName } from './schema-name.ts'
import { translateError } from './translate-error.ts'

/** Removes a schema with everything in it, for tests and measurements. @throws InvalidInputError, StoreError */
export async function dropSchema({
  connectionString,
  schema,
}: {
  readonly connectionString: string
  readonly schema: string
}): Promise<void> {
  requireSchemaName(schema)
  const client = new Client({ connectionString })
  try {
    await client.connect()
    await client.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`)
  } catch (error) {
    throw translateError(error, withoutPassword(connectionString))
  } finally {
    await client.end().catch(() => {})
  }
}
