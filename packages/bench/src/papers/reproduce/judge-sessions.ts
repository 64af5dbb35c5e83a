import type { LanguageModel } from 'keepsake'
import { promptRunner } from 'keepsake/model'
import type { Prompt } from 'keepsake/preset'
import { z } from 'zod'
import type { BenchContext } from '../../benchmark/benchmark.ts'
import type { ForgettingTalk, TalkUnit } from '../../forgetting/forgetting-talk.ts'
import { saidBy } from '../../forgetting/measure-talk-signals.ts'
import { loadLufyTalks } from '../../forgetting/read-lufy-talks.ts'
import { dataPrompt } from '../../prompts/data-prompt.ts'
import { openCached } from '../../runs/run.ts'
import type { HereFigure, Measured, PaperAsked, Reproduction } from '../registry/paper.ts'
import { hereFigure } from './here-figure.ts'
import { mean } from '../../metrics/means.ts'

export interface SortedSession {
  readonly person: string
  /** The chatbot's words, and the person's answers. */
  readonly pairs: readonly { readonly agent: string; readonly said: string }[]
}

const sorted = z.object({
  n: z.number().meta({ type: 'integer', description: 'Of the pair, from 1.' }),
  about: z.enum(['profile', 'episode', 'other']),
  now: z.boolean(),
  feeling: z.enum(['positive', 'neutral', 'negative']),
})

/** An utterance's topic, whether it is about the present, and its sentiment. */
export type SortedUtterance = z.infer<typeof sorted>

/** LUFY's Table 10, Figure 8, appendix B and section 3.4, of a session's utterances at once. */
export const sortUtterancesPrompt = dataPrompt({
  id: 'sort-utterances',
  version: 1,
  schema: z.object({ utterances: z.array(sorted) }),
  shape:
    '{"utterances": [{"n": 1, "about": "profile"|"episode"|"other", "now": true|false, "feeling": "positive"|"neutral"|"negative"}, …]}',
  maxOutputTokens: 6_000,
  show: ({ person, pairs }: SortedSession) => ({
    person,
    pairs: pairs.map(({ agent, said }) => `chatbot: ${agent}\n${person}: ${said}`),
  }),
  problems: ({ utterances }, { pairs }) => {
    const numbers = new Set(utterances.map(({ n }) => n))
    const missing = pairs.flatMap((_, place) => (numbers.has(place + 1) ? [] : [place + 1]))
    return missing.length === 0 ? [] : [`Numbers ${missing.join(', ')} have no entry.`]
  },
})

export interface RatedSession {
  /** The person who talks with the chatbot. */
  readonly person: string
  readonly turns: readonly { readonly speaker: string; readonly text: string }[]
}

// Not z.int(): some providers refuse the bounds that it writes into the schema.
const score = z.number().meta({ type: 'integer', description: '1 to 5' })

/** LUFY's Table 8: how engaging a session is for its person, 1 to 5. */
export const rateSessionPrompt = dataPrompt({
  id: 'rate-session',
  version: 1,
  schema: z.object({ reason: z.string(), score }),
  shape: '{"reason": "…", "score": 1|2|3|4|5}',
  maxOutputTokens: 300,
  problems: ({ score: given }) =>
    [1, 2, 3, 4, 5].includes(given) ? [] : [`${given} is no whole number from 1 to 5.`],
  show: ({ person, turns }: RatedSession) => ({
    person,
    talk: turns.map(({ speaker, text }) => `${speaker}: ${text}`),
  }),
})

interface Session {
  /** The system's folder: `LUFY`, `MemoryBank`, `Naive RAG`. */
  readonly system: string
  readonly person: string
  readonly session: number
  readonly units: readonly TalkUnit[]
}

interface Judged<Verdict> extends Session {
  readonly verdict: Verdict
}

/** The three systems share the first session, which the paper's means leave out. */
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

/** LUFY's Table 10: the sentiment of utterances, −1 to 1. */
export const sentiment: Reproduction['measure'] = async (asked, context) => {
  const { judged, judge, measured } = await sortSessions(asked, context)
  const felt = judged.map(({ verdict, ...session }) => ({
    ...session,
    verdict: verdict.map(({ feeling }): number => FEELINGS[feeling]),
  }))
  return { ...measured, figures: bySystemAndSession(felt, judge) }
}

/** LUFY's Figure 8: the share of personal experiences, and of sessions without any. */
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

/** LUFY's appendix B: the share about the present. */
export const contemporary: Reproduction['measure'] = async (asked, context) => {
  const { judged, judge, measured } = await sortSessions(asked, context)
  const judgedNow = judged.filter(isCountedOnce).flatMap(({ verdict }) => verdict.map(({ now }) => now))
  return { ...measured, figures: [share('about what goes on now', judgedNow, judge)] }
}

/** LUFY's section 3.4: topics of utterances marked as important. */
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

/** Classifies a person's own words, in the order of a session. */
async function sortSessions(asked: PaperAsked, context: BenchContext) {
  const show = ({ person, units }: Session) => ({
    person,
    pairs: units.map((unit) => ({ agent: saidBy(unit, 'assistant'), said: saidBy(unit, 'user') })),
  })
  const { judged, ...rest } = await judgeSessions(asked, context, sortUtterancesPrompt, show)
  const ordered = judged.map(({ verdict: { utterances }, ...session }) => ({
    ...session,
    verdict: session.units.flatMap((_, place) => utterances.find(({ n }) => n === place + 1) ?? []),
  }))
  return { ...rest, judged: ordered }
}

/** Asks the judge about each session in turn; cached answers are reused. */
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

/** The means of a table of systems by sessions; the average leaves the first out. */
function bySystemAndSession(judged: readonly Judged<readonly number[]>[], judge: string): HereFigure[] {
  return SYSTEMS.flatMap((system) => {
    const meanAt = (sessions: readonly number[]) =>
      judged
        .filter((one) => one.system === system && sessions.includes(one.session))
        .flatMap(({ verdict }) => verdict)
    const tell = (column: string, values: readonly number[]): HereFigure =>
      hereFigure(
        { row: system, column, beside: system, unit: 'score' },
        { value: mean(values), interval: null, count: values.length, judge },
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
    { value: mean(held.map(Number)), interval: null, count: held.length, judge },
  )
}
