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
import type { MeasuredFigure, ItemResult, PaperRequest, Reproduction } from '../registry/paper.ts'
import { scaleFigure } from './measured-figure.ts'
import { mean } from '../../metrics/means.ts'

/** A session as the sorting prompt shows it. */
export interface SortedSession {
  readonly person: string
  /** Each utterance of the chatbot with the person's answer. */
  readonly pairs: readonly { readonly agent: string; readonly said: string }[]
}

const utteranceSchema = z.object({
  n: z.number().meta({ type: 'integer', description: 'Of the pair, from 1.' }),
  about: z.enum(['profile', 'episode', 'other']),
  now: z.boolean(),
  feeling: z.enum(['positive', 'neutral', 'negative']),
})

/** The topic and sentiment of an utterance, and whether it is about the present. */
export type SortedUtterance = z.infer<typeof utteranceSchema>

/** Classifies all utterances of a session, for Table 10, Figure 8, appendix B and section 3.4 of the LUFY paper. */
export const sortUtterancesPrompt = dataPrompt({
  id: 'sort-utterances',
  version: 1,
  schema: z.object({ utterances: z.array(utteranceSchema) }),
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

// z.int() would write bounds into the schema that some providers refuse.
const score = z.number().meta({ type: 'integer', description: '1 to 5' })

/** Rates how engaging a session is for its person, 1 to 5, for LUFY's Table 8. */
export const rateSessionPrompt = dataPrompt({
  id: 'rate-session',
  version: 1,
  schema: z.object({ reason: z.string(), score }),
  shape: '{"reason": "…", "score": 1|2|3|4|5}',
  maxOutputTokens: 300,
  problems: ({ score: rating }) =>
    [1, 2, 3, 4, 5].includes(rating) ? [] : [`${rating} is no whole number from 1 to 5.`],
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

interface JudgedSession<Verdict> extends Session {
  readonly verdict: Verdict
}

/** The first session is not in the paper's means, because the three systems share it. */
const AVERAGED_SESSIONS = [2, 3, 4]
const ALL_SESSIONS = [1, ...AVERAGED_SESSIONS]
const SYSTEMS = ['Naive RAG', 'MemoryBank', 'LUFY']
const FEELING_SCORES = { positive: 1, neutral: 0, negative: -1 } as const

/** Measures LUFY's Table 8: how engaging each session is. */
export const engagement: Reproduction['measure'] = async (request, context) => {
  const show = ({ person, units }: Session) => ({ person, turns: units.flatMap(({ turns }) => turns) })
  const { judged, judge, measured } = await judgeSessions(request, context, rateSessionPrompt, show)
  const scores = judged.map(({ verdict: { score }, ...session }) => ({ ...session, verdict: [score] }))
  return { ...measured, figures: bySystemAndSession(scores, judge) }
}

/** Measures LUFY's Table 10: the sentiment of utterances, −1 to 1. */
export const sentiment: Reproduction['measure'] = async (request, context) => {
  const { judged, judge, measured } = await sortSessions(request, context)
  const scores = judged.map(({ verdict, ...session }) => ({
    ...session,
    verdict: verdict.map(({ feeling }): number => FEELING_SCORES[feeling]),
  }))
  return { ...measured, figures: bySystemAndSession(scores, judge) }
}

/** Measures LUFY's Figure 8: the share of personal experiences, and of sessions without any. */
export const episodes: Reproduction['measure'] = async (request, context) => {
  const { judged, judge, measured } = await sortSessions(request, context)
  const isEpisode = ({ about }: SortedUtterance): boolean => about === 'episode'
  const sessions = judged.filter(countsOnce)
  const utterances = sessions.flatMap(({ verdict }) => verdict.map(isEpisode))
  const withoutAny = sessions.map(({ verdict }) => !verdict.some(isEpisode))
  return {
    ...measured,
    figures: [
      share('episode-related utterances', utterances, judge),
      share('sessions without any', withoutAny, judge),
    ],
  }
}

/** Measures LUFY's appendix B: the share of utterances about the present. */
export const contemporary: Reproduction['measure'] = async (request, context) => {
  const { judged, judge, measured } = await sortSessions(request, context)
  const isPresent = judged.filter(countsOnce).flatMap(({ verdict }) => verdict.map(({ now }) => now))
  return { ...measured, figures: [share('about what goes on now', isPresent, judge)] }
}

/** Measures LUFY's section 3.4: topics of utterances marked as important. */
export const aboutOfMarked: Reproduction['measure'] = async (request, context) => {
  const { judged, judge, measured } = await sortSessions(request, context)
  const marked = judged
    .filter(countsOnce)
    .flatMap(({ units, verdict }) => verdict.filter((_, place) => units[place]?.marked.includes(true)))
  const shareOf = (kind: 'profile' | 'episode'): MeasuredFigure => {
    const isAbout = marked.map(({ about }) => about === kind)
    return share(`${kind}-related`, isAbout, judge)
  }
  return { ...measured, figures: [shareOf('profile'), shareOf('episode')] }
}

/** Reports whether a session counts in shares. The first session, which the systems share, counts for one of them only. */
function countsOnce({ system, session }: Session): boolean {
  return session > 1 || system === 'LUFY'
}

/** Classifies a person's utterances, in the order of the session. */
async function sortSessions(request: PaperRequest, context: BenchContext) {
  const show = ({ person, units }: Session) => ({
    person,
    pairs: units.map((unit) => ({ agent: saidBy(unit, 'assistant'), said: saidBy(unit, 'user') })),
  })
  const { judged, ...rest } = await judgeSessions(request, context, sortUtterancesPrompt, show)
  const sorted = judged.map(({ verdict: { utterances }, ...session }) => ({
    ...session,
    verdict: session.units.flatMap((_, place) => utterances.find(({ n }) => n === place + 1) ?? []),
  }))
  return { ...rest, judged: sorted }
}

/** Asks the judge about one session after another. Cached answers are reused. */
async function judgeSessions<Input, Output>(
  { path, judge: spec, limit = Number.POSITIVE_INFINITY, modelTimeout }: PaperRequest,
  context: BenchContext,
  prompt: Prompt<Input, Output>,
  show: (session: Session) => Input,
) {
  const { talks, dataHash } = await loadLufyTalks(path)
  const chosen = talks.slice(0, limit)
  const model = await openJudge(context, spec)
  const timeout = modelTimeout === undefined ? {} : { timeoutMs: modelTimeout * 1_000 }
  const scope = { tenant: 'bench', user: 'judge', agent: null, app: null }
  const runner = promptRunner({ model, ...timeout }).for('judge', scope)
  const judged: JudgedSession<Output>[] = []
  const sessions = chosen.flatMap(sessionsOf)
  for (const [done, session] of sessions.entries()) {
    judged.push({ ...session, verdict: await runner.ask(prompt, show(session), { language: 'en' }) })
    context.onProgress?.('judging sessions', done + 1, sessions.length)
  }
  const size = new Set(chosen.map(({ person }) => person)).size
  const measured: Omit<ItemResult, 'figures'> = { size, dataHash, reader: null, runs: [], remarks: [] }
  return { judged, judge: model.id, measured }
}

async function openJudge(context: BenchContext, spec: string | undefined): Promise<LanguageModel> {
  const model = await openCached(context, spec)
  if (model === null) throw new RangeError('The table needs a judge.')
  return model
}

function sessionsOf({ name, person, units }: ForgettingTalk): Session[] {
  const [system = name] = name.split('/')
  return ALL_SESSIONS.map((session) => ({
    system,
    person,
    session,
    units: units.filter((unit) => unit.session === session && saidBy(unit, 'user') !== ''),
  })).filter((session) => session.units.length > 0)
}

/** Means for each system and session, and their average without the first session. */
function bySystemAndSession(
  judged: readonly JudgedSession<readonly number[]>[],
  judge: string,
): MeasuredFigure[] {
  return SYSTEMS.flatMap((system) => {
    const verdictsOf = (sessions: readonly number[]): number[] => {
      const chosen = judged.filter((one) => one.system === system && sessions.includes(one.session))
      return chosen.flatMap(({ verdict }) => verdict)
    }
    const meanFigure = (column: string, values: readonly number[]): MeasuredFigure =>
      scaleFigure(
        { row: system, column, paperRow: system, unit: 'score' },
        { value: mean(values), interval: null, count: values.length, judge },
      )
    return [
      ...ALL_SESSIONS.map((session) => meanFigure(`S${session}`, verdictsOf([session]))),
      meanFigure('Avg.', verdictsOf(AVERAGED_SESSIONS)),
    ]
  })
}

function share(row: string, isTrue: readonly boolean[], judge: string): MeasuredFigure {
  return scaleFigure(
    { row, column: 'Share', paperRow: row, unit: 'percent' },
    { value: mean(isTrue.map(Number)), interval: null, count: isTrue.length, judge },
  )
}
