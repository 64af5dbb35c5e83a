import type { ScopeRow } from '../scopes/scope.ts'
import type { Store } from '../store/store.ts'
import { readName } from '@keepsake/text'

const COLLECTION = 'unremembered-sessions'

type Sessions = Pick<Store, 'getRecord' | 'putRecord' | 'removeRecord'>

function keyOf({ scope }: ScopeRow, session: string): string {
  return JSON.stringify([scope, session])
}

/** Whether somebody asked that this session not be remembered. It stands in the records, for every process, and goes with the person. */
export async function isUnremembered(store: Sessions, row: ScopeRow, session: string): Promise<boolean> {
  return (await store.getRecord(COLLECTION, keyOf(row, session))) !== null
}

/** Says whether turns of a session are kept from now on. What was kept before stays until it is erased. @throws InvalidInputError */
export async function setRemembered(
  store: Sessions,
  row: ScopeRow,
  session: string,
  remember: boolean,
): Promise<void> {
  const key = keyOf(row, readName(session, 'session'))
  if (remember) await store.removeRecord(COLLECTION, key)
  else await store.putRecord({ collection: COLLECTION, key, owner: row.owner, value: {} })
}
