import type { Keepsake } from 'keepsake'
import { z } from 'zod'
import type { ItemRow, ItemsFile } from './items-file.ts'
import { itemOfTurn, turnOf } from './items-memory.ts'
import { personKey } from './known-persons.ts'
import type { ScopeKeyRow } from './namespace.ts'

const turnRow = z.object({ row: z.enum(['turn', 'erased-turn']), id: z.string() })

type Person = Pick<ScopeKeyRow, 'tenant' | 'user'>

/** What of Keepsake the check goes by. */
export interface ErasedCheck {
  readonly keepsake: Keepsake
  readonly file: ItemsFile
  /**
   * Whether a person who is not there was erased: for certain when they were seen there before. Otherwise the memory may
   * be another file than the one the items belong to.
   */
  readonly isErased: (row: ItemRow) => boolean
}

/**
 * Removes the values of items whose text was erased in Keepsake: with their person, or by themselves. Items whose person
 * was imported into another file are theirs again.
 *
 * @returns how many values were removed.
 */
export async function removeErasedItems({ keepsake, file, isErased }: ErasedCheck): Promise<number> {
  const removed: number[] = []
  const owners = new Map<string, number>()
  for (const { tenant, user, owner } of await keepsake.scopes())
    owners.set(personKey({ tenant, user }), owner)
  for (const [person, rows] of byPerson(file.recorded())) {
    const owner = owners.get(person)
    const turns = owner === undefined ? null : await turnsOf(keepsake, rows[0])
    for (const row of rows) {
      const state = turns?.get(turnOf({ id: row.id, version: row.recorded }))
      if (state === 'turn' && owner !== undefined && owner !== row.owner) file.adopt(row.item, owner)
      if (state === 'erased-turn' || (state === undefined && isErased(row))) removed.push(row.item)
    }
  }
  file.remove(removed)
  return removed.length
}

function byPerson(rows: readonly ItemRow[]): Map<string, [ItemRow, ...ItemRow[]]> {
  const persons = new Map<string, [ItemRow, ...ItemRow[]]>()
  for (const row of rows) {
    const known = persons.get(personKey(row))
    if (known === undefined) persons.set(personKey(row), [row])
    else known.push(row)
  }
  return persons
}

/** The items' turns that a person has, and whether they were erased. */
async function turnsOf(keepsake: Keepsake, { tenant, user }: Person): Promise<Map<string, string>> {
  const turns = new Map<string, string>()
  for await (const line of keepsake.scope({ tenant, user }).export()) {
    // Turns come first: the log, which is most of an export, need not be read.
    if (line.startsWith('{"row":"operation"')) break
    if (!line.includes('langgraph/')) continue
    const row = turnRow.safeParse(JSON.parse(line))
    if (row.success && itemOfTurn(row.data.id) !== null) turns.set(row.data.id, row.data.row)
  }
  return turns
}
