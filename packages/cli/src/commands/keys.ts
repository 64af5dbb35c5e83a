import { existsSync } from 'node:fs'
import type { Action, KeyEntry, KeyStore } from '@keepsake/server'
import { Command } from 'commander'
import { notFound } from '../cli-error.ts'
import { defineCommand, type MakeCommand } from '../define-command.ts'
import { loadServer } from '../load-package.ts'
import { isAddress, openStoreAt } from '../open-database.ts'
import { formatMoment } from '../output/format-quantity.ts'
import { commandName, showTable } from '../output/print.ts'
import { nameUsers, printable } from '../output/style.ts'
import { oneOrMoreOf, wholeNumber } from '../read-values.ts'

const MAX_REQUESTS = 1_000_000_000
const MAX_DAYS = 36_500
const DAY_MS = 86_400_000
const ACTIONS: readonly Action[] = ['read', 'write', 'erase', 'admin']

export const keysCommand: MakeCommand = (io) =>
  new Command('keys')
    .summary('API keys of the server')
    .description(
      'Creates, lists, rotates and revokes the keys of "keepsake serve". The database stores them as hashes. A running server applies every change immediately.',
    )
    .addCommand(createCommand(io))
    .addCommand(listCommand(io))
    .addCommand(rotateCommand(io))
    .addCommand(revokeCommand(io))

const createCommand = defineCommand({
  name: 'create',
  description: 'Creates a key and prints it once. Without --tenant and --user it gives access to all users.',
  sharedOptions: ['db'],
  declare: (command) =>
    command
      .requiredOption('--name <text>', 'what the key is for')
      .option('--tenant <name>', 'limit the key to this tenant; may be repeated', appendValue)
      .option('--user <name>', 'limit the key to this user; may be repeated', appendValue)
      .option(
        '--action <list>',
        'allowed actions: read, write (remember, correct, forget), erase (permanently), admin (manage the server)',
        oneOrMoreOf<Action>(ACTIONS),
        ['read', 'write'] satisfies Action[],
      )
      .option(
        '--requests-per-minute <n>',
        'the key’s own limit, instead of the server’s',
        wholeNumber(1, MAX_REQUESTS),
      )
      .option(
        '--bytes-per-minute <n>',
        'bytes that the key may send, instead of the server’s limit',
        wholeNumber(1, MAX_REQUESTS),
      )
      .option(
        '--upstream-per-day <n>',
        'chats a day that the key may forward to the upstream, instead of the server’s limit',
        wholeNumber(0, MAX_REQUESTS),
      )
      .option('--expires-in-days <n>', 'when the key expires (default: never)', wholeNumber(1, MAX_DAYS)),
  examples: [
    'keepsake keys create --name "support bot" --tenant acme',
    'keepsake keys create --name prometheus --action admin',
    'keepsake keys create --name intern --action read --expires-in-days 90',
  ],
  async run({ options }) {
    const { tenant: tenants, user: users, action: actions, expiresInDays, ...limits } = options
    const expiresAt = expiresInDays === undefined ? null : Date.now() + expiresInDays * DAY_MS
    const { entry, key } = await withKeys(options, false, (keys) =>
      keys.create({ ...limits, tenants: tenants ?? null, users: users ?? null, actions, expiresAt }),
    )
    return {
      data: { ...entry, key },
      formatText: () => key,
      note: `Access: ${describeAccess(entry)}. Save the key now: it cannot be shown again.`,
    }
  },
})

const listCommand = defineCommand({
  name: 'list',
  description:
    'Lists the keys, including revoked ones, with their access and the time of their last use. The keys themselves are not shown.',
  sharedOptions: ['db'],
  json: 'one JSON object per line',
  examples: ['keepsake keys list', 'keepsake keys list --db memory.db --json'],
  async run({ io, options }) {
    const entries = await withKeys(options, true, (keys) => keys.list())
    const head = ['id', 'name', 'access', 'created', 'last used']
    const emptyText = `No keys yet. "${commandName(io)} keys create" creates one.`
    return showTable(entries, head, entries.map(row), emptyText)
  },
})

