// Finds, creates and lists scopes and their users.
import type { ExpressionBuilder, Kysely, SelectQueryBuilder } from 'kysely'
import { NotFoundError } from '../../errors/errors.ts'
import type { ScopeRow, StoredScopeKey } from '../../scopes/scope.ts'
import type { ScopeFilter, ScopeProgress } from '../store.ts'
import type { Transaction } from './sql-database.ts'
import { insertRows, statement } from './statements.ts'
import type { Tables } from './tables.ts'

/** Selects scopes of users who are not erased, so that the names of the user are present. */
function selectScopes(db: Kysely<Tables>) {
  return db
    .selectFrom('users as u')
    .innerJoin('scopes as s', 's.user_id', 'u.user_id')
    .select(['u.user_id as owner', 's.scope_id as scope', 'u.tenant', 'u.name as user', 's.agent', 's.app'])
    .where('s.is_erased', '=', 0)
    .$narrowType<{ tenant: string; user: string }>()
}

const selectByName = statement((db, { tenant, user }: { tenant: string; user: string }) =>
  selectScopes(db).where('u.tenant', '=', tenant).where('u.name', '=', user).orderBy('s.scope_id'),
)

export async function findScope(tx: Transaction, key: StoredScopeKey): Promise<ScopeRow | null> {
  const rows = await selectByName(tx, { tenant: key.tenant, user: key.user })
  return rows.find(({ agent, app }) => agent === key.agent && app === key.app) ?? null
}

const addRevision = (eb: ExpressionBuilder<Tables, 'users'>) => ({ revision: eb('revision', '+', 1) })

/** Creates a scope, and its user when missing. */
export async function createScope(tx: Transaction, key: StoredScopeKey): Promise<ScopeRow> {
  const { tenant, user, agent, app } = key
  const conflict = { keys: ['tenant', 'name'], set: [] }
  await insertRows(tx, 'users', [{ tenant, name: user }], conflict)
  const { db, database } = tx
  let select = db.selectFrom('users').select('user_id').where('tenant', '=', tenant).where('name', '=', user)
  // If two processes create the same scope, the second waits here and finds it.
  if (database.hasRowLocks) select = select.forUpdate()
  const { user_id } = await select.executeTakeFirstOrThrow()
  const rows = await selectByName(tx, { tenant, user })
  const known = rows.find((row) => row.agent === agent && row.app === app)
  if (known !== undefined) return known
  // Caches of the user load their scopes again.
  if (rows.length > 0) await db.updateTable('users').set(addRevision).where('user_id', '=', user_id).execute()
  const row = { user_id, agent, app }
  const { scope_id: scope } = await db
    .insertInto('scopes')
    .values(row)
    .returning('scope_id')
    .executeTakeFirstOrThrow()
  return { owner: user_id, scope, tenant, user, agent, app }
}

const selectOfUser = statement((db, { userId }: { userId: number }) =>
  selectScopes(db).where('u.user_id', '=', userId).orderBy('s.scope_id'),
)

export async function listScopes(tx: Transaction, filter: ScopeFilter = {}): Promise<ScopeRow[]> {
  const { tenant, user, owner, after, limit } = filter
  const paging = [owner, after, limit]
  if (tenant !== undefined && user !== undefined && paging.every((value) => value === undefined))
    // Each recall makes this call, so it uses the compiled statement.
    return selectByName(tx, { tenant, user })
  if (owner !== undefined && [tenant, user, after, limit].every((value) => value === undefined))
    return selectOfUser(tx, { userId: owner })
  return selectScopes(tx.db)
    .$if(tenant !== undefined, (query) => query.where('u.tenant', '=', tenant ?? ''))
    .$if(user !== undefined, (query) => query.where('u.name', '=', user ?? ''))
    .$if(owner !== undefined, (query) => query.where('u.user_id', '=', owner ?? 0))
    .$if(after !== undefined, (query) => query.where('s.scope_id', '>', after ?? 0))
    .$if(limit !== undefined, (query) => query.limit(limit ?? 0))
    .orderBy('s.scope_id')
    .execute()
}

