// Measures the tables of the LUFY paper about answers to people's questions: 11, 13 and 16 to 18.
import { ebbinghaus, findPreset, lufy, LUFY_METRICS, lufyForgetting, type LufyMetric } from '@keepsake/papers'
import type { Preset, PresetForm } from 'keepsake/preset'
import { openLufyAskedBySession } from '../../datasets/open-dataset.ts'
import type { PublishedUnit, MeasuredFigure, PaperRequest, Reproduction } from '../registry/paper.ts'
import { byRun, byVariants, type RunCell } from './by-run.ts'
import { makeFigure } from './measured-figure.ts'
import { mean, sum } from '../../metrics/means.ts'

const METRICS = { Precision: 'precision', Recall: 'recall', 'F1 Score': 'f1' } as const
type Metric = keyof typeof METRICS
const SESSIONS = [1, 2, 3, 4] as const
const UNIT: PublishedUnit = 'percent'
/** The paper's rows by system. */
const ROWS: Readonly<Record<string, string>> = {
  lufy: 'LUFY',
  'memory-bank': 'MemoryBank',
  'naive-rag': 'Naive RAG',
}

/** Makes a baseline of the LUFY paper (Table 4). It is LUFY with another way to forget, and ranks by cosine only. */
const baseline = (change: Partial<Preset>) => ({
  preset: (form: PresetForm): Preset => {
    const { use, ...preset } = lufy(form)
    const ranking = { kind: 'cosine', threshold: 'calibrated', importance: 0 } as const
    return { ...preset, importance: 'signal', ranking, use: { ...use, second: 0 }, ...change }
  },
})

export const BASELINES = {
  'memory-bank': baseline({ policy: ebbinghaus({ unit: 'sessions' }) }),
  'naive-rag': baseline({ retention: { when: 'never' } }),
}

/** Lets each system reply itself. If the request names a reader or no model, the reader replies instead. */
const ownReplies = ({ model, reader }: PaperRequest) =>
  ({ protocol: 'lufy', ownAnswers: model !== undefined && reader === undefined }) as const

const TABLE = {
  dataset: 'lufy',
  tasks: ['answering'],
  systems: ['lufy', 'memory-bank', 'naive-rag'],
  presets: BASELINES,
  open: openLufyAskedBySession,
  paperRow: (system: string) => ROWS[system] ?? null,
  runOptions: ownReplies,
} as const

const BY_SESSION = Object.entries(METRICS).flatMap(([column, metric]) =>
  SESSIONS.map((session): RunCell => ({
    column: `${column} S${session}`,
    unit: UNIT,
    task: 'answering',
    metric,
    slice: `after:s${session}`,
  })),
)

/** Measures LUFY's Table 11: answers after each session, and the mean of the four sessions. */
export const answersBySession = withMeans(byRun({ ...TABLE, cells: BY_SESSION }))

/** Measures LUFY's Table 13: the answers of LUFY without one of the metrics by which it forgets. */
export const answersWithout = withMeans(
  byVariants({
    dataset: 'lufy',
    tasks: ['answering'],
    runOptions: ownReplies,
    open: openLufyAskedBySession,
    cells: BY_SESSION,
    variants: [[], ...Object.keys(LUFY_METRICS).map((metric) => [metric as LufyMetric])].map((without) => ({
      row: ['lufy', ...without].join('-'),
      paperRow: without.length === 0 ? 'LUFY' : `–${without.join('')}`,
      preset: ({ model }) => ({ ...findPreset('lufy', { model }), policy: lufyForgetting({ without }) }),
    })),
  }),
)

/** Adds the means over sessions to the figures of a measurement. */
function withMeans(measure: Reproduction['measure']): Reproduction['measure'] {
  return async (request, context) => {
    const measured = await measure(request, context)
    const rows = new Set(measured.figures.map(({ row }) => row))
    const means = [...rows].flatMap((row) =>
      Object.keys(METRICS).flatMap((column) => meanOf(measured.figures, row, column)),
    )
    return { ...measured, size: countPeople(measured.size), figures: [...measured.figures, ...means] }
  }
}

/** Computes the mean over sessions. As in the paper, each session counts the same, whatever its number of questions. */
function meanOf(figures: readonly MeasuredFigure[], row: string, column: string): MeasuredFigure[] {
  const sessionFigures = figures.filter(
    (figure) => figure.row === row && figure.column.startsWith(`${column} S`),
  )
  const [first] = sessionFigures
  const values = sessionFigures.flatMap(({ value }) => value ?? [])
  if (first === undefined || values.length < SESSIONS.length) return []
  const place = { row, column: `${column} Avg.`, paperRow: first.paperRow, unit: UNIT }
  const count = sum(sessionFigures.map((figure) => figure.count))
  return [{ ...makeFigure(place, mean(values) ?? 0, count), judge: first.judge }]
}

/** Measures LUFY's Tables 16 to 18: one metric, by the session after which a question is asked and the session that it is about. */
export function answersByQuestions(metric: Metric): Reproduction['measure'] {
  const columns = SESSIONS.flatMap((session) =>
    SESSIONS.filter((about) => about <= session).map((about) => `S${session} Q${about}`),
  )
  const cells = columns.map((column): RunCell => ({
    column,
    unit: UNIT,
    task: 'answering',
    metric: METRICS[metric],
    slice: `category:${column}`,
  }))
  return async (request, context) => {
    const measured = await byRun({ ...TABLE, cells })(request, context)
    return { ...measured, size: countPeople(measured.size) }
  }
}

/** Counts the people behind talks. Each person talks with each of three systems. */
function countPeople(talks: number): number {
  return Math.ceil(talks / 3)
}
