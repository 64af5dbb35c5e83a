import type { DatasetQuestion, DatasetSession } from '../datasets/conversation.ts'
import type { Talk } from '../datasets/own-talk.ts'

/** The beginning of a talk. */
export interface TakenRounds {
  readonly sessions: readonly DatasetSession[]
  readonly rounds: number
  readonly turns: number
  /** Questions that this part can answer, and those that nothing answers. */
  readonly questions: readonly DatasetQuestion[]
  /** Questions left out since some of what answers them comes later. */
  readonly leftOut: number
}

/**
 * The first rounds of a talk. A round is a turn of a user with what the agent says to it, as the engine counts
 * them: where people talk to each other, both in the role `user`, every turn is one.
 */
export function takeRounds({ conversation }: Talk, most: number): TakenRounds {
  const sessions: DatasetSession[] = []
  let rounds = 0
  for (const session of conversation.sessions) {
    const turns = []
    for (const turn of session.turns) {
      if (turn.role === 'user' && rounds === most) break
      if (turn.role === 'user') rounds += 1
      turns.push(turn)
    }
    if (turns.length > 0) sessions.push({ id: session.id, turns })
    if (turns.length < session.turns.length) break
    // An agent's opening words of the next session would belong to the round that is not taken.
    if (rounds === most) break
  }
  const taken = new Set(
    sessions.flatMap(({ turns }) => turns.map(({ id }) => conversation.unitOf.get(id) ?? id)),
  )
  const questions = conversation.questions.filter(({ evidence }) => evidence.every((unit) => taken.has(unit)))
  return {
    sessions,
    rounds,
    turns: sessions.reduce((sum, { turns }) => sum + turns.length, 0),
    questions,
    leftOut: conversation.questions.length - questions.length,
  }
}
