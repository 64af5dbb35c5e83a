import { existsSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { openMemory, type Keepsake, type OpenOptions, type ScopedMemory } from 'keepsake'
import { notFound, wrongUsage } from './cli-error.ts'
import type { CommonOptions, ScopeOptions } from './common-options.ts'

type Work<Result> = (memory: Keepsake) => Promise<Result>

/** What a memory is opened with besides file and preset: models, or a clock. */
type MoreOptions = Omit<OpenOptions, 'path' | 'preset'>

/** Opens a database that is there, hands it to `work`, and closes it whatever happens. Never makes a file. */
export async function withExisting<Result>(
  options: CommonOptions,
  work: Work<Result>,
  more: MoreOptions = {},
): Promise<Result> {
  if (!existsSync(options.db)) {
    throw notFound(
      `There is no database at ${options.db}. Name one with --db (or KEEPSAKE_DB), or make one with "keepsake import".`,
    )
  }
  return withOpened(options, work, more)
}

/** Like {@link withExisting}, but makes the file when it is missing. For commands whose purpose is to write. */
export async function withOpened<Result>(
  options: CommonOptions,
  work: Work<Result>,
  more: MoreOptions = {},
): Promise<Result> {
  const folder = dirname(resolve(options.db))
  if (!existsSync(folder))
    throw notFound(`There is no folder ${folder}: make it first, or choose another --db.`)
  if (existsSync(options.db) && statSync(options.db).isDirectory()) {
    throw wrongUsage(`${options.db} is a folder; --db takes a file.`)
  }
  const { preset } = options
  const memory = await openMemory({ path: options.db, ...(preset === undefined ? {} : { preset }), ...more })
  try {
    return await work(memory)
  } finally {
    await memory.close()
  }
}

/** Opens an existing database and the scope that the options name. */
export async function withExistingScope<Result>(
  options: ScopeOptions,
  work: (scope: ScopedMemory, memory: Keepsake) => Promise<Result>,
  more: MoreOptions = {},
): Promise<Result> {
  return withExisting(options, async (memory) => work(await chooseScope(memory, options), memory), more)
}

/** The scope that the options name; without `--user`, the only person's there is. */
export async function chooseScope(memory: Keepsake, options: ScopeOptions): Promise<ScopedMemory> {
  const { user, tenant, agent, app } = options
  const rows = await memory.scopes({
    ...(tenant === undefined ? {} : { tenant }),
    ...(user === undefined ? {} : { user }),
  })
  const people = new Map(rows.map((row) => [JSON.stringify([row.tenant, row.user]), row]))
  const [only] = people.values()
  if (only === undefined) throw nobody(options)
  if (people.size > 1) {
    throw several(
      options,
      [...people.values()].toSorted((one, other) => one.user.localeCompare(other.user, 'en')),
    )
  }
  const known = rows.filter(
    (row) => (agent === undefined || row.agent === agent) && (app === undefined || row.app === app),
  )
  if (known.length === 0) {
    throw notFound(
      `${options.db} has nothing of ${only.user} for that agent or app. "keepsake scopes" lists what there is.`,
    )
  }
  return memory.scope({
    user: only.user,
    tenant: only.tenant,
    ...(agent === undefined ? {} : { agent }),
    ...(app === undefined ? {} : { app }),
  })
}

function nobody({ db, user, tenant }: ScopeOptions): Error {
  const inTenant = tenant === undefined ? '' : ` in tenant ${tenant}`
  if (user === undefined)
    return notFound(`${db} holds nobody's memories${inTenant} yet. Fill it with "keepsake import".`)
  return notFound(`${db} knows no user ${user}${inTenant}. "keepsake scopes" lists who is there.`)
}

function several({ db, user }: ScopeOptions, people: readonly { user: string; tenant: string }[]): Error {
  const some = people.slice(0, 5)
  const more = people.length > some.length ? `, … (${people.length} in all)` : ''
  if (user !== undefined) {
    return wrongUsage(
      `${db} has a ${user} in several tenants: choose one with --tenant (${some.map((one) => one.tenant).join(', ')}${more}).`,
    )
  }
  return wrongUsage(
    `${db} holds several people: choose one with --user (${some.map((one) => one.user).join(', ')}${more}).`,
  )
}
