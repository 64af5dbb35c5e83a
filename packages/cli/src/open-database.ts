import { existsSync, rmSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { PresetName } from '@keepsake/papers'
import type { Keepsake, OpenOptions, ScopedMemory, ScopeRow } from 'keepsake'
import type { Store } from 'keepsake/store'
import { given } from '@keepsake/text/names'
import { notFound, wrongUsage } from './cli-error.ts'
import { loadLibsql, loadPostgres } from './load-package.ts'
import type { DatabaseOptions, ScopeOptions } from './shared-options.ts'

type Work<Result> = (memory: Keepsake) => Promise<Result>

/** Options of a memory besides file and preset: models, or a clock. */
type ExtraOptions = Omit<OpenOptions, 'path' | 'preset'>

type OpenOptionsByName = Omit<OpenOptions, 'preset'> & { readonly preset?: PresetName }

/** The name of the first user in a new database. */
const DEFAULT_USER = 'me'
/** Maximum of users that an error names. */
const MAX_SHOWN_USERS = 5

/** Opens a memory with a preset by name, including papers' presets. Loads the engine on demand, so that help and wrong usage stay fast. */
async function open({ preset, ...options }: OpenOptionsByName): Promise<Keepsake> {
  const [{ openMemory }, { PAPER_POLICIES, presetNamed }] = await Promise.all([
    import('keepsake'),
    import('@keepsake/papers'),
  ])
  const presetOption = preset === undefined ? {} : { preset: presetNamed(preset) }
  return openMemory({ policies: PAPER_POLICIES, actor: 'the command line', ...options, ...presetOption })
}

/** Opens an existing database for `work`, and always closes it. Never creates a file. */
export async function withExisting<Result>(
  options: DatabaseOptions,
  work: Work<Result>,
  more: ExtraOptions = {},
): Promise<Result> {
  if (isAddress(options.db)) return withServerStore(options, true, { work, more })
  if (!existsSync(options.db)) {
    throw notFound(
      `There is no database at ${options.db}. Set --db (or KEEPSAKE_DB), or create one with "keepsake import".`,
    )
  }
  return withOpened(options, work, more, true)
}

/** Like {@link withExisting}, but creates a missing file, for commands that write. */
export async function withOpened<Result>(
  options: DatabaseOptions,
  work: Work<Result>,
  more: ExtraOptions = {},
  canRead = false,
): Promise<Result> {
  const { db, preset, erasureLog } = options
  if (isAddress(db)) return withServerStore(options, false, { work, more })
  const folder = dirname(resolve(db))
  if (!existsSync(folder))
    throw notFound(`There is no folder ${folder}: create it first, or choose another --db.`)
  if (existsSync(db) && statSync(db).isDirectory()) throw wrongUsage(`${db} is a folder; --db takes a file.`)
  const settings = { path: db, ...given({ preset, erasureLog }), ...more }
  const memory = await open(settings).catch((error: unknown) => {
    // Reading commands work in a folder without write permission. The store refuses changes later.
    const isReadOnly = error instanceof Error && 'code' in error && error.code === 'store-read-only'
    if (isReadOnly && canRead) return open({ ...settings, readOnly: true })
    throw error
  })
  return runAndClose(memory, work)
}

async function runAndClose<Result>(memory: Keepsake, work: Work<Result>): Promise<Result> {
  try {
    return await work(memory)
  } finally {
    await memory.close()
  }
}

/** Opens a memory on a database server for `work`, and always closes it. */
async function withServerStore<Result>(
  { db, preset, erasureLog }: DatabaseOptions,
  mustExist: boolean,
  { work, more }: { readonly work: Work<Result>; readonly more: ExtraOptions },
): Promise<Result> {
  const { synchronous, ...otherOptions } = more
  if (synchronous === 'normal')
    throw wrongUsage(
      '--synchronous applies to files. A server has its own setting; that of Postgres is synchronous_commit.',
    )
  const store = await openStoreAt(db, mustExist)
  const memory = await open({ ...given({ preset, erasureLog }), ...otherOptions, store }).catch(
    async (error: unknown) => {
      await store.close()
      throw error
    },
  )
  return runAndClose(memory, work)
}

/** Removes a database file that a failed command created, with SQLite's side files. A database on a server stays. */
export function discardDatabase(db: string): void {
  if (isAddress(db)) return
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(`${db}${suffix}`, { force: true })
}

/** Returns the scope that the options name; without `--user`, the only user's scope. */
export async function chooseScope(memory: Keepsake, options: ScopeOptions): Promise<ScopedMemory> {
  const { agent, app } = options
  const { rows, user, tenant } = await chooseUser(memory, options)
  if (!rows.some((row) => matchesAgentAndApp(row, options))) {
    throw notFound(
      `${shownDb(options.db)} has no memories of ${user} for that agent or app. "keepsake scopes" lists the scopes.`,
    )
  }
  return memory.scope({ user, tenant, ...given({ agent, app }) })
}

/** Like {@link chooseScope}, but may create the user. The first user without a name is called `me`. */
export async function findOrCreateScope(memory: Keepsake, options: ScopeOptions): Promise<ScopedMemory> {
  const { user, tenant, agent, app } = options
  const hasOtherUsers = user === undefined && (await memory.scopes()).length > 0
  const chosen = hasOtherUsers ? await chooseUser(memory, options) : { user: user ?? DEFAULT_USER, tenant }
  return memory.scope({ user: chosen.user, ...given({ tenant: chosen.tenant, agent, app }) })
}

/** Whether a scope belongs to the agent and app that the options name. */
export function matchesAgentAndApp(
  row: ScopeRow,
  { agent, app }: Pick<ScopeOptions, 'agent' | 'app'>,
): boolean {
  return (agent === undefined || row.agent === agent) && (app === undefined || row.app === app)
}

/** Returns the only user that the options can mean, with all scopes of that user. */
async function chooseUser(
  memory: Keepsake,
  { db, user, tenant }: ScopeOptions,
): Promise<{ rows: readonly ScopeRow[]; user: string; tenant: string }> {
  // Reports an invalid id before searching for it.
  if (user !== undefined) memory.scope({ user, ...given({ tenant }) })
  const rows = await memory.scopes(given({ user, tenant }))
  const users = [...new Map(rows.map((row) => [JSON.stringify([row.tenant, row.user]), row])).values()]
  const [onlyUser] = users
  if (onlyUser === undefined) throw notFound(noUser(shownDb(db), user, tenant))
  if (users.length === 1) return { rows, user: onlyUser.user, tenant: onlyUser.tenant }
  const sorted = users.toSorted((a, b) => a.user.localeCompare(b.user, 'en'))
  const names = sorted.slice(0, MAX_SHOWN_USERS).map((row) => (user === undefined ? row.user : row.tenant))
  const choices = `${names.join(', ')}${users.length > MAX_SHOWN_USERS ? `, … (${users.length} in all)` : ''}`
  throw wrongUsage(
    user === undefined
      ? `${shownDb(db)} holds several users: choose one with --user (${choices}).`
      : `${shownDb(db)} has a user ${user} in several tenants: choose one with --tenant (${choices}).`,
  )
}

function noUser(db: string, user: string | undefined, tenant: string | undefined): string {
  const inTenant = tenant === undefined ? '' : ` in tenant ${tenant}`
  return user === undefined
    ? `${db} has no users${inTenant} yet. Import a conversation with "keepsake import".`
    : `${db} has no user ${user}${inTenant}. "keepsake scopes" lists the users.`
}

/** Whether `--db` names a database on a server. */
export function isAddress(db: string): boolean {
  return /^(postgres(ql)?|libsql):\/\//.test(db)
}

/** Returns the printable form of `--db`: an address without password and options. */
export function shownDb(db: string): string {
  if (!isAddress(db) || !URL.canParse(db)) return db
  const url = new URL(db)
  url.password = ''
  url.search = ''
  return url.href
}

/** Opens a store on a server. @param mustExist creates no tables, for commands that only read */
export async function openStoreAt(address: string, mustExist: boolean): Promise<Store> {
  if (address.startsWith('libsql:')) return (await loadLibsql()).openLibsqlStore({ url: address, mustExist })
  const { openPostgresStore } = await loadPostgres()
  return openPostgresStore({ connectionString: address, mustExist })
}
