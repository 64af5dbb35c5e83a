import { says } from '../material/fill-template.ts'
import type { Point } from './point.ts'
import type { Round } from './session-dialogue.ts'

/**
 * Self-verification of a session (HaluMem, stage 5), without a language model: every point that is to be remembered
 * is said by the person, and what the agent merely claims is said by the agent and never by the person. Sentences,
 * one a problem; empty when all holds.
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
