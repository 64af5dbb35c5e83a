import { promptRunner, type LanguageModel } from 'keepsake'
import type { Prompt } from 'keepsake/parts'
import type { BenchContext } from '../../benchmark/benchmark.ts'
import { loadLufyTalks } from '../../forgetting/read-lufy-talks.ts'
import type { ForgettingTalk, TalkUnit } from '../../forgetting/forgetting-talk.ts'
import { saidBy } from '../../forgetting/measure-talk-signals.ts'
import { openCached } from '../../runs/run.ts'
import type { HereFigure, Measured, PaperAsked, Reproduction } from '../registry/reproduction.ts'
import { hereFigure } from './here-figure.ts'
import { rateSessionPrompt } from './prompts/rate-session.ts'
import { sortUtterancesPrompt, type SortedUtterance } from './prompts/sort-utterances.ts'

/** A session of LUFY-Dataset: of one person with one system. */
interface Session {
  /** The system's folder: `LUFY`, `MemoryBank`, `Naive RAG`. */
  readonly system: string
  readonly person: string
  readonly session: number
  readonly units: readonly TalkUnit[]
}

/** What a model said of a session. */
interface Judged<Verdict> extends Session {
  readonly verdict: Verdict
}

/** The first session is one and the same for the three systems; the paper's means leave it out. */
const AVERAGED = [2, 3, 4]
const SESSIONS = [1, ...AVERAGED]
const SYSTEMS = ['Naive RAG', 'MemoryBank', 'LUFY']
const FEELINGS = { positive: 1, neutral: 0, negative: -1 } as const

/** LUFY's Table 8: how engaging each session is found. */
export const engagement: Reproduction['measure'] = async (asked, context) => {
  const show = ({ person, units }: Session) => ({ person, turns: units.flatMap(({ turns }) => turns) })
  const { judged, judge, measured } = await judgeSessions(asked, context, rateSessionPrompt, show)
  const scores = judged.map(({ verdict: { score }, ...session }) => ({ ...session, verdict: [score] }))
  return { ...measured, figures: bySystemAndSession(scores, judge) }
}

/** LUFY's Table 10: how what people said is felt, −1 to 1. */
export const sentiment: Reproduction['measure'] = async (asked, context) => {
  const { judged, judge, measured } = await sortSessions(asked, context)
  const felt = judged.map(({ verdict, ...session }) => ({
    ...session,
    verdict: verdict.map(({ feeling }): number => FEELINGS[feeling]),
  }))
  return { ...measured, figures: bySystemAndSession(felt, judge) }
}

/** LUFY's Figure 8: how much is told of what was lived through, and in how many sessions nothing is. */
export const episodes: Reproduction['measure'] = async (asked, context) => {
  const { judged, judge, measured } = await sortSessions(asked, context)
  const isEpisode = ({ about }: SortedUtterance): boolean => about === 'episode'
  const once = judged.filter(isCountedOnce)
  return {
    ...measured,
    figures: [
      share(
        'episode-related utterances',
        once.flatMap(({ verdict }) => verdict.map(isEpisode)),
        judge,
      ),
      share(
        'sessions without any',
        once.map(({ verdict }) => !verdict.some(isEpisode)),
        judge,
      ),
    ],
  }
}

/** LUFY's appendix B: how much is about what goes on now. */
export const contemporary: Reproduction['measure'] = async (asked, context) => {
  const { judged, judge, measured } = await sortSessions(asked, context)
  const told = judged.filter(isCountedOnce).flatMap(({ verdict }) => verdict.map(({ now }) => now))
  return { ...measured, figures: [share('about what goes on now', told, judge)] }
}

/** LUFY's section 3.4: what utterances are about that an annotator marked as important. */
export const aboutOfMarked: Reproduction['measure'] = async (asked, context) => {
  const { judged, judge, measured } = await sortSessions(asked, context)
  const marked = judged
    .filter(isCountedOnce)
    .flatMap(({ units, verdict }) => verdict.filter((_, place) => units[place]?.marked.includes(true)))
  return {
    ...measured,
    figures: (['profile', 'episode'] as const).map((kind) =>
      share(
        `${kind}-related`,
        marked.map(({ about }) => about === kind),
        judge,
      ),
    ),
  }
}

