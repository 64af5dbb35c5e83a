import { existsSync } from 'node:fs'
import type { EraseReceipt, Keepsake, UnappliedErasure } from 'keepsake'
import type { RestoredBackup } from 'keepsake/store'
import prettyBytes from 'pretty-bytes'
import { given } from '@keepsake/text/names'
import { notFound, wrongUsage } from '../cli-error.ts'
import { describeMissed, describeRepeated } from './erasures.ts'
import { defineCommand } from '../define-command.ts'
import { askOnTerminal, type Io } from '../io.ts'
import { isAddress, withExisting } from '../open-database.ts'
import { formatCount } from '../output/format-quantity.ts'
import type { Shown } from '../output/print.ts'
import { erasureLogOption } from '../shared-options.ts'

/** Erasures after the backup, and the repeated ones; `null` if no repetition was requested. */
interface Heard {
  readonly missed: readonly UnappliedErasure[]
  readonly receipts: readonly EraseReceipt[] | null
}

/** `keepsake restore-backup`: replaces the database by a backup and lists later erasures. */
export const restoreBackupCommand = defineCommand({
  name: 'restore-backup',
  summary: 'restore a backup',
  description:
    'Replaces the database file by a backup. The backup is copied and checked first. The old file is kept as FILE.replaced-…, with all its data; remove it when you no longer need it. The command refuses to run while a process has the database open. If it is killed, one of the two files is complete; run it again. It then lists erasures since the backup and applies them again with --repeat, or if you agree on a terminal.',
  sharedOptions: ['db', 'preset'],
  declare: (command, { env }) =>
    command
      .argument('<backup>', 'the backup file; it is only read')
      .option('--repeat', 'apply erasures since the backup again; cannot be undone')
      .option(
        '--stopped',
        'confirm that no process has the database open, if the file is too damaged to check',
      )
      .addOption(erasureLogOption(env)),
  examples: [
    'keepsake restore-backup backup.db',
    'keepsake restore-backup /backups/monday.db --db memory.db --repeat',
  ],
  async run({ io, options }, backup) {
    const { db, repeat = false, stopped = false } = options
    if (isAddress(db))
      throw wrongUsage(
        'Restore a Postgres server with its own tools, such as pgBackRest (docs/operations.md). Then "keepsake erasures" lists what was erased since.',
      )
    if (!existsSync(backup)) throw notFound(`There is no backup at ${backup}.`)
    const { restoreBackup } = await import('keepsake/store')
    const put = await restoreBackup({ path: db, backup, isStopped: stopped })
    const heard = await withExisting(options, (memory) => hear(memory, io, repeat))
    return showPutBack(backup, put, heard)
  },
})

async function hear(memory: Keepsake, io: Io, repeat: boolean): Promise<Heard> {
  const missed = await memory.erasuresSinceBackup()
  if (missed.length === 0) return { missed, receipts: null }
  const isMeant = repeat || (await confirm(io, missed.length))
  return { missed, receipts: isMeant ? await memory.reapplyErasures() : null }
}

/** Asks only on a terminal. */
async function confirm(io: Io, count: number): Promise<boolean> {
  const question = `${formatCount(count, 'erasure')} happened after this backup. Apply ${count === 1 ? 'it' : 'them'} again, permanently? (yes/no) `
  return /^y(?:es)?$/i.test((await askOnTerminal(io, question)) ?? '')
}

function showPutBack(
  backup: string,
  { path, replaced, bytes }: RestoredBackup,
  { missed, receipts }: Heard,
): Shown {
  return {
    data: { db: path, backup, replaced, bytes, missed, ...given({ receipts: receipts ?? undefined }) },
    formatText: (style) =>
      [
        `Restored ${path} from ${backup} (${prettyBytes(bytes)}).`,
        ...(replaced === null
          ? []
          : [
              `The old file is kept as ${replaced}, with all its data. Remove it when you no longer need it.`,
            ]),
        receipts === null ? describeMissed(missed, style) : describeRepeated(receipts),
        style.dim(
          'The server’s keys are those of the backup, even if they were revoked since: see "keepsake keys list".',
        ),
      ].join('\n'),
  }
}
