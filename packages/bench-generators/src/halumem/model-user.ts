import type { LanguageModel } from 'keepsake'
import { askChecked, type AskChecked } from '../ask-checked.ts'
import { seededDraw, type Draw } from '@keepsake/bench/parts'
import { GenerateError } from '../generate-error.ts'
import { allocateQuestions } from './allocate-questions.ts'
import { questionUnits, type QuestionUnit } from './question-units.ts'
import { unrelatedSession, withUnrelatedRounds } from './long-variant.ts'
import { modelLife, type ModelStory } from './model-life.ts'
import { modelQuestions, modelSession, type KnownPoint, type ModelSession } from './model-session.ts'
import { QUESTION_TYPES, type HalumemQuestion, type HalumemSession } from './published-form.ts'
import type { GeneratedUser, UserOptions } from './user-options.ts'
import { writeSession } from './write-session.ts'

/** A part that a model could not make. */
export interface Failure {
  /** The part's name: `user 1`. */
  readonly what: string
  readonly reason: string
}

export interface ModelUserOutcome {
  /** `null`: the model could not make a life, or not one session of it. */
  readonly user: GeneratedUser | null
  readonly failures: readonly Failure[]
}

/**
 * Makes a user of a HaluMem set with a language model. A failed session is left out and reported; later sessions do not know its points.
 */
export async function modelUser(
  options: Omit<UserOptions, 'split'>,
  model: LanguageModel,
): Promise<ModelUserOutcome> {
  const { seed, userIndex, material } = options
  const { language } = material
  const draw = seededDraw(seed, userIndex)
  const ask = askChecked(model, language)
  const { failures, attempt } = collectFailures()
  const theme = draw.pick(material.themes).name
  const story = await attempt(`user ${userIndex + 1}`, () =>
    modelLife(ask, draw, { seed: theme, sessions: options.sessions, language }),
  )
  if (story === null) return { user: null, failures }
  const sessions = await makeSessions({ ask, draw, attempt, story }, options)
  const user = { uuid: story.uuid, persona_info: story.personaInfo, sessions }
  return { user: sessions.length === 0 ? null : { user, templates: [], values: [] }, failures }
}

interface SessionTools {
  readonly ask: AskChecked
  readonly draw: Draw
  readonly attempt: ReturnType<typeof collectFailures>['attempt']
  readonly story: ModelStory
}

/** Makes a session for each event of the story. In the Long variant, our own lists supply the unrelated talk. */
async function makeSessions(
  { ask, draw, attempt, story }: SessionTools,
  { sessions: count, material, variant }: Omit<UserOptions, 'split'>,
): Promise<HalumemSession[]> {
  const sessions: HalumemSession[] = []
  const events = story.events.slice(0, count)
  const units = questionUnits(events)
  const sessionsByEvent: ModelSession[] = []
  let known: readonly KnownPoint[] = []
  for (const [eventIndex, event] of events.entries()) {
    const name = `${story.who}, ${event.name}`
    const session = await attempt(name, () =>
      modelSession(ask, story, { event, rounds: draw.whole(ROUNDS.min, ROUNDS.max) }, known),
    )
    if (session === null) continue
    known = session.known
    sessionsByEvent[eventIndex] = session
    const unit = units.get(eventIndex)
    const makeQuestions = async () =>
      unit === undefined ? [] : askQuestions(ask, draw, { unit, sessionsByEvent, who: story.who })
    const questions = (await attempt(`${name}: questions`, makeQuestions)) ?? []
    const rounds = variant === 'long' ? withUnrelatedRounds(draw, material, session.rounds) : session.rounds
    sessions.push(writeSession(draw, { at: event.at, points: session.points, rounds, questions }))
    const unrelated = variant === 'long' ? unrelatedSession(draw, material, event.at) : null
    if (unrelated !== null) sessions.push(unrelated)
  }
  return sessions
}

/** HaluMem's sessions have 21.68 rounds on average. */
const ROUNDS = { min: 19, max: 24 } as const

/** Returns `attempt`, which catches a GenerateError, adds it to `failures` and returns `null`. */
function collectFailures() {
  const failures: Failure[] = []
  const attempt = async <Made>(what: string, make: () => Promise<Made>): Promise<Made | null> => {
    try {
      return await make()
    } catch (error) {
      if (!(error instanceof GenerateError)) throw error
      failures.push({ what, reason: error.message })
      return null
    }
  }
  return { failures, attempt }
}

/** The events of a unit's questions, with the sessions made so far. */
interface UnitInput {
  readonly unit: QuestionUnit
  /** Sessions by the index of their event. A failed session is absent. */
  readonly sessionsByEvent: readonly ModelSession[]
  readonly who: string
}

/** Makes the questions of a unit, of the types that its points allow. */
async function askQuestions(
  ask: AskChecked,
  draw: Draw,
  { unit, sessionsByEvent, who }: UnitInput,
): Promise<HalumemQuestion[]> {
  const sessions = unit.eventIndexes.flatMap((eventIndex) => sessionsByEvent[eventIndex] ?? [])
  const outdated = sessions.flatMap((session) => session.outdated)
  const claimed = sessions.flatMap((session) => session.claimed)
  const possible = QUESTION_TYPES.filter((type) => {
    if (type === 'Dynamic Update') return outdated.length > 0
    return type !== 'Memory Conflict' || outdated.length + claimed.length > 0
  })
  const types = allocateQuestions(draw, { kind: unit.kind, stages: unit.eventIndexes.length, possible })
  const unitTexts = new Set(sessions.flatMap((one) => one.points.map(({ text }) => text)))
  const known = sessions.at(-1)?.known ?? []
  // The unit's own points come last, since questions are about them.
  const ordered = known.toSorted((a, b) => Number(unitTexts.has(a.text)) - Number(unitTexts.has(b.text)))
  return modelQuestions(ask, who, { known: ordered, outdated, claimed }, types)
}
