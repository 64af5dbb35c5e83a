import type { ScopeRow } from '../scopes/scope.ts'
import type { Records } from '../store/store.ts'
import { InvalidInputError, describeValue } from '@keepsake/text'

/**
 * What a person said of being learned from (`keepsake train export`): `refused`, `given`, or `unasked` while nothing was recorded. What
 * the memory remembers does not depend on it; it stands in the records, and is erased with the person.
 */
export type Consent = (typeof CONSENTS)[number]
export const CONSENTS = ['given', 'refused', 'unasked'] as const

const COLLECTION = 'training-consent'

/** Returns the record key of an answer, for the whole user or for one scope. */
function keyOf({ owner, scope }: ScopeRow, isWhole: boolean): string {
  return isWhole ? `person/${owner}` : `scope/${scope}`
}

export interface ConsentPlace {
  readonly row: ScopeRow
  /** Applies to all of the user's scopes, future ones included. */
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
  if (!CONSENTS.includes(consent))
    throw new InvalidInputError(
      `consent must be one of ${CONSENTS.join(', ')}, but it is ${describeValue(consent)}.`,
    )
  const key = keyOf(row, isWhole)
  if (consent === 'unasked') await records.removeRecord(COLLECTION, key)
  else await records.putRecord({ collection: COLLECTION, key, owner: row.owner, value: { consent } })
}

/** Returns the consent of a scope. A refusal for the scope or for the whole user takes precedence. */
export async function readConsent(records: Records, row: ScopeRow): Promise<Consent> {
  const keys = [keyOf(row, true), keyOf(row, false)]
  const found = await Promise.all(keys.map((key) => records.getRecord(COLLECTION, key)))
  const said = found.map((record) => record?.value['consent'])
  if (said.includes('refused')) return 'refused'
  return said.includes('given') ? 'given' : 'unasked'
}
