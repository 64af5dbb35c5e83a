import type { LanguageModel } from 'keepsake'
import { askChecked, type AskChecked } from '../ask-checked.ts'
import { seededDraw, type Draw } from '@keepsake/bench/parts'
import { GenerateError } from '../generate-error.ts'
import { allocateQuestions } from './allocate-questions.ts'
import { questionUnits, type QuestionUnit } from './question-units.ts'
import { unrelatedSession, withUnrelatedRounds } from './long-variant.ts'
import { modelLife } from './model-life.ts'
import { modelQuestions, modelSession, type KnownPoint, type ModelSession } from './model-session.ts'
import { QUESTION_TYPES, type HalumemQuestion, type HalumemSession } from './published-form.ts'
import type { MadeUser, UserOptions } from './user-options.ts'
import { writeSession } from './write-session.ts'

export interface Failure {
  readonly what: string
  readonly reason: string
}

export interface ModelUserOutcome {
  /** `null` when the model could not make a life, or any session of it. */
  readonly user: MadeUser | null
  readonly failures: readonly Failure[]
}

/**
 * A user of a HaluMem set with a language model. A failed session is left out and reported; later sessions do not know its points. The Long
 * variant's irrelevant talk comes from our own lists.
 */
export async function modelUser(
  options: Omit<UserOptions, 'split'>,
  model: LanguageModel,
): Promise<ModelUserOutcome> {
  const { seed, place, sessions: count, material, variant } = options
  const { language } = material
  const draw = seededDraw(seed, place)
  const ask = askChecked(model, language)
  const { failures, attempt } = collectFailures()
  const start = draw.pick(material.themes).name
  const story = await attempt(`user ${place + 1}`, () =>
    modelLife(ask, draw, { seed: start, sessions: count, language }),
  )
  if (story === null) return { user: null, failures }
  const sessions: HalumemSession[] = []
  const events = story.events.slice(0, count)
  const units = questionUnits(events)
  const stated: ModelSession[] = []
  let known: readonly KnownPoint[] = []
  for (const [place, event] of events.entries()) {
    const what = `${story.who}, ${event.name}`
    const made = await attempt(what, () =>
      modelSession(ask, story, { event, rounds: draw.whole(ROUNDS.least, ROUNDS.most) }, known),
    )
    if (made === null) continue
    known = made.known
    stated[place] = made
    const unit = units.get(place)
    const questions =
      (unit &&
        (await attempt(`${what}: questions`, () =>
          askQuestions(ask, draw, { unit, stated, who: story.who }),
        ))) ??
      []
    const rounds = variant === 'long' ? withUnrelatedRounds(draw, material, made.rounds) : made.rounds
    sessions.push(writeSession(draw, { at: event.at, points: made.points, rounds, questions }))
    const inserted = variant === 'long' ? unrelatedSession(draw, material, event.at) : null
    if (inserted !== null) sessions.push(inserted)
  }
  const user = { uuid: story.uuid, persona_info: story.personaInfo, sessions }
  return { user: sessions.length === 0 ? null : { user, templates: [], values: [] }, failures }
}

/** HaluMem: 21.68 rounds a session. */
const ROUNDS = { least: 19, most: 24 } as const

/** Collects failures: a GenerateError ends only its own attempt. */
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

/** The contents that a unit may be asked about: its own sessions', and everything that holds. */
interface AskedUnit {
  readonly unit: QuestionUnit
  /** By index; a failed session is absent. */
  readonly stated: readonly ModelSession[]
  readonly who: string
}

/** The unit's allocated questions, as far as its points allow. */
async function askQuestions(
  ask: AskChecked,
  draw: Draw,
  { unit, stated, who }: AskedUnit,
): Promise<HalumemQuestion[]> {
  const sessions = unit.places.flatMap((place) => stated[place] ?? [])
  const [outdated, claimed] = [
    sessions.flatMap((one) => one.outdated),
    sessions.flatMap((one) => one.claimed),
  ]
  const possible = QUESTION_TYPES.filter((type) => {
    if (type === 'Dynamic Update') return outdated.length > 0
    return type !== 'Memory Conflict' || outdated.length + claimed.length > 0
  })
  const types = allocateQuestions(draw, { kind: unit.kind, stages: unit.places.length, possible })
  const own = new Set(sessions.flatMap((one) => one.points.map(({ text }) => text)))
  const known = sessions.at(-1)?.known ?? []
  // The unit's own points come last, since questions are about them.
  const ordered = known.toSorted((a, b) => Number(own.has(a.text)) - Number(own.has(b.text)))
  return modelQuestions(ask, who, { known: ordered, outdated, claimed }, types)
}
