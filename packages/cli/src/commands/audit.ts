import type { AuditEntry } from '@keepsake/server'
import { wholeNumber } from '../read-values.ts'
import { databaseCommand } from '../define-command.ts'
import { loadServer } from '../load-package.ts'
import { formatMoment } from '../output/format-quantity.ts'
import { showTable } from '../output/print.ts'
import { printable } from '../output/style.ts'

const DAY_MS = 24 * 3_600_000

/** `keepsake audit`: reads, changes and erasures through a server. */
export const auditCommand = databaseCommand({
  name: 'audit',
  summary: 'who read, changed and erased, by key',
  description:
    'Lists the requests of each key to "keepsake serve", the oldest first: time, key, action, protocol, user and status. The log contains no texts of conversations. Erased users appear as numbers.',
  declare: (command) =>
    command
      .option('--key <id>', 'only this key')
      .option('--user <name>', 'only this user’s memory')
      .option('--days <n>', 'only the last days', wholeNumber(1, 36_500), 7),
  json: 'one JSON object per line',
  examples: ['keepsake audit', 'keepsake audit --user maya --days 30 --json'],
  async run({ memory, options: { key, user, days } }) {
    const { readAudit } = await loadServer()
    const usersByNumber = new Map((await memory.scopes()).map((row) => [row.owner, row]))
    const entries: (AuditEntry & { tenant: string | null; user: string | null })[] = []
    for await (const entry of readAudit(memory.records, Date.now() - days * DAY_MS)) {
      const person = entry.owner === null ? undefined : usersByNumber.get(entry.owner)
      if (key !== undefined && entry.key !== key) continue
      if (user !== undefined && person?.user !== user) continue
      entries.push({ ...entry, tenant: person?.tenant ?? null, user: person?.user ?? null })
    }
    const rows = entries.map((entry) => [
      formatMoment(entry.at),
      entry.key,
      entry.action,
      entry.door,
      printable(entry.user ?? (entry.owner === null ? '-' : `user ${entry.owner}, erased`)),
      String(entry.status),
    ])
    const head = ['time', 'key', 'action', 'protocol', 'user', 'status']
    return showTable(entries, head, rows, 'No request reached a server in this time.')
  },
})
