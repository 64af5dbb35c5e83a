import { existsSync } from 'node:fs'
import type { UnappliedErasure } from 'keepsake'
import type { RestoredBackup } from 'keepsake/store'
import prettyBytes from 'pretty-bytes'
import { notFound, wrongUsage } from '../cli-error.ts'
import { describeMissed } from './erasures.ts'
import { defineCommand } from '../define-command.ts'
import { isAddress, withExisting } from '../open-database.ts'
import type { Shown } from '../output/print.ts'
import { erasureLogOption } from '../shared-options.ts'

/** `keepsake restore-backup`: replaces the database by a backup and lists later erasures. */
export const restoreBackupCommand = defineCommand({
  name: 'restore-backup',
  summary: 'restore a backup',
  description:
    'Replaces the database file by a backup. The backup is copied and checked first. The old file is kept as FILE.replaced-…, with all its data; remove it when you no longer need it. The command refuses to run while a process has the database open. If it is killed, one of the two files is complete; run it again. It then lists the erasures since the backup: "keepsake erasures --repeat" applies them again.',
  sharedOptions: ['db', 'preset'],
  declare: (command, { env }) =>
    command
      .argument('<backup>', 'the backup file; it is only read')
      .option(
        '--stopped',
        'confirm that no process has the database open, if the file is too damaged to check',
      )
      .addOption(erasureLogOption(env)),
  examples: [
    'keepsake restore-backup backup.db',
    'keepsake restore-backup /backups/monday.db --db memory.db',
  ],
  async run({ options }, backup) {
    const { db, stopped = false } = options
    if (isAddress(db))
      throw wrongUsage(
        'Restore a Postgres server with its own tools, such as pgBackRest (docs/operations.md). Then "keepsake erasures" lists what was erased since.',
      )
    if (!existsSync(backup)) throw notFound(`There is no backup at ${backup}.`)
    const { restoreBackup } = await import('keepsake/store')
    const restored = await restoreBackup({ path: db, backup, isStopped: stopped })
    const missed = await withExisting(options, (memory) => memory.erasuresSinceBackup())
    return showRestored(backup, restored, missed)
  },
})

function showRestored(
  backup: string,
  { path, replaced, bytes }: RestoredBackup,
  missed: readonly UnappliedErasure[],
): Shown {
  return {
    data: { db: path, backup, replaced, bytes, missed },
    formatText: (style) =>
      [
        `Restored ${path} from ${backup} (${prettyBytes(bytes)}).`,
        ...(replaced === null
          ? []
          : [
              `The old file is kept as ${replaced}, with all its data. Remove it when you no longer need it.`,
            ]),
        describeMissed(missed, style),
        style.dim(
          'The server’s keys are those of the backup, even if they were revoked since: see "keepsake keys list".',
        ),
      ].join('\n'),
  }
}
