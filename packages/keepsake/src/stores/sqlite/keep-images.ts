import type { ImagePart } from '../store.ts'
import { readVersion } from './keep-scopes.ts'
import type { Sql } from './sql.ts'

export function readImagePart(sql: Sql, owner: number, part: number): ImagePart | null {
  return (
    sql.get<ImagePart>`SELECT image, part, parts, bytes FROM images WHERE owner = ${owner} AND part = ${part}` ??
    null
  )
}

/** @returns whether it was kept: not when content was erased since `epoch`, nor for a person who is not there. */
export function putImagePart(
  sql: Sql,
  owner: number,
  { image, part, parts, bytes }: ImagePart,
  epoch: number,
): boolean {
  return sql.write(() => {
    if (readVersion(sql, owner).epoch !== epoch) return false
    const kept = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    sql.upsert('images', ['owner', 'part'], { owner, part, image, parts, bytes: kept })
    if (part === parts - 1) sql.run`DELETE FROM images WHERE owner = ${owner} AND part >= ${parts}`
    return true
  })
}

export function deleteImage(sql: Sql, owner: number): void {
  sql.run`DELETE FROM images WHERE owner = ${owner}`
}
