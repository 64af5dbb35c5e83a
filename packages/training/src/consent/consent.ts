import type { Records, ScopeRow } from 'keepsake'

/**
 * What a person said of being learned from: `refused`, `given`, or `unasked` while nothing was recorded. The engine knows nothing
 * of it; it stands in the memory's own records, and is erased with the person.
 */
export type Consent = 'given' | 'refused' | 'unasked'

const COLLECTION = 'training-consent'

/** What an answer is for: the person's whole, or one of their scopes. */
function keyOf({ owner, scope }: ScopeRow, isWhole: boolean): string {
  return isWhole ? `person/${owner}` : `scope/${scope}`
}

/** Where an answer is written. */
export interface ConsentPlace {
  readonly row: ScopeRow
  /** For the person in all scopes, also those that are yet to come. */
  readonly isWhole: boolean
}

/**
 * Records what a person said, in place of what they said before; `unasked` takes it back.
 *
 * @example
 * const [row] = await keepsake.scopes({ user: 'maya' })
 * await writeConsent(keepsake.records, { row, isWhole: true }, 'refused')
 */
export async function writeConsent(
  records: Records,
  { row, isWhole }: ConsentPlace,
  consent: Consent,
): Promise<void> {
  const key = keyOf(row, isWhole)
  if (consent === 'unasked') await records.removeRecord(COLLECTION, key)
  else await records.putRecord({ collection: COLLECTION, key, owner: row.owner, value: { consent } })
}

/** What holds for a scope: what was said for it or for the whole person. A refusal of either outweighs the other. */
export async function readConsent(records: Records, row: ScopeRow): Promise<Consent> {
  const keys = [keyOf(row, true), keyOf(row, false)]
  const found = await Promise.all(keys.map((key) => records.record(COLLECTION, key)))
  const said = found.map((record) => record?.value['consent'])
  if (said.includes('refused')) return 'refused'
  return said.includes('given') ? 'given' : 'unasked'
}

/** Whether the application keeps something from training by the metadata of a turn or memory: `{"training": false}`. */
export function withholds({ metadata }: { readonly metadata: unknown }): boolean {
  return typeof metadata === 'object' && metadata !== null && Reflect.get(metadata, 'training') === false
}
