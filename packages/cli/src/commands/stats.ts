import { Command } from 'commander'
import type { KeepsakeStats } from 'keepsake'
import { withDatabase, type CommonOptions } from '../common-options.ts'
import { examples } from '../examples-help.ts'
import type { Io } from '../io.ts'
import { withExisting } from '../open-database.ts'
import { formatBytes } from '../output/format-quantity.ts'
import { print, printJson, table } from '../output/print.ts'
import { styleFor, type Style } from '../output/style.ts'

export function statsCommand(io: Io): Command {
  const command = new Command('stats')
    .summary('how much there is, and how big it is')
    .description('Rows, memories by state, waiting work and file size of the whole database.')
    .addHelpText('after', examples('keepsake stats', 'keepsake stats --db memory.db --json'))
  return withDatabase(command, io).action(async (options: CommonOptions) => {
    const stats = await withExisting(options, (memory) => memory.stats())
    if (options.json === true) printJson(io, stats)
    else print(io, formatStats(options.db, stats, styleFor(io)))
  })
}

function formatStats(file: string, stats: KeepsakeStats, style: Style): string {
  const count = (number: number): string => number.toLocaleString('en')
  const states = Object.entries(stats.memories).filter(([, number]) => number > 0)
  const memories = states.map(([state, number]) => `${count(number)} ${state}`).join(', ')
  const rows: (readonly [string, string])[] = [
    ['people', count(stats.owners)],
    ['scopes', count(stats.scopes)],
    ['sessions', count(stats.sessions)],
    ['turns', count(stats.turns)],
    ['memories', memories === '' ? '0' : memories],
    ['operations', count(stats.operations)],
    ['waiting jobs', count(stats.jobs)],
    ['size', formatBytes(stats.bytes)],
    ['schema', String(stats.schema)],
    ['preset', stats.preset],
    ['embedder', stats.embedder],
  ]
  return [
    style.bold(file),
    table(
      [],
      rows.map(([name, value]) => [style.dim(name), value]),
    ),
  ].join('\n')
}
