import type { DatasetQuestion, DatasetSession } from '../datasets/conversation.ts'
import type { Talk } from '../datasets/own-talk.ts'

/** The beginning of a talk. */
export interface TakenRounds {
  readonly sessions: readonly DatasetSession[]
  readonly rounds: number
  readonly turns: number
  /** Questions that this part answers, and unanswerable ones. */
  readonly questions: readonly DatasetQuestion[]
  /** Number of questions left out, since some of their evidence (the turns with the answer) comes later. */
  readonly leftOut: number
}

/** Takes the first rounds of a talk. A round is a user turn with its reply. Between two people every turn is a round, because both are users. */
export function takeRounds({ conversation }: Talk, maxRounds: number): TakenRounds {
  const sessions: DatasetSession[] = []
  let rounds = 0
  for (const session of conversation.sessions) {
    const turns = []
    for (const turn of session.turns) {
      if (turn.role === 'user' && rounds === maxRounds) break
      if (turn.role === 'user') rounds += 1
      turns.push(turn)
    }
    if (turns.length > 0) sessions.push({ id: session.id, turns })
    if (turns.length < session.turns.length) break
    // The agent's opening words of the next session belong to the next round.
    if (rounds === maxRounds) break
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
