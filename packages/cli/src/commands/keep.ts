import { createWriteStream, existsSync, statSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { Option } from '@commander-js/extra-typings'
import prettyBytes from 'pretty-bytes'
import { wrongUsage } from '../cli-error.ts'
import { databaseCommand, scopeCommand } from '../define-command.ts'
import { EXPORT_FORMATS, exportAs } from '../exporting/export-formats.ts'
import { given } from '../given.ts'
import { table } from '../output/print.ts'
import { printable } from '../output/style.ts'
import { tenantOption } from '../shared-options.ts'

export const exportCommand = scopeCommand({
  name: 'export',
  summary: 'everything about a person, as JSON lines',
  description:
    'Everything about a person as JSON lines, which "keepsake import" reads back exactly; or for others, the conversations as OpenAI\'s messages (a session a line), or the memories as a list such as Mem0\'s.',
  declare: (command) =>
    command
      .option('--out <file>', 'write there, a file that does not exist yet, instead of to stdout')
      .addOption(
        new Option('--format <name>', 'for whom it is written')
          .choices(EXPORT_FORMATS)
          .default('keepsake' as const),
      ),
  json: 'the same (an export is JSON always)',
  examples: [
    'keepsake export --user maya > maya.jsonl',
    'keepsake export --user maya --format openai --out conversations.jsonl',
    'keepsake export --user maya --format mem0 --out memories.json',
  ],
  async run({ scope, io, options: { out, format } }) {
    if (out !== undefined && existsSync(out))
      throw wrongUsage(`${out} exists already; an export goes into a new file.`)
    const target = out === undefined ? io.stdout : createWriteStream(out, { flags: 'wx', mode: 0o600 })
    await pipeline(exportAs(format, scope), target, { end: out !== undefined })
  },
})

export const backupCommand = databaseCommand({
  name: 'backup',
  summary: 'a consistent copy of the database, while in use',
  description: 'Copies the whole database consistently into a new file, while it is in use.',
  declare: (command) => command.argument('<file>', 'a file that does not exist yet'),
  examples: ['keepsake backup backup.db', 'keepsake backup /backups/monday.db --db memory.db --json'],
  async run({ memory, options: { db } }, file) {
    await memory.backup(file)
    const { size } = statSync(file)
    return { data: { file, bytes: size }, words: () => `Copied ${db} to ${file} (${prettyBytes(size)}).` }
  },
})

export const statsCommand = databaseCommand({
  name: 'stats',
  summary: 'how much there is, and how big it is',
  description: 'Rows, memories by state, waiting work and file size of the whole database.',
  examples: ['keepsake stats', 'keepsake stats --db memory.db --json'],
  async run({ memory, options: { db } }) {
    const stats = await memory.stats()
    const count = (number: number): string => number.toLocaleString('en')
    const states = Object.entries(stats.memories).filter(([, number]) => number > 0)
    const rows = {
      people: count(stats.owners),
      scopes: count(stats.scopes),
      sessions: count(stats.sessions),
      turns: count(stats.turns),
      memories: states.map(([state, number]) => `${count(number)} ${state}`).join(', ') || '0',
      operations: count(stats.operations),
      'waiting jobs': count(stats.jobs),
      size: prettyBytes(stats.bytes),
      schema: String(stats.schema),
      preset: stats.notice === null ? stats.preset : `${stats.preset}. ${stats.notice}`,
      embedder: stats.embedder,
    }
    return {
      data: stats,
      words: ({ bold, dim }) =>
        `${bold(db)}\n${table(
          [],
          Object.entries(rows).map(([name, value]) => [dim(name), value]),
        )}`,
    }
  },
})

export const scopesCommand = databaseCommand({
  name: 'scopes',
  summary: 'whose memories there are',
  description:
    'Whose memories the database holds: tenant, user, agent and app. Erased people are not listed.',
  declare: (command, { env }) => command.addOption(tenantOption(env, 'only of this tenant')),
  json: 'one JSON object a scope, a line each',
  examples: ['keepsake scopes', 'keepsake scopes --db memory.db --json'],
  async run({ memory, options: { tenant } }) {
    const rows = await memory.scopes(given({ tenant }))
    const cells = rows.map((row) => [row.user, row.agent ?? '-', row.app ?? '-', row.tenant].map(printable))
    return {
      data: rows.map(({ tenant, user, agent, app }) => ({ tenant, user, agent, app })),
      words: ({ dim }) =>
        rows.length === 0 ? dim('Nobody yet.') : table(['user', 'agent', 'app', 'tenant'].map(dim), cells),
    }
  },
})
