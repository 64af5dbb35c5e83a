import { GenerateError } from '../generate-error.ts'
import { says } from '../material/fill-template.ts'
import type { Voice } from '../material/voice.ts'
import { unrelatedSession, withUnrelatedRounds } from './long-variant.ts'
import type { LifeEvent } from './make-life.ts'
import { PointBook, type Point } from './point.ts'
import type { HalumemSession } from './published-form.ts'
import { makeDialogue, type Round } from './session-dialogue.ts'
import { makeQuestions, questionUnits } from './session-questions.ts'
import { writeSession } from './write-session.ts'

interface WriteOptions {
  readonly voice: Voice
  /** Whether irrelevant talk is inserted. */
  readonly isLong: boolean
  /** Makes the points of an event. They depend on those of earlier events. */
  readonly makePoints: (event: LifeEvent) => Point[]
}

/** Writes all sessions of a user: points, talk and questions (stages 4 to 6, and the Long variant). */
export function writeSessions(
  { voice, isLong, makePoints }: WriteOptions,
  events: readonly LifeEvent[],
): HalumemSession[] {
  const { draw, material } = voice
  const book = new PointBook()
  const units = questionUnits(events)
  const pointsByEvent: Point[][] = []
  const userTurns: string[] = []
  const sessions: HalumemSession[] = []
  for (const [eventIndex, event] of events.entries()) {
    const points = makePoints(event)
    const dialogue = makeDialogue(voice, points)
    const problems = verifySession(points, dialogue, userTurns)
    if (problems.length > 0)
      throw new GenerateError(`Session ${eventIndex + 1} is wrong: ${problems.join(' ')}`)
    const rounds = isLong ? withUnrelatedRounds(draw, material, dialogue) : dialogue
    book.addSession(points, eventIndex)
    pointsByEvent.push(points)
    userTurns.push(...dialogue.map(({ user }) => user))
    const unit = units.get(eventIndex)
    const pointsOfUnit = unit?.eventIndexes.flatMap((index) => pointsByEvent[index] ?? []) ?? []
    const questions = unit === undefined ? [] : makeQuestions({ voice, book }, unit, pointsOfUnit)
    sessions.push(writeSession(draw, { at: event.at, points, rounds, questions }))
    const unrelated = isLong ? unrelatedSession(draw, material, event.at) : null
    if (unrelated !== null) sessions.push(unrelated)
  }
  return sessions
}

/** Lists problems of a session: a point that the user does not say, or a false claim that the agent omits or the user says. */
export function verifySession(
  points: readonly Point[],
  rounds: readonly Round[],
  spokenBefore: readonly string[] = [],
): readonly string[] {
  const byUser = rounds.map(({ user }) => user)
  const byAgent = rounds.map(({ agent }) => agent)
  return points.flatMap(({ text, source, value }) => {
    if (source !== 'interference')
      return byUser.some((turn) => says(turn, value)) ? [] : [`The person never says "${value}": ${text}`]
    return [
      ...(byAgent.some((turn) => says(turn, value)) ? [] : [`The agent never claims "${value}": ${text}`]),
      ...([...spokenBefore, ...byUser].some((turn) => says(turn, value))
        ? [`The person says "${value}", which is a false claim: ${text}`]
        : []),
    ]
  })
}
