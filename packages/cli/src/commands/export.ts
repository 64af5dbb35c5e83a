import { once } from 'node:events'
import { createWriteStream, existsSync } from 'node:fs'
import { Command } from 'commander'
import { wrongUsage } from '../cli-error.ts'
import { withScope, type ScopeOptions } from '../common-options.ts'
import { examples } from '../examples-help.ts'
import type { Io } from '../io.ts'
import { withExistingScope } from '../open-database.ts'

interface Options extends ScopeOptions {
  readonly out?: string
}

export function exportCommand(io: Io): Command {
  const command = new Command('export')
    .summary('everything about a person, as JSON lines')
    .description(
      'Everything about a person as JSON lines, which "keepsake import --format keepsake" reads back exactly.',
    )
    .option('--out <file>', 'write there, a file that does not exist yet, instead of to stdout')
    .addHelpText(
      'after',
      examples('keepsake export --user maya > maya.jsonl', 'keepsake export --user maya --out maya.jsonl'),
    )
  return withScope(command, io, 'the same lines (an export is JSON lines always)').action(
    async (options: Options) => {
      await withExistingScope(options, (scope) => writeLines(io, scope.export(), options.out))
    },
  )
}

async function writeLines(io: Io, lines: AsyncIterable<string>, file: string | undefined): Promise<void> {
  if (file !== undefined && existsSync(file))
    throw wrongUsage(`${file} exists already; an export goes into a new file.`)
  const target = file === undefined ? io.stdout : createWriteStream(file, { flags: 'wx', mode: 0o600 })
  if (file !== undefined) await once(target, 'open')
  for await (const line of lines) {
    if (!target.write(`${line}\n`)) await once(target, 'drain')
  }
  if (file === undefined) return
  target.end()
  await once(target, 'finish')
}
