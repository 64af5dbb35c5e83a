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

/** What a session left, for later sessions. */
export interface KnownPoint {
  readonly text: string
  readonly type: WrittenPoint['type']
}

export interface ModelSession {
  readonly points: readonly WrittenPoint[]
  readonly rounds: readonly Round[]
  /** What holds after it, oldest first. */
  readonly known: readonly KnownPoint[]
  /** What its points replaced: a premise for questions, like the agent's claims. */
  readonly outdated: readonly string[]
  readonly claimed: readonly string[]
}

/** Most known points in a prompt: the latest are enough for updates and questions. */
const MOST_KNOWN = 80

/**
 * Stages 4 and 5 of one session with a language model. Drops points that the person does not say, and claims that the agent does not make
 * or the person confirms.
 *
 * @throws GenerateError when the model gives no usable answer, or too little of the plan is in the talk.
 */
export async function modelSession(
  ask: AskChecked,
  story: ModelStory,
  { event, rounds: least }: { readonly event: LifeEvent; readonly rounds: number },
  before: readonly KnownPoint[],
): Promise<ModelSession> {
  const { who } = story
  const persona = personaAt(story, event, before)
  const known = before.slice(-MOST_KNOWN).map(({ text }) => text)
  const day = new Date(event.at).toISOString().slice(0, 10)
  const happened = `${day} ${event.name}: ${event.description}`
  const plan = await ask(sessionPointsPrompt, { who, persona, event: happened, known })
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
    rounds: least,
  })
  const talk = rounds.map(({ user, agent }) => `user: ${user}\nagent: ${agent}`)
  const checked = await ask(verifyPointsPrompt, { points, claims, day, rounds: talk })
  const kept = keepVerified(plan, checked, { known, isInit: event.kind === 'init' })
  if (kept.length * 2 < plan.points.length)
    throw new GenerateError(
      `Of ${plan.points.length} planned points the talk holds ${kept.length}, claims included.`,
    )
  const replaced = new Set(kept.flatMap(({ point }) => point.replaces))
  const made = kept.map(({ point }) => point)
  const isClaim = ({ source }: WrittenPoint): boolean => source === 'interference'
  return {
    points: made,
    rounds: rounds.map((round, place) => ({
      ...round,
      points: kept.flatMap((one, index) => (one.round === place + 1 ? [index] : [])),
    })),
    known: [...before.filter(({ text }) => !replaced.has(text)), ...made.filter((point) => !isClaim(point))],
    outdated: [...replaced],
    claimed: made.filter(isClaim).map(({ text }) => text),
  }
}

/** The person as they stand by then: after the introductions, what stays and what was said since (stage 4). */
function personaAt(
  { persona, core }: ModelStory,
  { kind }: LifeEvent,
  before: readonly KnownPoint[],
): string {
  const known = before.filter(({ type }) => type !== 'event').map(({ text }) => text)
  return kind === 'init' || known.length === 0 ? persona : [core, ...known.slice(-MOST_KNOWN)].join('; ')
}

interface Kept {
  readonly point: WrittenPoint
  readonly round: number
}

function keepVerified(
  plan: SessionPointsAnswer,
  checked: VerifyPointsAnswer,
  { known, isInit }: { readonly known: readonly string[]; readonly isInit: boolean },
): Kept[] {
  const stated = plan.points.flatMap(({ type, primary, importance, replaces: numbers }, place): Kept[] => {
    const found = checked.points.find(({ number }) => number === place + 1)
    if (found === undefined || found.round === null) return []
    const replaces = numbers.map((number) => known[number - 1] ?? '')
    // In the published sets what introduces the person has the source `system`.
    const source = isInit ? 'system' : primary ? 'primary' : 'secondary'
    return [{ point: { text: found.text, type, source, importance, replaces }, round: found.round }]
  })
  const claims = plan.claims.flatMap((claim, place): Kept[] => {
    const found = checked.claims.find(({ number }) => number === place + 1)
    if (found === undefined || found.round === null || found.confirmed) return []
    const point = { ...claim, source: 'interference', importance: 0.5, replaces: [] } as const
    return [{ point, round: found.round }]
  })
  return [...stated, ...claims]
}

/** Stage 6 with a language model. @throws GenerateError when it gives no usable answer. */
export async function modelQuestions(
  ask: AskChecked,
  who: string,
  { known, outdated, claimed }: Pick<ModelSession, 'known' | 'outdated' | 'claimed'>,
  types: ReadonlyMap<QuestionType, number>,
): Promise<HalumemQuestion[]> {
  const shown = known.slice(-MOST_KNOWN)
  const points = shown.map(({ text }) => text)
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
    evidence: evidence.flatMap((number) => shown[number - 1] ?? []).map(evidenceOf),
    difficulty,
    question_type: type,
  }))
}
