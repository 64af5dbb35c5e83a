import type { EraseReceipt, UnappliedErasure } from 'keepsake'
import { databaseCommand } from '../define-command.ts'
import { formatCount, formatMoment } from '../output/format-quantity.ts'
import { table, type Shown } from '../output/print.ts'
import { printable, type Style } from '../output/style.ts'
import { erasureLogOption } from '../shared-options.ts'

export const erasuresCommand = databaseCommand({
  name: 'erasures',
  summary: 'erased data that a restored backup contains',
  description:
    'Lists erasures that are missing from the database, because an earlier backup or export was restored. Every erasure is recorded in a ledger outside the database (FILE-erasures beside a file), which contains digests, no names and no texts. --repeat applies them again.',
  declare: (command, { env }) =>
    command
      .option('--repeat', 'apply these erasures again; cannot be undone')
      .addOption(erasureLogOption(env)),
  json: '{"missed": […]}, or with --repeat {"receipts": […]}',
  examples: [
    'keepsake erasures',
    'keepsake erasures --db memory.db --repeat',
    'keepsake erasures --db postgres://localhost/memory --erasure-log /ledgers/memory-erasures',
  ],
  async run({ memory, options: { repeat = false } }): Promise<Shown> {
    if (repeat) {
      const receipts = await memory.reapplyErasures()
      return { data: { receipts }, formatText: () => describeRepeated(receipts) }
    }
    const missed = await memory.erasuresSinceBackup()
    return { data: { missed }, formatText: (style) => describeMissed(missed, style) }
  },
})

/** Describes erasures after the backup, and how to repeat them. */
export function describeMissed(missed: readonly UnappliedErasure[], { dim }: Pick<Style, 'dim'>): string {
  return missed.length === 0
    ? 'Nothing was erased since this backup.'
    : `${table(['erased', 'what', 'of', 'present again'].map(dim), missed.map(cells))}\n${dim('Erase it again: keepsake erasures --repeat')}`
}

function cells({ at, of, user, turns, memories }: UnappliedErasure): string[] {
  const presentAgain = `${formatCount(turns, 'turn')}, ${formatCount(memories, 'memory', 'memories')}`
  return [
    formatMoment(at),
    of === 'person' ? 'a user' : 'turns or memories',
    user === null ? '-' : printable(user),
    user === null ? 'nothing' : presentAgain,
  ]
}

function describeRepeated(receipts: readonly EraseReceipt[]): string {
  const sum = (field: 'turns' | 'memories'): number =>
    receipts.reduce((total, receipt) => total + receipt[field], 0)
  return receipts.length === 0
    ? 'No erased data is present here.'
    : `Erased again: ${formatCount(sum('turns'), 'turn')}, ${formatCount(sum('memories'), 'memory', 'memories')}, by ${formatCount(receipts.length, 'erasure')}.`
}
