import type { FinishedRun } from '@keepsake/bench'
import type { Io } from '../io.ts'
import type { Bench } from '../load-package.ts'
import { print, table } from '../output/print.ts'
import { styleFor } from '../output/style.ts'

/** So many systems stand side by side in a terminal. */
const COLUMNS = 6

/** The main figures of runs, each with who judged it, and where the whole is. */
export function showRuns(io: Io, bench: Bench, runs: readonly FinishedRun[]): void {
  const style = styleFor(io)
  const summaries = runs.flatMap((run) => run.summaries)
  const [first] = summaries
  if (first === undefined) return
  const { dataset, conversations } = first
  const tables = Array.from({ length: Math.ceil(summaries.length / COLUMNS) }, (_, part) => {
    const shown = summaries.slice(part * COLUMNS, (part + 1) * COLUMNS)
    const [head = [], ...rows] = bench.headlineTable(shown)
    return table(
      head,
      rows,
      shown.map((_, index) => index + 1),
    )
  })
  const failed = new Map(
    summaries.flatMap(({ system, failures }) => (failures === 0 ? [] : [[system, failures]])),
  )
  print(
    io,
    style.bold(conversations === null ? dataset : `${dataset}, ${conversations} conversations`),
    ...tables,
    ...[...failed].map(([system, failures]) => `${system}: ${failures} failures, which count as wrong.`),
    ...new Set(summaries.flatMap(({ remarks }) => remarks)),
    style.dim('95 % intervals, parts and wrong answers:'),
    `  keepsake bench report ${runs.map(({ folder }) => folder).join(' ')} --out report`,
  )
}
