// LUFY's Table 15, from the log of a run.
import type { EntryOf } from '../../log/log-entry.ts'
import { entriesOf } from '../../runs/figures/make-figures.ts'
import { run } from '../../runs/run.ts'
import type { SystemName } from '../../systems/open-system.ts'
import type { HereFigure, Reproduction } from '../registry/paper.ts'
import { measuredOf } from './by-run.ts'
import { counted } from './here-figure.ts'
import { runForLog } from './run-for-log.ts'

const PLACES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] as const
const COLUMN = 'Ratio'

/** LUFY's Table 15: how often a right memory is among the first k. */
export const topOnLufy: Reproduction['measure'] = async (asked, context) => {
  const { system = ['naive-rag'], ...given } = asked
  const options = {
    dataset: 'lufy' as const,
    tasks: ['retrieval' as const],
    system: [...system] as SystemName[],
    ...given,
  }
  const runs = await runForLog(run, options, context)
  const summaries = runs.flatMap((one) => one.summaries)
  const figures = runs.flatMap(({ summaries: [summary], log }) =>
    summary === undefined ? [] : placesOf(summary.system, entriesOf(log, 'retrieval')),
  )
  const people = new Set(runs.flatMap(({ log }) => entriesOf(log, 'done').map(({ person }) => person)))
  return { ...measuredOf(summaries), size: people.size, figures }
}

function placesOf(system: string, entries: readonly EntryOf<'retrieval'>[]): HereFigure[] {
  const asked = entries.filter(({ evidence }) => evidence.length > 0)
  const among = (k: number): number =>
    asked.filter(({ units, evidence }) => units.slice(0, k).some((id) => evidence.includes(id))).length
  const last = PLACES.at(-1) ?? 0
  const percent = (count: number): number | null => (asked.length === 0 ? null : (count / asked.length) * 100)
  const tell = (place: string, count: number): HereFigure =>
    counted(
      { row: `${system}, ${place.toLowerCase()}`, column: COLUMN, beside: place, unit: 'percent' },
      percent(count),
      asked.length,
    )
  return [
    ...PLACES.map((k) => tell(`Top ${k}`, among(k))),
    tell(`(Not in Top ${last})`, asked.length - among(last)),
  ]
}
