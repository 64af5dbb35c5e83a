import type { AskChecked } from '../ask-checked.ts'
import { GenerateError } from '../generate-error.ts'
import { sessionDialoguePrompt } from './prompts/session-dialogue.ts'
import { sessionPointsPrompt, type SessionPointsAnswer } from './prompts/session-points.ts'
import { sessionQuestionsPrompt } from './prompts/session-questions.ts'
import { verifyPointsPrompt, type VerifyPointsAnswer } from './prompts/verify-points.ts'
import type { ModelStory } from './model-life.ts'
import type { LifeEvent } from './point.ts'
import type { HalumemQuestion, QuestionType } from './published-form.ts'
import type { Round } from './session-dialogue.ts'
import { evidenceOf, type WrittenPoint } from './write-session.ts'

/** A memory point of an earlier session. */
export interface KnownPoint {
  readonly text: string
  readonly type: WrittenPoint['type']
}

export interface ModelSession {
  readonly points: readonly WrittenPoint[]
  readonly rounds: readonly Round[]
  /** All points that are true after this session, oldest first. */
  readonly known: readonly KnownPoint[]
  /** Texts of earlier points that this session replaced. Some questions wrongly assume them to be true. */
  readonly outdated: readonly string[]
  /** False claims of the agent. Some questions wrongly assume these too. */
  readonly claimed: readonly string[]
}

/** A prompt shows only this many of the known points, the latest. */
const MAX_KNOWN_POINTS = 80

/** Makes a session with a model (stages 4 and 5). Drops points that the user does not state, and claims that the talk lacks or the user confirms. */
export async function modelSession(
  ask: AskChecked,
  story: ModelStory,
  { event, rounds: minRounds }: { readonly event: LifeEvent; readonly rounds: number },
  knownBefore: readonly KnownPoint[],
): Promise<ModelSession> {
  const { who } = story
  const persona = personaAt(story, event, knownBefore)
  const known = knownBefore.slice(-MAX_KNOWN_POINTS).map(({ text }) => text)
  const day = new Date(event.at).toISOString().slice(0, 10)
  const datedEvent = `${day} ${event.name}: ${event.description}`
  const plan = await ask(sessionPointsPrompt, { who, persona, event: datedEvent, known })
  const points = plan.points.map(({ text }) => text)
  const claims = plan.claims.map(({ text }) => text)
  const { summary } = plan
  const { rounds } = await ask(sessionDialoguePrompt, {
    who,
    persona,
    day,
    summary,
    points,
    claims,
    rounds: minRounds,
  })
  const talk = rounds.map(({ user, agent }) => `user: ${user}\nagent: ${agent}`)
  const verification = await ask(verifyPointsPrompt, { points, claims, day, rounds: talk })
  const verified = applyVerification(plan, verification, { known, isInit: event.kind === 'init' })
  if (verified.length * 2 < plan.points.length)
    throw new GenerateError(
      `Of ${plan.points.length} planned points the talk holds ${verified.length}, claims included.`,
    )
  const replacedTexts = new Set(verified.flatMap(({ point }) => point.replaces))
  const written = verified.map(({ point }) => point)
  const isClaim = ({ source }: WrittenPoint): boolean => source === 'interference'
  return {
    points: written,
    rounds: rounds.map((round, place) => ({
      ...round,
      points: verified.flatMap((one, index) => (one.round === place + 1 ? [index] : [])),
    })),
    known: [
      ...knownBefore.filter(({ text }) => !replacedTexts.has(text)),
      ...written.filter((point) => !isClaim(point)),
    ],
    outdated: [...replacedTexts],
    claimed: written.filter(isClaim).map(({ text }) => text),
  }
}

/** Describes the user at the time of a session (stage 4): the initial persona, later the core and the known points. */
function personaAt(
  { persona, core }: ModelStory,
  { kind }: LifeEvent,
  knownBefore: readonly KnownPoint[],
): string {
  const known = knownBefore.filter(({ type }) => type !== 'event').map(({ text }) => text)
  return kind === 'init' || known.length === 0
    ? persona
    : [core, ...known.slice(-MAX_KNOWN_POINTS)].join('; ')
}

/** A point that the talk contains. */
interface VerifiedPoint {
  readonly point: WrittenPoint
  /** The number of the round that states it, from 1. */
  readonly round: number
}

/** Keeps the points and claims that the talk contains. */
function applyVerification(
  plan: SessionPointsAnswer,
  verification: VerifyPointsAnswer,
  { known, isInit }: { readonly known: readonly string[]; readonly isInit: boolean },
): VerifiedPoint[] {
  const points = plan.points.flatMap(
    ({ type, primary, importance, replaces: numbers }, place): VerifiedPoint[] => {
      const check = verification.points.find(({ number }) => number === place + 1)
      if (check === undefined || check.round === null) return []
      const replaces = numbers.map((number) => known[number - 1] ?? '')
      const spokenSource = primary ? 'primary' : 'secondary'
      // In the published sets, points of the introductions have the source `system`.
      const source = isInit ? 'system' : spokenSource
      return [{ point: { text: check.text, type, source, importance, replaces }, round: check.round }]
    },
  )
  const claims = plan.claims.flatMap((claim, place): VerifiedPoint[] => {
    const check = verification.claims.find(({ number }) => number === place + 1)
    if (check === undefined || check.round === null || check.confirmed) return []
    const point = { ...claim, source: 'interference', importance: 0.5, replaces: [] } as const
    return [{ point, round: check.round }]
  })
  return [...points, ...claims]
}

/** Makes questions with a language model (stage 6). @throws GenerateError when it gives no usable answer. */
export async function modelQuestions(
  ask: AskChecked,
  who: string,
  { known, outdated, claimed }: Pick<ModelSession, 'known' | 'outdated' | 'claimed'>,
  types: ReadonlyMap<QuestionType, number>,
): Promise<HalumemQuestion[]> {
  const latest = known.slice(-MAX_KNOWN_POINTS)
  const points = latest.map(({ text }) => text)
  const { questions } = await ask(sessionQuestionsPrompt, {
    who,
    points,
    outdated,
    claimed,
    types: [...types],
  })
  return questions.map(({ type, question, answer, evidence, difficulty }) => ({
    question,
    answer,
    evidence: evidence.flatMap((number) => latest[number - 1] ?? []).map(evidenceOf),
    difficulty,
    question_type: type,
  }))
}
