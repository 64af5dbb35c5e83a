import type { Draw } from '@keepsake/bench/parts'
import type { Voice } from '../material/voice.ts'
import type { Point } from './point.ts'

/** A turn of the user and the agent's answer. */
export interface Round {
  readonly user: string
  readonly agent: string
  /** Indexes of the session's points that the round states; empty for small talk. */
  readonly points: readonly number[]
}

/** HaluMem's sessions have 21.68 rounds on average. Most of these are advice, which templates cannot write. */
const MIN_ROUNDS = 10

/** The group of each source (HaluMem, table 2): false claims of the agent, accepted proposals of the agent, and what the user states. */
const GROUPS = {
  interference: 'claims',
  system: 'proposals',
  primary: 'statements',
  secondary: 'statements',
} as const

type IndexedPoint = Point & { readonly index: number }

/** Makes a session's talk without a model (stage 5): a round for each point, small talk, and the agent's false claims, which the user ignores. */
export function makeDialogue(voice: Voice, points: readonly Point[]): Round[] {
  const indexed = points.map((point, index): IndexedPoint => ({ ...point, index }))
  const {
    claims = [],
    proposals = [],
    statements = [],
  } = Object.groupBy(indexed, ({ source }) => GROUPS[source])
  const rounds = statementRounds(voice, statements)
  insertSmallTalk(voice, rounds, MIN_ROUNDS - statements.length - proposals.length)
  const positions = voice.draw.shuffled([...rounds.keys()].slice(0, -1))
  for (const [nth, claim] of claims.entries()) {
    const position = positions[nth]
    if (position !== undefined) insertFalseClaim(voice, rounds, position, claim)
  }
  for (const proposal of proposals) appendProposal(voice, rounds, proposal)
  return rounds
}

function statementRounds(voice: Voice, points: readonly IndexedPoint[]): Round[] {
  const addSmallTalk = voice.smallTalk()
  const withoutRepeat = unrepeatedReplies(voice.draw, voice.material.words.replies.add)
  return points.map(({ said, reply, index }): Round => {
    return { user: addSmallTalk(said), agent: withoutRepeat(reply), points: [index] }
  })
}

/** Inserts rounds of small talk at random positions: as many as are missing and up to two more, but at least two. */
function insertSmallTalk({ draw, split, material }: Voice, rounds: Round[], missing: number): void {
  const count = Math.max(2, missing + draw.whole(0, 2))
  for (const [user, agent] of draw.shuffled(material.words.small[split]).slice(0, count))
    rounds.splice(draw.whole(0, rounds.length), 0, { user, agent, points: [] })
}

/** The agent proposes something at the end of its last answer, and the user accepts it in a new round. */
function appendProposal(voice: Voice, rounds: Round[], { said, reply, index }: IndexedPoint): void {
  const last = rounds.at(-1)
  if (last !== undefined) rounds[rounds.length - 1] = { ...last, agent: voice.join(last.agent, reply) }
  rounds.push({ user: said, agent: voice.draw.pick(voice.material.words.replies.add), points: [index] })
}

/** Returns a function that replaces a repeated reply by one that was not used yet, if there is one. */
function unrepeatedReplies(draw: Draw, alternatives: readonly string[]): (reply: string) => string {
  const used = new Set<string>()
  const shuffled = draw.shuffled(alternatives)
  return (reply) => {
    const answer = used.has(reply) ? (shuffled.find((other) => !used.has(other)) ?? reply) : reply
    used.add(answer)
    return answer
  }
}

/** The agent makes a false claim at the end of an answer. The user's next turn ignores it. */
function insertFalseClaim(
  voice: Voice,
  rounds: Round[],
  position: number,
  { said, index }: IndexedPoint,
): void {
  const [round, next] = rounds.slice(position, position + 2)
  if (round === undefined || next === undefined) return
  const deflection = voice.draw.pick(voice.material.words.deflections[voice.split])
  rounds[position] = { ...round, agent: voice.join(round.agent, said), points: [...round.points, index] }
  rounds[position + 1] = { ...next, user: voice.join(deflection, next.user) }
}
