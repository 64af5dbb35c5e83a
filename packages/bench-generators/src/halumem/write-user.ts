import { GenerateError } from '../generate-error.ts'
import { says } from '../material/fill-template.ts'
import type { Voice } from '../material/voice.ts'
import { unrelatedSession, withUnrelatedRounds } from './long-variant.ts'
import { PointBook, type LifeEvent, type Point } from './point.ts'
import type { HalumemSession } from './published-form.ts'
import { questionUnits } from './question-units.ts'
import { makeDialogue, type Round } from './session-dialogue.ts'
import { makeQuestions } from './session-questions.ts'
import type { HalumemVariant, MadeUser, SaidValue } from './user-options.ts'
import { writeSession } from './write-session.ts'

interface UserHeader {
  readonly uuid: string
  readonly personaInfo: string
  readonly variant: HalumemVariant
}

/** An event with its planned points, which depend on earlier ones and are made in turn. */
export interface PlannedSession {
  readonly event: LifeEvent
  readonly points: () => Point[]
}

/**
 * Stages 5 and 6 over the sessions in order, and the Long variant, without a language model.
 *
 * @throws GenerateError when a session does not say what it should.
 */
export function writeUser(
  voice: Voice,
  { uuid, personaInfo, variant }: UserHeader,
  planned: readonly PlannedSession[],
): MadeUser {
  const { draw, material } = voice
  const book = new PointBook()
  const units = questionUnits(planned.map(({ event }) => event))
  const stated: Point[][] = []
  const spoken: string[] = []
  const sessions: HalumemSession[] = []
  const values: SaidValue[] = []
  for (const [place, { event, points: makePoints }] of planned.entries()) {
    const points = makePoints()
    const talk = makeDialogue(voice, points)
    const problems = verifySession(points, talk, spoken)
    if (problems.length > 0)
      throw new GenerateError(`The session "${event.name}" is wrong: ${problems.join(' ')}`)
    const rounds = variant === 'long' ? withUnrelatedRounds(draw, material, talk) : talk
    book.enter(points, place)
    stated.push(points)
    const unit = units.get(place)
    const questions =
      unit === undefined
        ? []
        : makeQuestions(
            { voice, book },
            unit,
            unit.places.flatMap((one) => stated[one] ?? []),
          )
    const session = sessions.length
    values.push(...points.map(({ value }, index) => ({ uuid, session, index: index + 1, value })))
    sessions.push(writeSession(draw, { at: event.at, points, rounds, questions }))
    spoken.push(...talk.map(({ user }) => user))
    const inserted = variant === 'long' ? unrelatedSession(draw, material, event.at) : null
    if (inserted !== null) sessions.push(inserted)
  }
  return {
    user: { uuid, persona_info: personaInfo, sessions },
    templates: [...voice.used],
    values,
  }
}

/**
 * Self-verification of a session (HaluMem, stage 5), without a language model: every point that is to be remembered is said by the person,
 * and what the agent merely claims is said by the agent and never by the person. Sentences, one a problem; empty when all holds.
 *
 * @param spokenBefore what the person said in earlier sessions
 */
export function verifySession(
  points: readonly Point[],
  rounds: readonly Round[],
  spokenBefore: readonly string[] = [],
): readonly string[] {
  const byPerson = rounds.map(({ user }) => user)
  const byAgent = rounds.map(({ agent }) => agent)
  return points.flatMap(({ text, source, value }) => {
    if (source !== 'interference')
      return byPerson.some((turn) => says(turn, value)) ? [] : [`The person never says "${value}": ${text}`]
    return [
      ...(byAgent.some((turn) => says(turn, value)) ? [] : [`The agent never claims "${value}": ${text}`]),
      ...([...spokenBefore, ...byPerson].some((turn) => says(turn, value))
        ? [`The person says "${value}", which is a false claim: ${text}`]
        : []),
    ]
  })
}
