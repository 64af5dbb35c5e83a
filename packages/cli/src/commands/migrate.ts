import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Store, Migrated } from 'keepsake/store'
import { notFound, wrongUsage } from '../cli-error.ts'
import { defineCommand } from '../define-command.ts'
import { loadServer } from '../load-package.ts'
import { isAddress, openStoreAt, shownDb } from '../open-database.ts'
import { formatCount } from '../output/format-quantity.ts'
import type { Shown } from '../output/print.ts'
import { progressFor } from '../output/progress.ts'

/** Collections of records that are copied too: those of a server's keys, its protocols, and training. */
const COLLECTIONS = [
  'keys',
  'mem0-ids',
  'mem0-projects',
  'mem0-runs',
  'training-consent',
  'webhooks',
  'webhook-health',
] as const
/** Maximum of named users that changed during a migration. */
const MAX_NAMES = 5

export const migrateCommand = defineCommand({
  name: 'migrate',
  summary: 'copy all memories to another store',
  description:
    'Copies all users from one store to another (a file or a Postgres server) and compares each user by counts and hashes. The source is only read. If it is interrupted, run the same command again to continue. Stop the server first: users that change meanwhile are listed at the end and keep their earlier state in the target.',
  sharedOptions: [],
  declare: (command) =>
    command
      .argument('<from>', 'a database file, or postgres://…')
      .argument('<to>', 'an empty database, or the target of an interrupted run'),
  examples: [
    'keepsake migrate memory.db postgres://keepsake@localhost/memories',
    'keepsake migrate postgres://keepsake@localhost/memories memory.db',
  ],
  async run({ io, options: { json = false } }, from, to) {
    const [source, target] = [nameOf(from), nameOf(to)]
    if (source === target) throw wrongUsage('Source and target are the same.')
    const [{ MOVE_WEBHOOKS }, { migrateStore }] = await Promise.all([loadServer(), import('keepsake/store')])
    const reading = await openSource(from)
    try {
      const writing = await openTarget(to)
      const progress = progressFor(io, json)
      try {
        progress.start(`Copying users of ${source}`, null)
        const migrated = await migrateStore({
          from: reading,
          to: writing,
          source,
          collections: COLLECTIONS,
          numbered: MOVE_WEBHOOKS,
          onProgress: (users) => progress.set(users),
        })
        return showMigrated(migrated, shownDb(to))
      } finally {
        progress.stop()
        await writing.close()
      }
    } finally {
      await reading.close()
    }
  },
})

/** Returns a form of the address that can be compared, without a password. */
function nameOf(db: string): string {
  return isAddress(db) ? shownDb(db) : resolve(db)
}

async function openSource(from: string): Promise<Store> {
  if (isAddress(from)) return openStoreAt(from, true)
  if (!existsSync(from)) throw notFound(`There is no database at ${from}.`)
  const { openSqliteStore } = await import('keepsake')
  return openSqliteStore({ path: from, readOnly: true })
}

async function openTarget(to: string): Promise<Store> {
  if (isAddress(to)) return openStoreAt(to, false)
  if (!existsSync(dirname(resolve(to))))
    throw notFound(`There is no folder ${dirname(resolve(to))}: create it first.`)
  const { openSqliteStore } = await import('keepsake')
  return openSqliteStore({ path: to })
}

function showMigrated(migrated: Migrated, to: string): Shown {
  const { people, before: copiedBefore, rows, records, left: notCopied, changed } = migrated
  const earlier = copiedBefore === 0 ? '' : `, ${copiedBefore} of them by an earlier run`
  return {
    data: migrated,
    formatText: ({ warn }) =>
      [
        `${to} now contains everything: ${formatCount(people, 'user')}${earlier}, ${formatCount(rows, 'row')} and ${formatCount(records, 'record')}. Each was compared.`,
        ...(notCopied === 0
          ? []
          : [
              warn(
                `${formatCount(notCopied, 'record')} of webhooks were not copied, because their users were erased meanwhile. The new store does not send undelivered events about them.`,
              ),
            ]),
        ...(changed.length === 0
          ? []
          : [
              warn(
                `These users changed in the source meanwhile; the target has their earlier state: ${namesOf(changed)}.`,
              ),
            ]),
      ].join('\n'),
  }
}

function namesOf(changed: readonly string[]): string {
  const more = changed.length - MAX_NAMES
  return `${changed.slice(0, MAX_NAMES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