function isCountedOnce({ system, session }: Session): boolean {
  return session > 1 || system === 'LUFY'
}

/** A person's own words are sorted; a session's are returned in their order. */
async function sortSessions(asked: PaperAsked, context: BenchContext) {
  const show = ({ person, units }: Session) => ({
    person,
    pairs: units.map((unit) => ({ agent: saidBy(unit, 'agent'), said: saidBy(unit, 'user') })),
  })
  const { judged, ...rest } = await judgeSessions(asked, context, sortUtterancesPrompt, show)
  const ordered = judged.map(({ verdict: { utterances }, ...session }) => ({
    ...session,
    verdict: session.units.flatMap((_, place) => utterances.find(({ n }) => n === place + 1) ?? []),
  }))
  return { ...rest, judged: ordered }
}

/** Asks the judge of every session, one after the other; what was asked before is not asked again. */
async function judgeSessions<Input, Output>(
  { path, judge: spec, limit = Number.POSITIVE_INFINITY, modelTimeout }: PaperAsked,
  context: BenchContext,
  prompt: Prompt<Input, Output>,
  show: (session: Session) => Input,
) {
  const { talks, dataHash } = await loadLufyTalks(path)
  const chosen = talks.slice(0, limit)
  const model = await openJudge(context, spec)
  const timeout = modelTimeout === undefined ? {} : { timeoutMs: modelTimeout * 1_000 }
  const scope = { tenant: 'bench', user: 'judge', agent: null, app: null }
  const asking = promptRunner({ model, ...timeout }).for('judge', scope)
  const judged: Judged<Output>[] = []
  const sessions = chosen.flatMap(sessionsOf)
  for (const [done, session] of sessions.entries()) {
    judged.push({ ...session, verdict: await asking.ask(prompt, show(session), { language: 'en' }) })
    context.onProgress?.('judging sessions', done + 1, sessions.length)
  }
  const size = new Set(chosen.map(({ person }) => person)).size
  const measured: Omit<Measured, 'figures'> = { size, dataHash, reader: null, runs: [], remarks: [] }
  return { judged, judge: model.id, measured }
}

async function openJudge(context: BenchContext, spec: string | undefined): Promise<LanguageModel> {
  const model = await openCached(context, spec)
  if (model === null) throw new RangeError('The table was asked for without its judge.')
  return model
}

function sessionsOf({ name, person, units }: ForgettingTalk): Session[] {
  const [system = name] = name.split('/')
  return SESSIONS.map((session) => ({
    system,
    person,
    session,
    units: units.filter((unit) => unit.session === session && saidBy(unit, 'user') !== ''),
  })).filter((session) => session.units.length > 0)
}

/** The means of a table whose rows are systems and whose columns are sessions; the average leaves the first out. */
function bySystemAndSession(judged: readonly Judged<readonly number[]>[], judge: string): HereFigure[] {
  return SYSTEMS.flatMap((system) => {
    const meanAt = (sessions: readonly number[]) =>
      judged
        .filter((one) => one.system === system && sessions.includes(one.session))
        .flatMap(({ verdict }) => verdict)
    const tell = (column: string, values: readonly number[]): HereFigure =>
      hereFigure(
        { row: system, column, beside: system, unit: 'score' },
        { value: meanOf(values), interval: null, count: values.length, judge },
      )
    return [
      ...SESSIONS.map((session) => tell(`S${session}`, meanAt([session]))),
      tell('Avg.', meanAt(AVERAGED)),
    ]
  })
}

function share(row: string, held: readonly boolean[], judge: string): HereFigure {
  return hereFigure(
    { row, column: 'Share', beside: row, unit: 'percent' },
    { value: meanOf(held.map(Number)), interval: null, count: held.length, judge },
  )
}

function meanOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length
}
