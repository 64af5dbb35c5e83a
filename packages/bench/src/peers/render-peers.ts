import type { KillReport } from './bench-kills.ts'
import type { PeerFigures, PeersReport } from './bench-peers.ts'
import { PEER_NAMES, type PeerName } from './peer.ts'

const MEGABYTE = 1_000_000

interface Row<Of> {
  readonly what: string
  readonly show: (of: Of) => string
}

const FIGURES: readonly Row<PeerFigures>[] = [
  { what: 'add, p50 / p95', show: (of) => `${ms(of.add_p50_ms)} / ${ms(of.add_p95_ms)}` },
  { what: 'search, p50 / p95', show: (of) => `${ms(of.search_p50_ms)} / ${ms(of.search_p95_ms)}` },
  { what: 'model calls an add', show: (of) => number(of.model_calls_per_add) },
  { what: 'prompt characters an add', show: (of) => number(of.prompt_characters_per_add) },
  { what: 'prompt tokens an add (estimated)', show: (of) => number(of.prompt_tokens_per_add) },
  { what: 'embedding requests an add', show: (of) => number(of.embedding_requests_per_add) },
  { what: 'embedding requests a search', show: (of) => number(of.embedding_requests_per_search) },
  { what: 'files', show: (of) => megabytes(of.disk_bytes) },
  { what: 'open and first search', show: (of) => ms(of.open_ms) },
  { what: 'resident memory after it', show: (of) => megabytes(of.open_resident_bytes) },
  { what: 'most resident memory, filling and all', show: (of) => megabytes(of.peak_resident_bytes) },
  { what: 'filling', show: (of) => `${number(of.fill_ms / 1_000)} s` },
  { what: 'facts held', show: (of) => String(of.facts) },
  { what: 'left to do after the last add', show: (of) => ms(of.settle_ms) },
]

const KILLS: readonly Row<KillReport>[] = [
  { what: 'kills', show: (of) => String(of.kills) },
  { what: 'acknowledged rounds', show: (of) => String(of.acknowledged) },
  { what: 'starts that failed', show: (of) => String(of.failedStarts) },
  { what: 'facts of acknowledged rounds lost', show: (of) => String(of.lostFacts) },
  {
    what: 'acknowledged turns lost',
    show: (of) => (of.lostTurns === null ? 'keeps none' : String(of.lostTurns)),
  },
  { what: 'facts doubled', show: (of) => String(of.doubledFacts) },
  { what: 'facts without their addition in the history', show: (of) => String(of.halfFacts) },
]

/** The report as Markdown: a table a size, systems side by side, and what survived the kills. */
export function renderPeers(report: PeersReport): string {
  const { metrics, kills, runtime } = report
  const sizes = Object.entries(metrics).map(
    ([size, figures]) =>
      `## ${Number(size).toLocaleString('en')} facts\n\n${markdownTable(FIGURES, figures)}`,
  )
  const killed = Object.keys(kills).length === 0 ? [] : [`## Killed\n\n${markdownTable(KILLS, kills)}`]
  const load = `Load average ${runtime.load.join(' before, ')} after. Node ${runtime.node}, ${runtime.platform} ${runtime.arch}.`
  return `${[`# Side by side`, load, ...sizes, ...killed].join('\n\n')}\n`
}

function markdownTable<Of>(rows: readonly Row<Of>[], by: Readonly<Partial<Record<PeerName, Of>>>): string {
  const shown = PEER_NAMES.flatMap((name) => {
    const of = by[name]
    return of === undefined ? [] : [{ name, of }]
  })
  const lines = rows.map(({ what, show }) => `| ${[what, ...shown.map(({ of }) => show(of))].join(' | ')} |`)
  const head = `| ${['', ...shown.map(({ name }) => name)].join(' | ')} |`
  return [head, `|---|${shown.map(() => '---:|').join('')}`, ...lines].join('\n')
}

function ms(value: number): string {
  return `${number(value)} ms`
}

function megabytes(bytes: number): string {
  return `${number(bytes / MEGABYTE)} MB`
}

/** Three digits that matter; whole thousands with their separator. */
function number(value: number): string {
  return Math.abs(value) >= 100
    ? Math.round(value).toLocaleString('en')
    : String(Number(value.toPrecision(3)))
}
