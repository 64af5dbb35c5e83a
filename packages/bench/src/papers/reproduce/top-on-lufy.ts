// Measures Table 15 of the LUFY paper from the log of a run.
import type { EntryOf } from '../../log/log-entry.ts'
import { entriesOf } from '../../runs/figures/make-figures.ts'
import { run } from '../../runs/run.ts'
import type { SystemName } from '../../systems/open-system.ts'
import type { MeasuredFigure, Reproduction } from '../registry/paper.ts'
import { summariseRuns } from './by-run.ts'
import { makeFigure } from './measured-figure.ts'
import { runForLog } from './run-for-log.ts'

const PLACES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] as const
const COLUMN = 'Ratio'

/** Measures LUFY's Table 15: how often a right memory is among the first k. */
export const topOnLufy: Reproduction['measure'] = async (request, context) => {
  const { system = ['naive-rag'], ...otherOptions } = request
  const options = {
    dataset: 'lufy' as const,
    tasks: ['retrieval' as const],
    system: [...system] as SystemName[],
    ...otherOptions,
  }
  const runs = await runForLog(run, options, context)
  const summaries = runs.flatMap((one) => one.summaries)
  const figures = runs.flatMap(({ summaries: [summary], log }) =>
    summary === undefined ? [] : figuresOf(summary.system, entriesOf(log, 'retrieval')),
  )
  const people = new Set(runs.flatMap(({ log }) => entriesOf(log, 'done').map(({ person }) => person)))
  return { ...summariseRuns(summaries), size: people.size, figures }
}

/** How many questions have a right memory, which is a unit of their evidence, among the first k. */
function figuresOf(system: string, entries: readonly EntryOf<'retrieval'>[]): MeasuredFigure[] {
  const questions = entries.filter(({ evidence }) => evidence.length > 0)
  const countAmongFirst = (k: number): number =>
    questions.filter(({ units, evidence }) => units.slice(0, k).some((id) => evidence.includes(id))).length
  const figureAt = (place: string, count: number): MeasuredFigure => {
    const row = `${system}, ${place.toLowerCase()}`
    const percent = questions.length === 0 ? null : (count / questions.length) * 100
    return makeFigure({ row, column: COLUMN, paperRow: place, unit: 'percent' }, percent, questions.length)
  }
  const last = PLACES.at(-1) ?? 0
  return [
    ...PLACES.map((k) => figureAt(`Top ${k}`, countAmongFirst(k))),
    figureAt(`(Not in Top ${last})`, questions.length - countAmongFirst(last)),
  ]
}
