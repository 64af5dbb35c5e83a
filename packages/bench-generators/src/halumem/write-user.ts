import { GenerateError } from '../generate-error.ts'
import { says } from '../material/fill-template.ts'
import type { Voice } from '../material/voice.ts'
import { unrelatedSession, withUnrelatedRounds } from './long-variant.ts'
import { PointBook, type LifeEvent, type Point } from './point.ts'
import type { HalumemSession } from './published-form.ts'
import { questionUnits } from './question-units.ts'
import { makeDialogue, type Round } from './session-dialogue.ts'
import { makeQuestions } from './session-questions.ts'
import type { HalumemVariant, GeneratedUser, PointValue } from './user-options.ts'
import { writeSession } from './write-session.ts'

interface UserHeader {
  readonly uuid: string
  readonly personaInfo: string
  readonly variant: HalumemVariant
}

/** An event and a function that makes its points. It must be called after those of earlier events, whose points it depends on. */
export interface PlannedSession {
  readonly event: LifeEvent
  readonly makePoints: () => Point[]
}

/** Writes all sessions of a user without a language model (stages 5 and 6, and the Long variant). */
export function writeUser(
  voice: Voice,
  { uuid, personaInfo, variant }: UserHeader,
  planned: readonly PlannedSession[],
): GeneratedUser {
  const { draw, material } = voice
  const book = new PointBook()
  const units = questionUnits(planned.map(({ event }) => event))
  const pointsByEvent: Point[][] = []
  const userTurns: string[] = []
  const sessions: HalumemSession[] = []
  const values: PointValue[] = []
  for (const [eventIndex, { event, makePoints }] of planned.entries()) {
    const points = makePoints()
    const dialogue = makeDialogue(voice, points)
    const problems = verifySession(points, dialogue, userTurns)
    if (problems.length > 0)
      throw new GenerateError(`The session "${event.name}" is wrong: ${problems.join(' ')}`)
    const rounds = variant === 'long' ? withUnrelatedRounds(draw, material, dialogue) : dialogue
    book.addSession(points, eventIndex)
    pointsByEvent.push(points)
    const unit = units.get(eventIndex)
    const questions =
      unit === undefined
        ? []
        : makeQuestions(
            { voice, book },
            unit,
            unit.eventIndexes.flatMap((index) => pointsByEvent[index] ?? []),
          )
    const session = sessions.length
    values.push(...points.map(({ value }, index) => ({ uuid, session, index: index + 1, value })))
    sessions.push(writeSession(draw, { at: event.at, points, rounds, questions }))
    userTurns.push(...dialogue.map(({ user }) => user))
    const unrelated = variant === 'long' ? unrelatedSession(draw, material, event.at) : null
    if (unrelated !== null) sessions.push(unrelated)
  }
  return { user: { uuid, persona_info: personaInfo, sessions }, templates: [...voice.used], values }
}

/** Lists problems of a session: a point that the user does not say, or a false claim that the agent omits or the user says. */
export function verifySession(
  points: readonly Point[],
  rounds: readonly Round[],
  spokenBefore: readonly string[] = [],
): readonly string[] {
  const userTurns = rounds.map(({ user }) => user)
  const agentTurns = rounds.map(({ agent }) => agent)
  return points.flatMap(({ text, source, value }) => {
    if (source !== 'interference')
      return userTurns.some((turn) => says(turn, value)) ? [] : [`The person never says "${value}": ${text}`]
    return [
      ...(agentTurns.some((turn) => says(turn, value)) ? [] : [`The agent never claims "${value}": ${text}`]),
      ...([...spokenBefore, ...userTurns].some((turn) => says(turn, value))
        ? [`The person says "${value}", which is a false claim: ${text}`]
        : []),
    ]
  })
}
