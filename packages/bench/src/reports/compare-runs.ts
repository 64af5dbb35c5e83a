import { readLog } from '../benchmark/run-folder.ts'
import { comparePaired } from '../runs/figures/compare-paired.ts'
import { compareSettings } from './compare-settings.ts'
import { nameRuns } from './read-runs.ts'
import type { PairedDifference, ReportRun } from './report-run.ts'

/** Compares every run with the first, item by item. Runs without a log, or under other conditions than the first, are skipped. */
export function compareRuns(runs: readonly ReportRun[]): PairedDifference[] {
  const [first, ...others] = nameRuns(runs)
  if (first === undefined || first.log === null) return []
  const { groupOf } = compareSettings([first, ...others])
  const baseLog = readLog(first.log.folder).entries
  const differences: PairedDifference[] = []
  for (const run of others) {
    if (groupOf.get(run) !== groupOf.get(first) || run.log === null) continue
    for (const figure of comparePaired(readLog(run.log.folder).entries, baseLog))
      differences.push({ ...figure, a: run.label, b: first.label })
  }
  return differences
}
