import { forgetting } from '../../forgetting/forgetting.ts'
import type { PolicyRecord } from '../../forgetting/forgetting-figures.ts'
import type { SessionScore } from '../../forgetting/score-forgetting.ts'
import type { LogEntry } from '../../log/log-entry.ts'
import type { BenchContext } from '../../benchmark/benchmark.ts'
import type { HereFigure, Measured, PaperAsked, Reproduction } from '../registry/reproduction.ts'
import { measuredOf } from './by-run.ts'
import { counted } from './here-figure.ts'
import { runForLog } from './run-for-log.ts'

const SESSIONS = [1, 2, 3, 4] as const

/** A policy of `keepsake bench forgetting`, and the paper's row that it stands beside. */
interface Policy {
  readonly name: string
  readonly beside: string | null
}

const LUFY: Policy = { name: 'lufy', beside: 'LUFY' }
const MEMORY_BANK: Policy = { name: 'ebbinghaus', beside: 'MemoryBank' }
const CHANCE: Policy = { name: 'random', beside: '(Random)' }

/** LUFY's Table 3: memories made and kept at the end of each session, and the share that is. */
export const retainedBySession: Reproduction['measure'] = async (asked, context) => {
  const { scoresOf, measured } = await measure(asked, context)
  const rows = [
    { row: 'nothing forgotten', beside: 'Naive RAG', scores: scoresOf(LUFY.name).map(keepAll) },
    ...[MEMORY_BANK, LUFY].map(({ name, beside }) => ({ row: name, beside, scores: scoresOf(name) })),
  ]
  const figures = SESSIONS.flatMap((session) => rows.flatMap((row) => tell(row, session)))
  return { ...measured, figures }
}

/** What would stand if nothing was forgotten. */
function keepAll(score: SessionScore): SessionScore {
  return { ...score, kept: score.made }
}

interface Row {
  readonly row: string
  readonly beside: string | null
  readonly scores: readonly SessionScore[]
}

function tell({ row, beside, scores }: Row, session: number): HereFigure[] {
  const place = { row, beside } as const
  const kept = meanOf(scores, session, (one) => one.kept)
  const share = meanOf(scores, session, (one) => one.kept / one.made)
  const count = scores.filter((one) => one.session === session).length
  return [
    counted({ ...place, column: `S${session} kept`, unit: 'count' }, kept, count),
    counted(
      { ...place, column: `S${session} share`, unit: 'percent' },
      share === null ? null : share * 100,
      count,
    ),
  ]
}

/** LUFY's Table 12: of what is kept, how much an annotator marked as important; and how far annotators agree. */
export const agreementBySession: Reproduction['measure'] = async (asked, context) => {
  const { scoresOf, measured } = await measure(asked, context)
  const figures = [LUFY, MEMORY_BANK, CHANCE].flatMap(({ name: row, beside }) =>
    SESSIONS.map((session): HereFigure => {
      const value = meanOf(scoresOf(row), session, (one) => one.agreement)
      const place = { row, column: `S${session}`, beside, unit: 'percent' } as const
      const count = scoresOf(row).filter((one) => one.session === session).length
      return counted(place, value === null ? null : value * 100, count)
    }),
  )
  return { ...measured, figures: [...figures, ...averages(measured)] }
}

/** The means over people that the benchmark itself gives, with intervals. */
function averages({ runs }: Pick<Measured, 'runs'>): HereFigure[] {
  const rows = [LUFY, MEMORY_BANK, CHANCE, { name: 'people', beside: '(Annotators)' }]
  return rows.flatMap(({ name: row, beside }) => {
    const figures = runs.find(({ system }) => system === row)?.figures ?? []
    const found = figures.find(({ metric, slice }) => metric === 'agreement' && slice === 'all')
    if (found === undefined) return []
    const { value, interval, count } = found
    const percent = (share: number): number => share * 100
    return [
      {
        ...counted(
          { row, column: 'Avg.', beside, unit: 'percent' },
          value === null ? null : percent(value),
          count,
        ),
        interval: interval === null ? null : { low: percent(interval.low), high: percent(interval.high) },
      },
    ]
  })
}

async function measure({ path }: PaperAsked, context: BenchContext) {
  const [run] = await runForLog(forgetting, { dataset: 'lufy', path }, context)
  const { summaries = [], log = [] } = run ?? {}
  const records = policyRecords(log)
  const scoresOf = (policy: string): readonly SessionScore[] =>
    records.find((one) => one.policy === policy && one.capacity === null)?.sessions.flat() ?? []
  const people = new Set(scoresOf(LUFY.name).map(({ person }) => person))
  return { scoresOf, measured: { ...measuredOf(summaries), size: people.size } }
}

/** What the benchmark `forgetting` logged of each policy. */
export function policyRecords(log: readonly LogEntry[]): PolicyRecord[] {
  return log.flatMap((one) => (one.entry === 'step' ? [one.records as PolicyRecord] : []))
}

/** The mean at a session's end, of the scores that have a value; `null` where none has. */
function meanOf(
  scores: readonly SessionScore[],
  session: number,
  of: (score: SessionScore) => number | null,
): number | null {
  const values = scores.flatMap((score) => (score.session === session ? (of(score) ?? []) : []))
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length
}
