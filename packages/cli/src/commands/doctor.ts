import { existsSync } from 'node:fs'
import type { Finding } from 'keepsake'
import { CliError, notFound } from '../cli-error.ts'
import { defineCommand } from '../define-command.ts'
import { EXIT } from '../exit-codes.ts'
import { withExisting } from '../open-database.ts'
import { formatCount } from '../output/format-quantity.ts'
import { show, type Shown } from '../output/print.ts'

/** `keepsake doctor`: is the file sound, and what can be mended? */
export const doctorCommand = defineCommand({
  name: 'doctor',
  summary: 'whether the database is sound, and mend it',
  description:
    'Looks the database over: its pages and journal, whether memories are what the log makes them, whether the index knows every turn, rows that belong to nothing, erasures not yet proven, and those that came after a backup which stands here. Changes nothing without --mend. Exits with 1 when something is lost or still to mend.',
  takes: ['db', 'preset'],
  declare: (command) =>
    command.option('--mend', 'mend what the log and the rows can make again; make a copy of the file first'),
  json: 'one JSON object a finding, a line each',
  examples: ['keepsake doctor --db memory.db', 'keepsake doctor --db memory.db --mend'],
  async run({ io, options }) {
    const { db, mend = false } = options
    if (!existsSync(db)) throw notFound(`There is no database at ${db}. Name one with --db (or KEEPSAKE_DB).`)
    const { examineFile } = await import('keepsake')
    const { findings, unindexed } = await examineFile({ path: db, mend })
    const renewed = mend && unindexed.length > 0 ? await renew(options, findings, unindexed) : findings
    const told = [...renewed, ...(await findErasures(options, renewed, mend))]
    const shown: Shown = {
      data: told,
      words: ({ bold, dim }) =>
        told.length === 0
          ? `${bold(db)} is sound.`
          : [
              `${bold(db)}: ${formatCount(told.length, 'finding')}.`,
              ...told.map(
                ({ check, detail, state }) => `${state.padEnd(8)}  ${dim(check.padEnd(10))}  ${detail}`,
              ),
              dim(advice(told)),
            ].join('\n'),
    }
    show(io, shown, options.json ?? false)
    const left = told.filter(({ state }) => state !== 'mended').length
    if (left > 0) throw new CliError(`${formatCount(left, 'finding')} of ${db} stand.`, EXIT.failure)
  },
})

async function renew(
  options: Parameters<typeof withExisting>[0],
  findings: readonly Finding[],
  unindexed: readonly number[],
): Promise<Finding[]> {
  await withExisting(options, async (memory) => {
    for (const owner of unindexed) await memory.renewIndex(owner)
  })
  return findings.map((one) => (one.check === 'index' ? { ...one, state: 'mended' } : one))
}

/** What a backup that was put in the file's place has not heard of. A file that cannot be read is told of otherwise. */
async function findErasures(
  options: Parameters<typeof withExisting>[0],
  findings: readonly Finding[],
  mend: boolean,
): Promise<Finding[]> {
  if (findings.some(({ state }) => state === 'lost')) return []
  const { countUnheardErasures } = await import('keepsake')
  const count = await countUnheardErasures(options.db, options.ledger)
  if (count === 0) return []
  if (mend) await withExisting(options, (memory) => memory.repeatErasures())
  const detail = `${formatCount(count, 'erasure')} came after what the file holds was stored: a backup stands in its place. "keepsake erasures" tells what stands here again.`
  return [{ check: 'erasures', detail, state: mend ? 'mended' : 'mendable' }]
}

function advice(findings: readonly Finding[]): string {
  if (findings.some(({ state }) => state === 'lost'))
    return 'What is lost cannot be made again from this file: keep a copy of it with its -wal file, and compare with a backup or an export.'
  if (findings.some(({ state }) => state === 'mendable'))
    return 'Copy the file, then mend it: keepsake doctor --mend.'
  return 'All of it was mended.'
}
