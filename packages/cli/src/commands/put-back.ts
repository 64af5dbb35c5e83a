import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import type { EraseReceipt, Keepsake, MissedErasure, PutBack } from 'keepsake'
import prettyBytes from 'pretty-bytes'
import { notFound, wrongUsage } from '../cli-error.ts'
import { defineCommand } from '../define-command.ts'
import type { Io } from '../io.ts'
import { withExisting } from '../open-database.ts'
import { formatCount } from '../output/format-quantity.ts'
import type { Shown } from '../output/print.ts'
import { isAddress } from '../postgres-address.ts'
import { given } from '../given.ts'
import { ledgerOption } from '../shared-options.ts'
import { tellMissed, tellRepeated } from './erasures.ts'

/** What was erased since a backup, and what of it was erased again; `null` where that was not asked for. */
interface Heard {
  readonly missed: readonly MissedErasure[]
  readonly receipts: readonly EraseReceipt[] | null
}

/** `keepsake put-back`: a backup in the place of the database, and what was erased since. */
export const putBackCommand = defineCommand({
  name: 'put-back',
  summary: 'a backup in the place of the database',
  description:
    'Puts a backup in the place of the database file. It is copied and looked over first; the file that stood there is kept beside it, with all that it held (FILE.replaced-…): remove it when you need it no more. Refused while any process has the database open. Killed, it leaves the one or the other whole, and is begun again. Then it tells what was erased since the backup was made, and erases it again with --repeat, or if you say so on a terminal.',
  takes: ['db', 'preset'],
  declare: (command, { env }) =>
    command
      .argument('<backup>', 'the file of a backup; it is only read')
      .option('--repeat', 'erase again what was erased since; cannot be undone')
      .option('--stopped', 'nobody has the database open: asked for where the file is too damaged to tell')
      .addOption(ledgerOption(env)),
  examples: ['keepsake put-back backup.db', 'keepsake put-back /backups/monday.db --db memory.db --repeat'],
  async run({ io, options }, backup) {
    const { db, repeat = false, stopped = false } = options
    if (isAddress(db))
      throw wrongUsage(
        'A backup of a Postgres server is put back by its own means, such as pgBackRest: docs/operations.md. "keepsake erasures" tells afterwards what was erased since.',
      )
    if (!existsSync(backup)) throw notFound(`There is no backup at ${backup}.`)
    const { putBack } = await import('keepsake')
    const put = await putBack({ path: db, backup, isStopped: stopped })
    const heard = await withExisting(options, (memory) => hear(memory, io, repeat))
    return showPutBack(backup, put, heard)
  },
})

async function hear(memory: Keepsake, io: Io, repeat: boolean): Promise<Heard> {
  const missed = await memory.missedErasures()
  if (missed.length === 0) return { missed, receipts: null }
  const isMeant = repeat || (await confirm(io, missed.length))
  return { missed, receipts: isMeant ? await memory.repeatErasures() : null }
}

/** Off a terminal nobody is asked. */
async function confirm(io: Io, count: number): Promise<boolean> {
  if (io.stdin.isTTY !== true || io.stderr.isTTY !== true) return false
  const terminal = createInterface({ input: io.stdin, output: io.stderr })
  try {
    const asked = `${formatCount(count, 'erasure')} came after this backup. Make ${count === 1 ? 'it' : 'them'} again, for good? (yes/no) `
    return /^y(?:es)?$/i.test((await terminal.question(asked)).trim())
  } finally {
    terminal.close()
  }
}

function showPutBack(backup: string, { path, replaced, bytes }: PutBack, { missed, receipts }: Heard): Shown {
  return {
    data: { db: path, backup, replaced, bytes, missed, ...given({ receipts: receipts ?? undefined }) },
    words: (style) =>
      [
        `Put ${backup} in the place of ${path} (${prettyBytes(bytes)}).`,
        ...(replaced === null
          ? []
          : [
              `What stood there is kept as ${replaced}, with all that it held: remove it when you need it no more.`,
            ]),
        receipts === null ? tellMissed(missed, style) : tellRepeated(receipts),
        style.dim(
          'Keys of a server are those of the backup, revoked since or not: "keepsake keys list" shows them.',
        ),
      ].join('\n'),
  }
}
