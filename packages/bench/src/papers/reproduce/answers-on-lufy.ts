import { ebbinghaus, findPreset, lufy, LUFY_METRICS, lufyForgetting, type LufyMetric } from '@keepsake/papers'
import type { Preset, PresetForm } from 'keepsake/preset'
import { openLufyAskedBySession } from '../../datasets/open-dataset.ts'
import type { PublishedUnit, HereFigure, PaperAsked, Reproduction } from '../registry/paper.ts'
import { byRun, byVariants, type RunCell } from './by-run.ts'
import { counted } from './here-figure.ts'
import { mean, sum } from '../../metrics/means.ts'

const METRICS = { Precision: 'precision', Recall: 'recall', 'F1 Score': 'f1' } as const
type Metric = keyof typeof METRICS
const SESSIONS = [1, 2, 3, 4] as const
const UNIT: PublishedUnit = 'percent'
const ROWS: Readonly<Record<string, string>> = {
  lufy: 'LUFY',
  'memory-bank': 'MemoryBank',
  'naive-rag': 'Naive RAG',
}

/** LUFY's Table 4: what it is compared with is LUFY itself, but for forgetting and for ranking, which is by cosine alone. */
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

/** Each chatbot replies, unless a reader is named or there is no model to reply with. */
const byChatbot = ({ model, reader }: PaperAsked) =>
  ({ protocol: 'lufy', ownAnswers: model !== undefined && reader === undefined }) as const

const TABLE = {
  dataset: 'lufy',
  tasks: ['answering'],
  systems: ['lufy', 'memory-bank', 'naive-rag'],
  presets: BASELINES,
  open: openLufyAskedBySession,
  beside: (system: string) => ROWS[system] ?? null,
  more: byChatbot,
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

/** LUFY's Table 11: answers after each session, and the mean of the four. */
export const answersBySession = withMeans(byRun({ ...TABLE, cells: BY_SESSION }))

/** LUFY's Table 13: the same with a metric less. */
export const answersWithout = withMeans(
  byVariants({
    dataset: 'lufy',
    tasks: ['answering'],
    more: byChatbot,
    open: openLufyAskedBySession,
    cells: BY_SESSION,
    variants: [[], ...Object.keys(LUFY_METRICS).map((metric) => [metric as LufyMetric])].map((without) => ({
      row: ['lufy', ...without].join('-'),
      beside: without.length === 0 ? 'LUFY' : `–${without.join('')}`,
      preset: ({ model }) => ({ ...findPreset('lufy', { model }), policy: lufyForgetting({ without }) }),
    })),
  }),
)

function withMeans(measure: Reproduction['measure']): Reproduction['measure'] {
  return async (asked, context) => {
    const measured = await measure(asked, context)
    const rows = new Set(measured.figures.map(({ row }) => row))
    const means = [...rows].flatMap((row) =>
      Object.keys(METRICS).flatMap((column) => meanOf(measured.figures, row, column)),
    )
    return { ...measured, size: peopleOf(measured.size), figures: [...measured.figures, ...means] }
  }
}

/** The paper averages over sessions, regardless of their number of questions. */
function meanOf(figures: readonly HereFigure[], row: string, column: string): HereFigure[] {
  const own = figures.filter((one) => one.row === row && one.column.startsWith(`${column} S`))
  const [first] = own
  const values = own.flatMap(({ value }) => value ?? [])
  if (first === undefined || values.length < SESSIONS.length) return []
  const place = { row, column: `${column} Avg.`, beside: first.beside, unit: UNIT }
  const count = sum(own.map((one) => one.count))
  return [{ ...counted(place, mean(values) ?? 0, count), judge: first.judge }]
}

/** LUFY's Tables 16 to 18: one of the three metrics, by session and by the questions' session. */
export function answersByQuestions(metric: Metric): Reproduction['measure'] {
  const asked = SESSIONS.flatMap((session) =>
    SESSIONS.filter((about) => about <= session).map((about) => `S${session} Q${about}`),
  )
  const cells = asked.map((column): RunCell => ({
    column,
    unit: UNIT,
    task: 'answering',
    metric: METRICS[metric],
    slice: `category:${column}`,
  }))
  return async (given, context) => {
    const measured = await byRun({ ...TABLE, cells })(given, context)
    return { ...measured, size: peopleOf(measured.size) }
  }
}

/** Each person has a talk with each of three systems. */
function peopleOf(talks: number): number {
  return Math.ceil(talks / 3)
}
