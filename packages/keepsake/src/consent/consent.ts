// Records whether users consent to training on their data.
import type { ScopeRow } from '../scopes/scope.ts'
import type { Records } from '../store/store.ts'
import { InvalidInputError, describeValue } from '@keepsake/text'

/** Whether a user consents to training on their data (`keepsake train export`). `unasked`: nothing is recorded. */
export type Consent = (typeof CONSENTS)[number]
/** All values of {@link Consent}. */
export const CONSENTS = ['given', 'refused', 'unasked'] as const

const COLLECTION = 'training-consent'

/** Returns the key of the record for a whole user or for one scope. */
function keyOf({ owner, scope }: ScopeRow, isWhole: boolean): string {
  return isWhole ? `person/${owner}` : `scope/${scope}`
}

/** The scope or user that a consent applies to. */
export interface ConsentPlace {
  readonly row: ScopeRow
  /** Applies to all of the user's scopes, future ones included. */
  readonly isWhole: boolean
}

/** Records a consent in place of an earlier one; `unasked` removes it. */
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
  const answers = found.map((record) => record?.value['consent'])
  if (answers.includes('refused')) return 'refused'
  return answers.includes('given') ? 'given' : 'unasked'
}
