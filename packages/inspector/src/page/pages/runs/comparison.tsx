import type { ReactNode } from 'react'
import { useSettings } from '../../address/use-address.ts'
import { usePageWords, useWords } from '../../words/language.tsx'
import {
  compareFigures,
  differingConditions,
  slicesOf,
  tasksOf,
  type Compared,
  type ComparedFigure,
} from './compare-runs.ts'
import { formatDifference, formatFigure, formatRange } from './format-figure.ts'
import { taskTitle } from './task-titles.ts'
import { RUNS } from './words.ts'

interface ComparisonProps {
  readonly runs: readonly Compared[]
}

/** Figures of runs side by side, each held against one of them. */
export function Comparison({ runs }: ComparisonProps): ReactNode {
  const told = usePageWords(RUNS)
  const [{ task: asked = [], slice: part = [], base: against = [] }] = useSettings()
  const tasks = tasksOf(runs)
  const task = tasks.find((one) => asked.includes(one)) ?? tasks[0]
  const slices = task === undefined ? [] : slicesOf(runs, task)
  const slice = slices.find((one) => part.includes(one)) ?? slices[0]
  const base = Math.max(
    0,
    runs.findIndex(({ label }) => against.includes(label)),
  )
  return (
    <section className="section">
      <h2>{told.compare}</h2>
      {task === undefined || slice === undefined ? (
        <p className="quiet">{runs.length === 0 ? told.noneShown : told.noFigures}</p>
      ) : (
        <>
          <Choices runs={runs} tasks={tasks} slices={slices} chosen={{ task, slice, base }} />
          <Conditions runs={runs} />
          <Figures runs={runs} rows={compareFigures(runs, task, slice)} base={base} />
        </>
      )}
    </section>
  )
}

interface ChoicesProps extends ComparisonProps {
  readonly tasks: readonly string[]
  readonly slices: readonly string[]
  readonly chosen: { readonly task: string; readonly slice: string; readonly base: number }
}

function Choices({ runs, tasks, slices, chosen }: ChoicesProps): ReactNode {
  const { language } = useWords()
  const told = usePageWords(RUNS)
  const [settings, setSettings] = useSettings()
  return (
    <div className="row runs-choices">
      <label className="field">
        <span className="label">{told.task}</span>
        <select
          className="input"
          value={chosen.task}
          onChange={({ target }) => setSettings({ ...settings, task: target.value, slice: undefined })}
        >
          {tasks.map((task) => (
            <option key={task} value={task}>
              {taskTitle(task, language)}
            </option>
          ))}
        </select>
      </label>
      <label className="field">
        <span className="label">{told.slice}</span>
        <select
          className="input"
          value={chosen.slice}
          onChange={({ target }) => setSettings({ ...settings, slice: target.value })}
        >
          {slices.map((slice) => (
            <option key={slice} value={slice}>
              {slice === 'all' ? told.everything : slice.replace(':', ': ')}
            </option>
          ))}
        </select>
      </label>
      {runs.length > 1 && (
        <label className="field">
          <span className="label">{told.base}</span>
          <select
            className="input"
            value={runs[chosen.base]?.label}
            onChange={({ target }) => setSettings({ ...settings, base: target.value })}
          >
            {runs.map(({ label }) => (
              <option key={label}>{label}</option>
            ))}
          </select>
        </label>
      )}
    </div>
  )
}

function Conditions({ runs }: ComparisonProps): ReactNode {
  const told = usePageWords(RUNS)
  const differing = differingConditions(runs)
  if (differing.length === 0) return null
  return (
    <div className="notice" data-tone="alarm">
      <h3>{told.differ}</h3>
      <p>{told.differTold}</p>
      <div className="runs-table" tabIndex={0} role="region" aria-label={told.differ}>
        <table>
          <thead>
            <tr>
              <th scope="col">{told.condition}</th>
              {runs.map(({ label }) => (
                <th scope="col" key={label}>
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {differing.map(({ condition, values }) => (
              <tr key={condition}>
                <th scope="row">{told.conditions[condition]}</th>
                {runs.map(({ label }, at) => (
                  <td key={label}>{values[at]}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  )
}

interface FiguresProps extends ComparisonProps {
  readonly rows: readonly ComparedFigure[]
  readonly base: number
}

function Figures({ runs, rows, base }: FiguresProps): ReactNode {
  const told = usePageWords(RUNS)
  return (
    <div className="runs-table" tabIndex={0} role="region" aria-label={told.compare}>
      <table>
        <thead>
          <tr>
            <th scope="col">{told.figure}</th>
            {runs.map(({ label }) => (
              <th scope="col" key={label} data-number="">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <FigureRow key={`${row.metric} ${row.judge ?? ''}`} row={row} runs={runs} base={base} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface FigureRowProps extends ComparisonProps {
  readonly row: ComparedFigure
  readonly base: number
}

function FigureRow({ runs, row: { metric, judge, figures }, base }: FigureRowProps): ReactNode {
  const { format } = useWords()
  const told = usePageWords(RUNS)
  const counts = [...new Set(figures.flatMap((one) => (one === null ? [] : [one.count])))]
  const notes = [
    told.over(counts.map((count) => format.number(count)).join(' / ')),
    ...(judge === null ? [] : [told.judgedBy(judge)]),
  ]
  return (
    <tr>
      <th scope="row">
        {metric.replaceAll('_', ' ')}
        <span className="small quiet">{notes.join(told.between)}</span>
      </th>
      {runs.map(({ label }, at) => (
        <FigureCell key={label} row={figures} at={at} base={base} />
      ))}
    </tr>
  )
}

interface FigureCellProps {
  readonly row: ComparedFigure['figures']
  readonly at: number
  readonly base: number
}

function FigureCell({ row, at, base }: FigureCellProps): ReactNode {
  const { format } = useWords()
  const figure = row[at] ?? null
  if (figure === null || figure.value === null) return <td data-number="">–</td>
  const { value, unit, interval } = figure
  const from = row[base]?.value ?? null
  return (
    <td data-number="">
      {formatFigure(format, value, unit)}
      {interval !== null && (
        <span className="small quiet runs-range">{formatRange(format, interval, unit)}</span>
      )}
      {at !== base && from !== null && (
        <span className="small runs-difference">{formatDifference(format, value - from, unit)}</span>
      )}
    </td>
  )
}
