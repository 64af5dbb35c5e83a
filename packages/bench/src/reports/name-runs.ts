import { basename, dirname } from 'node:path'
import type { ReportRun } from './report-run.ts'

/**
 * Gives each run a name of its own: its system's; where several runs share it, with the folder's name; where that is
 * shared too, with a number.
 */
export function nameRuns(runs: readonly ReportRun[]): ReportRun[] {
  const bySystem = Map.groupBy(runs, ({ summary }) => summary.system)
  const named = runs.map((run) => {
    const { system } = run.summary
    const isAlone = (bySystem.get(system)?.length ?? 0) < 2
    return { ...run, label: isAlone ? system : `${system} (${folderOf(run.source)})` }
  })
  const byLabel = Map.groupBy(named, ({ label }) => label)
  return named.map((run) => {
    const same = byLabel.get(run.label) ?? []
    return same.length < 2 ? run : { ...run, label: `${run.label} ${same.indexOf(run) + 1}` }
  })
}

function folderOf(source: string): string {
  return source.endsWith('.json') ? basename(dirname(source)) || source : basename(source)
}
