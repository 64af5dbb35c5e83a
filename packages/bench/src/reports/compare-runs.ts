import type { LogEntry } from '../log/log-entry.ts'
import { comparePaired } from '../runs/figures/compare-paired.ts'
import { compareSettings } from './compare-settings.ts'
import { readLogLines } from './read-log.ts'
import { nameRuns } from './read-runs.ts'
import type { PairedDifference, ReportRun } from './report-run.ts'

/**
 * Compares every run with the first, item by item. Runs under other conditions, or without a log, are skipped.
 *
 * @returns the differences of each run from the first
 */
export async function compareRuns(runs: readonly ReportRun[]): Promise<PairedDifference[]> {
  const [first, ...others] = nameRuns(runs)
  if (first === undefined || first.logFile === null) return []
  const { groupOf } = compareSettings([first, ...others])
  const base = await readItems(first.logFile)
  const differences: PairedDifference[] = []
  for (const run of others) {
    if (groupOf.get(run) !== groupOf.get(first) || run.logFile === null) continue
    for (const one of comparePaired(await readItems(run.logFile), base)) {
      differences.push({ ...one, a: run.label, b: first.label })
    }
  }
  return differences
}

/** Reads a log without long texts, since two logs are held at a time. */
async function readItems(file: string): Promise<LogEntry[]> {
  const entries: LogEntry[] = []
  for await (const value of readLogLines(file)) {
    // Written by this harness, and checked as far as a report shows it.
    const entry = value as LogEntry
    entries.push('context' in entry ? { ...entry, context: '' } : entry)
  }
  return entries
}