const selectProgress = statement((db, { userId }: { userId: number }) =>
  db
    .selectFrom('progress')
    .select(['scope_id', 'branch', 'position'])
    .where('user_id', '=', userId)
    .orderBy('scope_id')
    .orderBy('branch'),
)

const selectWithPosition = statement((db, { userId }: { userId: number }) =>
  selectScopes(db)
    .select('s.last_position as lastPosition')
    .where('u.user_id', '=', userId)
    .orderBy('s.scope_id'),
)

export async function loadScopes(tx: Transaction, userId: number): Promise<ScopeProgress[]> {
  const scopes = await selectWithPosition(tx, { userId })
  const progress = await selectProgress(tx, { userId })
  return scopes.map((row) => {
    const ofScope = progress.filter(({ scope_id }) => scope_id === row.scope)
    const branches = Object.fromEntries(ofScope.map(({ branch, position }) => [branch, position]))
    return { ...row, branches }
  })
}

/** The revisions of a user, and the sequence of the last operation. */
export interface UserCounters {
  readonly revision: number
  readonly factRevision: number
  readonly erasedRevision: number
  readonly sequence: number
}

const COUNTER_COLUMNS = [
  'revision',
  'fact_revision as factRevision',
  'erased_revision as erasedRevision',
  'sequence',
] as const

const selectCounters = statement((db, { userId }: { userId: number }) =>
  db.selectFrom('users').select(COUNTER_COLUMNS).where('user_id', '=', userId),
)

/** @throws NotFoundError for an unknown user. */
export async function readCounters(tx: Transaction, userId: number): Promise<UserCounters> {
  const [counters] = await selectCounters(tx, { userId })
  if (counters === undefined) throw new NotFoundError('scope', userId)
  return counters
}

const selectForChange = statement(
  (db, { userId, scope }: { userId: number; scope: number }, { hasRowLocks }) => {
    const query = db
      .selectFrom('users as u')
      .innerJoin('scopes as s', 's.user_id', 'u.user_id')
      .select([...COUNTER_COLUMNS, 's.last_position as lastPosition', 's.last_session as lastSession'])
      .where('s.user_id', '=', userId)
      .where('s.scope_id', '=', scope)
      .where('s.is_erased', '=', 0)
    return hasRowLocks ? lockRows(query) : query
  },
)

function lockRows<Output>(
  query: SelectQueryBuilder<Tables & { u: Tables['users']; s: Tables['scopes'] }, 'u' | 's', Output>,
): typeof query {
  return query.forUpdate()
}

/** Locks a user's scope until the transaction ends. @throws NotFoundError if the user has no such scope */
export async function lockScope(
  tx: Transaction,
  userId: number,
  scope: number,
): Promise<UserCounters & { readonly lastPosition: number; readonly lastSession: number }> {
  const [found] = await selectForChange(tx, { userId, scope })
  if (found === undefined) throw new NotFoundError('scope', scope)
  return found
}

const updateCounters = statement(
  (db, row: { userId: number; revision: number; factRevision: number; sequence: number }) =>
    db
      .updateTable('users')
      .set({ revision: row.revision, fact_revision: row.factRevision, sequence: row.sequence })
      .where('user_id', '=', row.userId),
)

/** Raises both revisions of a user, and the sequence by the number of new operations. @returns the new revision */
export async function raiseRevision(
  tx: Transaction,
  userId: number,
  counters: UserCounters,
  operations = 0,
): Promise<number> {
  const revision = counters.revision + 1
  const sequence = counters.sequence + operations
  await updateCounters(tx, { userId, revision, factRevision: revision, sequence })
  return revision
}

/** Locks a user until the transaction ends, and reads the counters. */
export async function lockUser(tx: Transaction, userId: number): Promise<UserCounters> {
  if (tx.database.hasRowLocks)
    await tx.db.selectFrom('users').select('user_id').where('user_id', '=', userId).forUpdate().execute()
  return readCounters(tx, userId)
}
