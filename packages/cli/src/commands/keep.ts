import { createWriteStream, existsSync, statSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { Option } from '@commander-js/extra-typings'
import type { KeepsakeStats, Memory, ScopedMemory, ScopeStats, Turn } from 'keepsake'
import prettyBytes from 'pretty-bytes'
import { given } from '@keepsake/text/names'
import { wrongUsage } from '../cli-error.ts'
import { databaseCommand, defineCommand, scopeCommand } from '../define-command.ts'
import { FORMS } from '../find-memory.ts'
import { chooseScope, shownDb, withExisting } from '../open-database.ts'
import { formatCount } from '../output/format-quantity.ts'
import { showTable, table, type Shown } from '../output/print.ts'
import { printable } from '../output/style.ts'
import { tenantOption } from '../shared-options.ts'

export const exportCommand = scopeCommand({
  name: 'export',
  summary: 'all data of a user, as JSON Lines',
  description:
    'Writes all data of a user as JSON Lines, which "keepsake import" restores exactly. Other formats: the conversations as OpenAI messages (one session per line), or the memories as a Mem0 list.',
  declare: (command) =>
    command
      .option('--out <file>', 'a new file to write to, instead of stdout')
      .addOption(
        new Option('--format <name>', 'the format of the output')
          .choices(EXPORT_FORMATS)
          .default('keepsake' as const),
      ),
  json: 'the same (an export is always JSON)',
  examples: [
    'keepsake export --user maya > maya.jsonl',
    'keepsake export --user maya --format openai --out conversations.jsonl',
    'keepsake export --user maya --format mem0 --out memories.json',
  ],
  async run({ scope, io, options: { out, format } }) {
    if (out !== undefined && existsSync(out)) throw wrongUsage(`${out} exists already. Name a new file.`)
    const target = out === undefined ? io.stdout : createWriteStream(out, { flags: 'wx', mode: 0o600 })
    await pipeline(exportAs(format, scope), target, { end: out !== undefined })
  },
})

export const backupCommand = databaseCommand({
  name: 'backup',
  summary: 'a consistent copy of the database, while in use',
  description: 'Copies the whole database consistently into a new file, while it is in use.',
  declare: (command) => command.argument('<file>', 'a new file'),
  examples: ['keepsake backup backup.db', 'keepsake backup /backups/monday.db --db memory.db --json'],
  async run({ memory, options: { db } }, file) {
    await memory.backup(file)
    const { size } = statSync(file)
    return {
      data: { file, bytes: size },
      formatText: () => `Copied ${db} to ${file} (${prettyBytes(size)}).`,
    }
  },
})

export const statsCommand = defineCommand({
  name: 'stats',
  summary: 'counts and file size',
  description:
    'Counts rows, memories by status and pending jobs, and shows the file size of the whole database. With --user, counts what one user has.',
  sharedOptions: ['person', 'db', 'preset'],
  examples: ['keepsake stats', 'keepsake stats --user maya', 'keepsake stats --db memory.db --json'],
  run: ({ options }) =>
    withExisting(options, async (memory) =>
      options.user === undefined
        ? showStats(shownDb(options.db), await memory.stats())
        : showUserStats(options.user, await (await chooseScope(memory, options)).admin.stats()),
    ),
})

const formatNumber = (number: number): string => number.toLocaleString('en')

function showStats(db: string, stats: KeepsakeStats): Shown {
  const states = Object.entries(stats.memories).filter(([, number]) => number > 0)
  return showRows(db, stats, {
    users: formatNumber(stats.users),
    scopes: formatNumber(stats.scopes),
    sessions: formatNumber(stats.sessions),
    turns: formatNumber(stats.turns),
    memories: states.map(([state, number]) => `${formatNumber(number)} ${state}`).join(', ') || '0',
    operations: formatNumber(stats.operations),
    'pending jobs': formatNumber(stats.jobs),
    size: prettyBytes(stats.bytes),
    schema: String(stats.schema),
    preset: stats.notice === null ? stats.preset : `${stats.preset}. ${stats.notice}`,
    embedder: stats.embedder,
  })
}

function showUserStats(user: string, stats: ScopeStats): Shown {
  const nameOf = (form: string): string => (form === 'utterance' ? 'message' : form)
  const live = stats.live.map(({ form, memories }) => formatCount(memories, nameOf(form)))
  const unread = stats.pending === 0 ? '' : `, ${formatNumber(stats.pending)} still to read`
  return showRows(user, stats, {
    sessions: formatNumber(stats.sessions),
    turns: `${formatNumber(stats.turns)}${unread}`,
    memories: live.join(', ') || '0',
    operations: formatNumber(stats.operations),
    'pending jobs': formatNumber(stats.jobs.queued),
    'given up': formatNumber(stats.jobs.parked),
  })
}

function showRows(title: string, data: unknown, rows: Readonly<Record<string, string>>): Shown {
  const cells = Object.entries(rows)
  return {
    data,
    formatText: ({ bold, dim }) =>
      `${bold(printable(title))}\n${table(
        [],
        cells.map(([name, value]) => [dim(name), value]),
      )}`,
  }
}

export const scopesCommand = databaseCommand({
  name: 'scopes',
  summary: 'list users',
  description: 'Lists the users in the database, with tenant, agent and app. Erased users are not listed.',
  declare: (command, { env }) => command.addOption(tenantOption(env, 'only this tenant')),
  json: 'one JSON object per line',
  examples: ['keepsake scopes', 'keepsake scopes --db memory.db --json'],
  async run({ memory, options: { tenant } }) {
    const rows = await memory.scopes(given({ tenant }))
    const cells = rows.map((row) => [row.user, row.agent ?? '-', row.app ?? '-', row.tenant].map(printable))
    const data = rows.map(({ tenant, user, agent, app }) => ({ tenant, user, agent, app }))
    return showTable(data, ['user', 'agent', 'app', 'tenant'], cells, 'There are no users yet.')
  },
})

/** The formats of an export: Keepsake's, or those of other tools. */
export const EXPORT_FORMATS = ['keepsake', 'openai', 'mem0'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

export function exportAs(format: ExportFormat, scope: ScopedMemory): AsyncGenerator<string> {
  switch (format) {
    case 'keepsake':
      return withLineEnds(scope.export())
    case 'openai':
      return withLineEnds(conversations(scope))
    case 'mem0':
      return memoryList(scope)
  }
}

async function* withLineEnds(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield `${line}\n`
}

/** Writes turns as OpenAI's messages with times, one session per line. Omits turns with the role `other`. */
async function* conversations(scope: ScopedMemory): AsyncGenerator<string> {
  for (const session of await scope.sessions()) {
    const turns = await scope.turns({ session: session.id })
    const messages = turns.flatMap((turn) => (turn.scope === session.scope ? messageOf(turn) : []))
    if (messages.length > 0) yield JSON.stringify({ id: session.id, messages })
  }
}

function messageOf({ id, role, speaker, text, at }: Turn): object[] {
  if (role === 'other') return []
  const name = given({ name: speaker ?? undefined })
  const created_at = new Date(at).toISOString()
  return [{ role: role === 'user' ? 'user' : 'assistant', content: text, ...name, id, created_at }]
}

/** Writes a list like that of Mem0's `get_all`: facts and imported statements, not the conversation. */
async function* memoryList(scope: ScopedMemory): AsyncGenerator<string> {
  const memories = await scope.memories({ forms: FORMS })
  // An utterance with the label `other` is a statement that was imported from another engine.
  const statements = memories.filter(
    ({ form, label, text }) => text !== '' && (form !== 'utterance' || label === 'other'),
  )
  yield `[${statements.map((memory) => `\n${JSON.stringify(entryOf(memory, scope))}`).join(',')}\n]\n`
}

function entryOf(memory: Memory, { key }: ScopedMemory): object {
  const time = (moment: number): string => new Date(moment).toISOString()
  return {
    id: memory.id,
    memory: memory.text,
    user_id: key.user,
    agent_id: key.agent ?? null,
    app_id: key.app ?? null,
    run_id: memory.session,
    metadata: memory.metadata,
    created_at: time(memory.validFrom),
    updated_at: time(memory.learnedAt),
  }
}
