import { ROLES_BY_CODE, type DocumentTable } from '../retrieval/document-table.ts'
import type { IndexRow } from '../stores/store.ts'

/** What the cache keeps of a turn: enough to tell rounds, neighbours and who spoke. */
export interface KnownTurn {
  readonly id: string
  readonly scope: number
  readonly session: string
  readonly position: number
  readonly role: IndexRow['role']
}

/** The turn of this id, where the documents hold one. */
export function turnOf(table: Readonly<DocumentTable>, id: string): KnownTurn | undefined {
  const row = table.rowOf(id)
  if (row === undefined || table.isTurn[row] !== 1) return undefined
  const session = table.sessions[table.sessionOf[row] ?? -1]?.session ?? ''
  const role = ROLES_BY_CODE[table.roles[row] ?? 0] ?? 'other'
  return { id, scope: table.scopes[row] ?? 0, session, position: table.position[row] ?? 0, role }
}
