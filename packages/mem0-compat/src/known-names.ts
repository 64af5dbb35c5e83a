import { NotFoundError, type NewRecord, type Records, type ScopeRow } from 'keepsake'
import type { Person } from './mem0-names.ts'

const IDS = 'mem0-ids'
const RUNS = 'mem0-runs'

/** Whose these memories are, so that an id alone finds them afterwards. Those that are known cost no write. */
export async function noteIds(records: Records, row: ScopeRow, ids: Iterable<string>): Promise<void> {
  const { tenant, user, owner } = row
  for (const key of ids) {
    if ((await records.record(IDS, key)) === null)
      await put(records, { collection: IDS, key, owner, value: { tenant, user } })
  }
}

/** Whose a memory is; `null` for an id that this door never gave out. */
export async function personOfId(records: Records, id: string): Promise<Person | null> {
  const known = await records.record(IDS, id)
  return known === null ? null : (known.value as unknown as Person)
}

/** That a caller named a run of a person. */
export async function noteRun(records: Records, row: ScopeRow, run: string): Promise<void> {
  const { tenant, user, owner } = row
  const key = keyOfRun(row, run)
  if ((await records.record(RUNS, key)) === null)
    await put(records, { collection: RUNS, key, owner, value: { tenant, user, run } })
}

/** The runs that callers named in a tenant, and whose they are. */
export async function runsOf(
  records: Records,
  tenant: string,
): Promise<readonly { readonly user: string; readonly run: string }[]> {
  const found = await records.records({ collection: RUNS, prefix: prefixOf(tenant) })
  return found.map(({ value }) => value as { readonly user: string; readonly run: string })
}

export async function forgetRun(records: Records, person: Person, run: string): Promise<void> {
  await records.removeRecord(RUNS, keyOfRun(person, run))
}

function prefixOf(tenant: string): string {
  return `${JSON.stringify(tenant)},`
}

function keyOfRun({ tenant, user }: Person, run: string): string {
  return `${prefixOf(tenant)}${JSON.stringify([user, run])}`
}

async function put(records: Records, record: NewRecord): Promise<void> {
  try {
    await records.putRecord({ ...record, flush: false })
  } catch (error) {
    // The person was erased meanwhile, and nothing of them is to be known.
    if (!(error instanceof NotFoundError)) throw error
  }
}
