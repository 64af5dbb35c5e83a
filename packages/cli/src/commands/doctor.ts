import { existsSync } from 'node:fs'
import type { Finding } from 'keepsake/store'
import { CliError, notFound } from '../cli-error.ts'
import { defineCommand } from '../define-command.ts'
import { EXIT } from '../exit-codes.ts'
import { withExisting } from '../open-database.ts'
import { formatCount } from '../output/format-quantity.ts'
import { show, type Shown } from '../output/print.ts'

export const doctorCommand = defineCommand({
  name: 'doctor',
  summary: 'check the database, and repair it',
  description:
    'Checks the database: pages and journal, memories against the operation log, the index against the turns, orphaned rows and unproven erasures. Changes nothing without --mend. Exits with 1 when data is lost or needs repair.',
  sharedOptions: ['db', 'preset'],
  declare: (command) =>
    command.option('--mend', 'rebuild what the log and the rows allow; copy the file first'),
  json: 'one JSON object per line',
  examples: ['keepsake doctor --db memory.db', 'keepsake doctor --db memory.db --mend'],
  async run({ io, options }) {
    const { db, mend = false } = options
    if (!existsSync(db)) throw notFound(`There is no database at ${db}. Set --db (or KEEPSAKE_DB).`)
    const { examineFile } = await import('keepsake/store')
    const { findings: initialFindings, unindexed } = await examineFile({ path: db, mend })
    const findings =
      mend && unindexed.length > 0
        ? await rebuildIndexes(options, initialFindings, unindexed)
        : initialFindings
    const result: Shown = {
      data: findings,
      formatText: ({ bold, dim }) =>
        findings.length === 0
          ? `${bold(db)} is sound.`
          : [
              `${bold(db)}: ${formatCount(findings.length, 'finding')}.`,
              ...findings.map(
                ({ check, detail, state }) => `${state.padEnd(8)}  ${dim(check.padEnd(10))}  ${detail}`,
              ),
              dim(adviseOn(findings)),
            ].join('\n'),
    }
    show(io, result, options.json ?? false)
    const remaining = findings.filter(({ state }) => state !== 'mended').length
    if (remaining > 0)
      throw new CliError(`${formatCount(remaining, 'finding')} in ${db} remain.`, EXIT.failure)
  },
})

/** Rebuilds the index of users whose index does not match their turns. */
async function rebuildIndexes(
  options: Parameters<typeof withExisting>[0],
  findings: readonly Finding[],
  unindexed: readonly number[],
): Promise<Finding[]> {
  await withExisting(options, async (memory) => {
    for (const owner of unindexed) await memory.rebuildIndex(owner)
  })
  return findings.map((finding) => (finding.check === 'index' ? { ...finding, state: 'mended' } : finding))
}

function adviseOn(findings: readonly Finding[]): string {
  if (findings.some(({ state }) => state === 'lost'))
    return 'Lost data cannot be rebuilt from this file. Keep a copy with its -wal file, and compare it with a backup or an export.'
  if (findings.some(({ state }) => state === 'mendable'))
    return 'Copy the file, then repair it: keepsake doctor --mend.'
  return 'Everything was repaired.'
}
