import { existsSync } from 'node:fs'
import type { Action, KeyEntry, KeyStore } from '@keepsake/server'
import { Command } from 'commander'
import { notFound } from '../cli-error.ts'
import { dbOption, debugOption, jsonOption, oneOrMoreOf, wholeNumber } from '../common-options.ts'
import { examples } from '../examples-help.ts'
import type { Io } from '../io.ts'
import { loadServer } from '../load-package.ts'
import { formatMoment } from '../output/format-quantity.ts'
import { print, printJson, table } from '../output/print.ts'
import { printable, styleFor } from '../output/style.ts'

interface Options {
  readonly db: string
  readonly keys?: string
  readonly json?: boolean
}

interface NewKeyOptions extends Options {
  readonly name: string
  readonly tenant?: string[]
  readonly user?: string[]
  readonly action: Action[]
  readonly requestsPerMinute?: number
}

const MOST_REQUESTS = 1_000_000_000
const ACTIONS = ['read', 'write', 'erase', 'admin'] as const satisfies readonly Action[]

/** `keepsake keys`: who may ask a server. */
export function keysCommand(io: Io): Command {
  return new Command('keys')
    .summary('who may ask a server')
    .description(
      'Makes, lists and revokes the keys of "keepsake serve". They stand in the database, as hashes; a running server heeds every change at once.',
    )
    .addCommand(createCommand(io))
    .addCommand(listCommand(io))
    .addCommand(revokeCommand(io))
}

function createCommand(io: Io): Command {
  const command = new Command('create')
    .description(
      'Makes a key and prints it, this once. Without --tenant and --user it opens everybody’s memory.',
    )
    .requiredOption('--name <text>', 'what the key is for')
    .option('--tenant <name>', 'open this tenant alone; can be given several times', collect)
    .option('--user <name>', 'open this user alone; can be given several times', collect)
    .option(
      '--action <list>',
      'what it may do: read, write (remember, correct, delete), erase (for good), admin (everything about the server)',
      oneOrMoreOf(ACTIONS),
      ['read', 'write'],
    )
    .option(
      '--requests-per-minute <n>',
      'its own limit, instead of the server’s',
      wholeNumber(1, MOST_REQUESTS),
    )
    .addHelpText(
      'after',
      examples(
        'keepsake keys create --name "support bot" --tenant acme',
        'keepsake keys create --name prometheus --action admin',
      ),
    )
  return withKeysFile(command, io).action((options: NewKeyOptions) => create(io, options))
}

function listCommand(io: Io): Command {
  const command = new Command('list').description(
    'Lists the keys, revoked ones too: what each opens and when it was last used. Not the keys themselves.',
  )
  return withKeysFile(command, io, 'one JSON object a key, a line each').action((options: Options) =>
    list(io, options),
  )
}

function revokeCommand(io: Io): Command {
  const command = new Command('revoke')
    .description('Closes a key for good. A running server refuses it from the next request on.')
    .argument('<id>', 'the key’s id, as "keepsake keys list" shows it')
    .addHelpText('after', examples('keepsake keys revoke 3f9a12c07be4'))
  return withKeysFile(command, io).action((id: string, options: Options) => revoke(io, id, options))
}

function withKeysFile(command: Command, io: Io, json?: string): Command {
  return command
    .addOption(dbOption(io))
    .option('--keys <file>', 'a file of their own for the keys (default: the database)')
    .addOption(jsonOption(json))
    .addOption(debugOption())
}

function collect(value: string, before: string[] | undefined): string[] {
  return [...(before ?? []), value]
}

async function create(io: Io, options: NewKeyOptions): Promise<void> {
  const { entry, key } = await withKeys(options, false, (keys) =>
    keys.create({
      name: options.name,
      tenants: options.tenant ?? null,
      users: options.user ?? null,
      actions: options.action,
      requestsPerMinute: options.requestsPerMinute ?? null,
    }),
  )
  if (options.json === true) {
    printJson(io, { ...entry, key })
    return
  }
  const { dim } = styleFor(io)
  print(io, key, dim(`${opens(entry)}. Keep it now: it cannot be shown again.`))
}

async function list(io: Io, options: Options): Promise<void> {
  const entries = await withKeys(options, true, (keys) => keys.list())
  if (options.json === true) {
    for (const entry of entries) printJson(io, entry)
    return
  }
  const { dim } = styleFor(io)
  if (entries.length === 0) print(io, dim('No keys yet. "keepsake keys create" makes one.'))
  else print(io, table(['id', 'name', 'opens', 'made', 'last used'].map(dim), entries.map(row)))
}

function row(entry: KeyEntry): string[] {
  const { id, name, createdAt, lastUsedAt, revokedAt } = entry
  const used = lastUsedAt === null ? 'never' : formatMoment(lastUsedAt)
  return [
    id,
    printable(name),
    opens(entry),
    formatMoment(createdAt),
    revokedAt === null ? used : `revoked ${formatMoment(revokedAt)}`,
  ]
}

/** `read, write of acme / ana`. */
function opens({ actions, tenants, users, requestsPerMinute }: KeyEntry): string {
  const names = (of: readonly string[] | null, all: string): string =>
    of === null ? all : of.map(printable).join(', ')
  const whose =
    tenants === null && users === null
      ? 'everybody'
      : `${names(tenants, 'every tenant')} / ${names(users, 'every user')}`
  const rate = requestsPerMinute === null ? '' : `, ${requestsPerMinute} a minute`
  return `${actions.join(', ')} of ${whose}${rate}`
}

async function revoke(io: Io, id: string, options: Options): Promise<void> {
  const entry = await withKeys(options, true, (keys) => keys.revoke(idOf(id)))
  if (entry === null)
    throw notFound(`There is no key with the id ${idOf(id)}. "keepsake keys list" shows them.`)
  if (options.json === true) printJson(io, entry)
  else print(io, `Revoked ${entry.id} (${printable(entry.name)}).`)
}

/** Whoever pastes the whole key means its id, and should not see the secret repeated. */
function idOf(given: string): string {
  return /^ks_([0-9a-f]+)_/.exec(given)?.[1] ?? given
}

/** The server's code is loaded when it is asked for: other commands start without it. */
async function withKeys<Result>(
  { db, keys }: Options,
  mustExist: boolean,
  work: (store: KeyStore) => Promise<Result>,
): Promise<Result> {
  const { openKeys } = await loadServer()
  const path = keys ?? db
  if (mustExist && !existsSync(path))
    throw notFound(
      `There is no file with keys at ${path}. "keepsake keys create" makes it, or name one with --db or --keys.`,
    )
  const opened = await openKeys(path, { mustExist })
  try {
    return await work(opened.keys)
  } finally {
    await opened.close()
  }
}
