import { statSync } from 'node:fs'
import { Command } from 'commander'
import { withDatabase, type CommonOptions } from '../common-options.ts'
import { examples } from '../examples-help.ts'
import type { Io } from '../io.ts'
import { withExisting } from '../open-database.ts'
import { formatBytes } from '../output/format-quantity.ts'
import { print, printJson } from '../output/print.ts'

export function backupCommand(io: Io): Command {
  const command = new Command('backup')
    .summary('a consistent copy of the database, while in use')
    .description('Copies the whole database consistently into a new file, while it is in use.')
    .argument('<file>', 'a file that does not exist yet')
    .addHelpText(
      'after',
      examples('keepsake backup backup.db', 'keepsake backup /backups/monday.db --db memory.db --json'),
    )
  return withDatabase(command, io).action(async (file: string, options: CommonOptions) => {
    await withExisting(options, (memory) => memory.backup(file))
    const { size } = statSync(file)
    if (options.json === true) printJson(io, { file, bytes: size })
    else print(io, `Copied ${options.db} to ${file} (${formatBytes(size)}).`)
  })
}
