import type { ServerReport, SettingFigures } from './bench-server.ts'
import type { RunFigures, ServerRunFigures } from './measure-load.ts'
import type { Latency } from './run-load.ts'

interface Column {
  readonly name: string
  readonly run: RunFigures | ServerRunFigures
  readonly rate: number | null
}

interface Row {
  readonly what: string
  readonly show: (column: Column) => string
}

const ROWS: readonly Row[] = [
  { what: 'asked for', show: ({ rate }) => (rate === null ? 'all there is' : `${rate}/s`) },
  { what: 'answered a second', show: ({ run }) => number(run.requests_per_second) },
  { what: 'p50 / p95 / p99', show: ({ run }) => quantiles(run.all) },
  { what: 'of recalls', show: ({ run }) => quantiles(run.recall) },
  { what: 'of remembers', show: ({ run }) => quantiles(run.remember) },
  { what: 'longest', show: ({ run }) => `${number(run.all.max_ms)} ms` },
  { what: 'errors', show: ({ run }) => String(run.errors) },
  { what: 'processor time a call', show: ({ run }) => `${number(run.cpu_ms_per_call)} ms` },
  { what: 'processors busy', show: ({ run }) => number(run.cpus) },
  {
    what: 'processors busy asking',
    show: ({ run }) => ('asker_cpus' in run ? number(run.asker_cpus) : 'the same process'),
  },
  {
    what: 'resident memory, MB, each sixth',
    show: ({ run }) => ('resident' in run ? run.resident.mb.map((mb) => Math.round(mb)).join(' ') : '—'),
  },
]

/** The report as Markdown: a table a setting, the server beside the library. */
export function renderServer(report: ServerReport): string {
  const { filled, metrics, runtime } = report
  const head = [
    '# A server under load',
    `${filled.memories} memories filled in ${number(filled.seconds)} s. Load average ${runtime.load.join(' before, ')} after. Node ${runtime.node}, ${runtime.platform} ${runtime.arch}, ${runtime.processors} processors.`,
  ]
  const settings = Object.entries(metrics).map(
    ([name, figures]) =>
      `## ${name}\n\n${settingTable(figures)}\n\nThe server adds ${number(figures.server_cost_ms)} ms of processor time to a call.`,
  )
  return `${[...head, ...settings].join('\n\n')}\n`
}

function settingTable({ server, library }: SettingFigures): string {
  const columns: Column[] = [
    { name: 'server', run: server.full, rate: null },
    { name: 'server, steady', run: server.steady, rate: server.steady.rate },
    { name: 'library', run: library.full, rate: null },
    { name: 'library, steady', run: library.steady, rate: library.steady.rate },
  ]
  return [
    line(['', ...columns.map(({ name }) => name)]),
    line(['---', ...columns.map(() => '---')]),
    ...ROWS.map(({ what, show }) => line([what, ...columns.map(show)])),
  ].join('\n')
}

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

function quantiles({ count, p50_ms, p95_ms, p99_ms }: Latency): string {
  return count === 0 ? '—' : `${[p50_ms, p95_ms, p99_ms].map(number).join(' / ')} ms`
}

function number(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en')
  return String(Number(value.toPrecision(3)))
}