const rotateCommand = defineCommand({
  name: 'rotate',
  description:
    'Creates a key with the same access as another and prints it once. The old key keeps working for a day, so that programs can switch; "keepsake keys revoke" ends it now.',
  sharedOptions: ['db'],
  declare: (command) => command.argument('<id>', 'the old key’s id, as "keepsake keys list" shows it'),
  examples: ['keepsake keys rotate 3f9a12c07be4'],
  async run({ options }, idOrKey) {
    const id = idFromKey(idOrKey)
    const rotated = await withKeys(options, true, (keys) => keys.rotate(id, DAY_MS))
    if (rotated === null)
      throw notFound(`There is no active key with the id ${id}. "keepsake keys list" lists them.`)
    const { entry, key, old } = rotated
    return {
      data: { ...entry, key, old },
      formatText: () => key,
      note: `Access: ${describeAccess(entry)}. Save the key now: it cannot be shown again. ${old.id} expires ${formatMoment(old.expiresAt ?? 0)}.`,
    }
  },
})

/** Returns the id of a pasted key. Errors then show the id and not the secret. */
function idFromKey(idOrKey: string): string {
  return /^ks_([0-9a-f]+)_/.exec(idOrKey)?.[1] ?? idOrKey
}

const revokeCommand = defineCommand({
  name: 'revoke',
  description:
    'Revokes a key permanently. A running server refuses it from the next request on and ends its streams within a second.',
  sharedOptions: ['db'],
  declare: (command) => command.argument('<id>', 'the key’s id, as "keepsake keys list" shows it'),
  examples: ['keepsake keys revoke 3f9a12c07be4'],
  async run({ options }, idOrKey) {
    const id = idFromKey(idOrKey)
    const entry = await withKeys(options, true, (keys) => keys.revoke(id))
    if (entry === null) throw notFound(`There is no key with the id ${id}. "keepsake keys list" lists them.`)
    return { data: entry, formatText: () => `Revoked ${entry.id} (${printable(entry.name)}).` }
  },
})

function appendValue(value: string, before: string[] | undefined): string[] {
  return [...(before ?? []), value]
}

function row(entry: KeyEntry): string[] {
  const { id, name, createdAt, lastUsedAt, revokedAt, expiresAt } = entry
  const lastUse = lastUsedAt === null ? 'never' : formatMoment(lastUsedAt)
  const useAndExpiry = expiresAt === null ? lastUse : `${lastUse}, expires ${formatMoment(expiresAt)}`
  const state = revokedAt === null ? useAndExpiry : `revoked ${formatMoment(revokedAt)}`
  return [id, printable(name), describeAccess(entry), formatMoment(createdAt), state]
}

/** Describes what a key may do, and for whom: `read, write of acme / ana`. */
function describeAccess({ actions, tenants, users, requestsPerMinute }: KeyEntry): string {
  const rate = requestsPerMinute === null ? '' : `, ${requestsPerMinute} a minute`
  return `${actions.join(', ')} of ${nameUsers(tenants, users, 'all users')}${rate}`
}

/** Opens the keys of a database. Loads the server's code on demand, so that other commands start without it. */
async function withKeys<Result>(
  { db }: { readonly db: string },
  mustExist: boolean,
  work: (store: KeyStore) => Promise<Result>,
): Promise<Result> {
  if (mustExist && !isAddress(db) && !existsSync(db))
    throw notFound(`There is no file with keys at ${db}. "keepsake keys create" creates it, or set --db.`)
  const { KeyStore, openKeys } = await loadServer()
  const store = isAddress(db) ? await openStoreAt(db, mustExist) : null
  const { keys, close } =
    store === null ? await openKeys(db) : { keys: new KeyStore(store), close: () => store.close() }
  try {
    return await work(keys)
  } finally {
    await close()
  }
}
