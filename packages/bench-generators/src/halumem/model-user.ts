import type { LanguageModel } from 'keepsake'
import { askChecked, type AskChecked } from '../ask-checked.ts'
import { seededDraw, type Draw } from '@keepsake/bench/parts'
import { GenerateError } from '../generate-error.ts'
import { unrelatedSession, withUnrelatedRounds } from './long-variant.ts'
import { modelLife, type ModelStory } from './model-life.ts'
import { modelQuestions, modelSession, type KnownPoint, type ModelSession } from './model-session.ts'
import {
  QUESTION_TYPES,
  type HalumemQuestion,
  type HalumemSession,
  type QuestionType,
} from './published-form.ts'
import type { MadeUser, UserOptions } from './user-options.ts'
import { writeSession } from './write-session.ts'

export interface Failure {
  readonly what: string
  readonly reason: string
}

export interface ModelUserOutcome {
  /** `null` when the model could not make a life, or not one session of it. */
  readonly user: MadeUser | null
  readonly failures: readonly Failure[]
}

const QUESTIONS_PER_SESSION = 3

/**
 * A user of a HaluMem set with a language model. A session that fails is left out and reported; what it would have
 * told is then unknown to those after it. The Long variant's irrelevant talk is drawn from our own lists.
 *
 * @param published a life whose stages 1 to 3 are there already; `null` when the model makes them
 */
export async function modelUser(
  options: Omit<UserOptions, 'split'>,
  model: LanguageModel,
  published: ModelStory | null,
): Promise<ModelUserOutcome> {
  const { seed, place, sessions: count, material, variant } = options
  const { language } = material
  const draw = seededDraw(seed, place)
  const ask = askChecked(model, language)
  const { failures, attempt } = collectFailures()
  const start = draw.pick(material.themes).name
  const story =
    published ??
    (await attempt(`user ${place + 1}`, () =>
      modelLife(ask, draw, { seed: start, sessions: count, language }),
    ))
  if (story === null) return { user: null, failures }
  const sessions: HalumemSession[] = []
  const asked = new Map<QuestionType, number>()
  let known: readonly KnownPoint[] = []
  for (const event of story.events.slice(0, count)) {
    const what = `${story.who}, ${event.name}`
    const made = await attempt(what, () => modelSession(ask, story, event, known))
    if (made === null) continue
    known = made.known
    const questions =
      (await attempt(`${what}: questions`, () =>
        askQuestions(ask, draw, { ...made, who: story.who }, asked),
      )) ?? []
    const rounds = variant === 'long' ? withUnrelatedRounds(draw, material, made.rounds) : made.rounds
    sessions.push(writeSession(draw, { at: event.at, points: made.points, rounds, questions }))
    const inserted = variant === 'long' ? unrelatedSession(draw, material, event.at) : null
    if (inserted !== null) sessions.push(inserted)
  }
  const user = { uuid: story.uuid, persona_info: story.personaInfo, sessions }
  return { user: sessions.length === 0 ? null : { user, templates: [], values: [] }, failures }
}

/** Attempts of which a GenerateError ends no more than the one. */
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

/** Of the types that this session allows, those that were asked least so far. */
async function askQuestions(
  ask: AskChecked,
  draw: Draw,
  { who, outdated, claimed, known }: ModelSession & Pick<ModelStory, 'who'>,
  asked: Map<QuestionType, number>,
): Promise<HalumemQuestion[]> {
  const types = draw
    .shuffled(QUESTION_TYPES)
    .filter((type) => type !== 'Dynamic Update' || outdated.length > 0)
    .filter((type) => type !== 'Memory Conflict' || outdated.length + claimed.length > 0)
    .sort((a, b) => (asked.get(a) ?? 0) - (asked.get(b) ?? 0))
    .slice(0, QUESTIONS_PER_SESSION)
  const questions = await modelQuestions(ask, who, { known, outdated, claimed }, types)
  for (const type of types) asked.set(type, (asked.get(type) ?? 0) + 1)
  return questions
}
