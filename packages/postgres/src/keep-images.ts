import { NotFoundError, type ImagePart } from 'keepsake/store-kit'
import { part as sqlPart } from './connection/sql-part.ts'
import type { Database } from './database.ts'

export async function readImagePart(
  { transactions }: Database,
  owner: number,
  part: number,
): Promise<ImagePart | null> {
  const found = await transactions.read(
    { owner },
    (sql) =>
      sql.get<ImagePart>`SELECT image, part, parts, bytes FROM images WHERE owner = ${owner} AND part = ${part}`,
  )
  return found ?? null
}

/** @returns whether it was kept: not when content was erased since `epoch`. @throws NotFoundError for nobody. */
export async function putImagePart(
  { transactions }: Database,
  owner: number,
  { image, part, parts, bytes }: ImagePart,
  epoch: number,
): Promise<boolean> {
  return transactions.write(
    { owner },
    async (sql) => {
      // Shared: an erasure waits until the part is there, and takes it along; other parts do not.
      const now = await sql.value<number>`SELECT epoch FROM owners WHERE owner = ${owner} FOR SHARE`
      if (now === undefined) throw new NotFoundError('scope', String(owner))
      if (now !== epoch) return false
      sql.insert(
        'images',
        [{ owner, part, image, parts, bytes }],
        sqlPart`ON CONFLICT (owner, part) DO UPDATE SET image = excluded.image, parts = excluded.parts, bytes = excluded.bytes`,
      )
      if (part === parts - 1) sql.send`DELETE FROM images WHERE owner = ${owner} AND part >= ${parts}`
      return true
    },
    // Derived: no flush waits for it.
    { flush: false },
  )
}
