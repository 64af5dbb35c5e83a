import type { Database } from '../database.ts'

/**
 * Whether a person has so many turns and memories. The counters in the person's row say at once that most people have not: no memory is made
 * without an operation, and only those of whom they leave it open have their memories counted, no further than needed.
 */
export async function isLarge(
  { transactions }: Database,
  owner: number,
  documents: number,
): Promise<boolean> {
  const counted = await transactions.read(
    { owner },
    (
      sql,
    ) => sql.value<number>`SELECT CASE WHEN turns >= ${documents} OR turns + sequence < ${documents} THEN turns
      ELSE turns + (SELECT count(*) FROM (
        SELECT FROM memory_documents d WHERE d.owner = ${owner} LIMIT ${documents}) AS few) END
      FROM owners WHERE owner = ${owner}`,
  )
  return (counted ?? 0) >= documents
}
