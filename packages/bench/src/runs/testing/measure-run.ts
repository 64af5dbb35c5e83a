// Measures a system in a test's folder of runs, with rules unless the test passes models.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runMeasurement } from '../../benchmark/run-benchmark.ts'
import { readLog } from '../../benchmark/testing/run-alone.ts'
import { deterministicJudge } from '../../judges/deterministic-judge.ts'
import type { Figure, FigureTask } from '../../log/figure.ts'
import { extractiveReader } from '../../readers/extractive-reader.ts'
import { findFigure } from '../../results/plain-figures.ts'
import { scriptedSystem } from '../../systems/testing/scripted-system.ts'
import { measureSystem, type MeasureSystemOptions } from '../measure-system.ts'

export const runsFolder = (): string => mkdtempSync(join(tmpdir(), 'bench-runs-'))

export async function measureRun(
  options: Pick<MeasureSystemOptions, 'dataset'> & Partial<MeasureSystemOptions>,
  runs: string = runsFolder(),
) {
  const byRules = { system: scriptedSystem(), reader: extractiveReader, judge: deterministicJudge }
  const measurement = measureSystem({ ...byRules, ...options })
  const { folder, summaries } = await runMeasurement(measurement, {
    benchmark: 'run',
    command: 'test',
    context: { runs },
  })
  const [summary] = summaries
  if (summary === undefined) throw new Error('nothing was measured')
  const figureOf = (task: FigureTask, metric: string, slice?: string): Figure | undefined =>
    findFigure(summary.figures, task, metric, slice)
  return { log: readLog(folder), folder, summary, figureOf }
}
