import type { Draw } from '../draw.ts'
import type { Voice } from '../material/voice.ts'
import type { Point } from './point.ts'

/** What the person says and what the agent answers. */
export interface Round {
  readonly user: string
  readonly agent: string
  /** Points told in it, by their place in the session's list; none in small talk. */
  readonly points: readonly number[]
}

/** A session has at least so many rounds. HaluMem's have 21.68 on average; its models fill them with advice. */
export const FEWEST_ROUNDS = 10

/**
 * Stage 5 without a language model: a round for each point, small talk between them, and the agent's false claims,
 * which the person passes over without a yes or a no.
 */
export function makeDialogue(voice: Voice, points: readonly Point[]): Round[] {
  const { draw, split } = voice
  const { words } = voice.material
  const around = voice.smallTalk()
  const places = (group: 'claims' | 'proposals' | 'told') =>
    points.flatMap(({ source }, place) => (GROUPS[source] === group ? [place] : []))
  const fresh = freshReplies(draw, words.replies.add)
  const told = places('told').map((place): Round => {
    const { said, reply } = points[place] ?? NOTHING
    return { user: around(said), agent: fresh(reply), points: [place] }
  })
  const spare = FEWEST_ROUNDS - told.length - places('proposals').length + draw.whole(0, 2)
  const small = draw
    .shuffled(words.small[split])
    .slice(0, Math.max(2, spare))
    .map(([user, agent]): Round => ({ user, agent, points: [] }))
  const rounds = spread(draw, told, small)
  const gaps = draw.shuffled(rounds.slice(0, -1).map((_, gap) => gap))
  for (const [nth, place] of places('claims').entries()) {
    const gap = gaps[nth]
    if (gap !== undefined) slipIn(voice, rounds, gap, points[place]?.said ?? '', place)
  }
  for (const place of places('proposals')) {
    const { said, reply } = points[place] ?? NOTHING
    const last = rounds.at(-1)
    if (last !== undefined) rounds[rounds.length - 1] = { ...last, agent: voice.join(last.agent, reply) }
    rounds.push({ user: said, agent: draw.pick(words.replies.add), points: [place] })
  }
  return rounds
}

const GROUPS = { interference: 'claims', system: 'proposals', primary: 'told', secondary: 'told' } as const
const NOTHING = { said: '', reply: '' }

/** Keeps the agent from repeating a reply in one talk as long as it has others. */
function freshReplies(draw: Draw, others: readonly string[]): (reply: string) => string {
  const used = new Set<string>()
  const spare = draw.shuffled(others)
  return (reply) => {
    const answer = used.has(reply) ? (spare.find((other) => !used.has(other)) ?? reply) : reply
    used.add(answer)
    return answer
  }
}

/** Puts small talk at random places; the rounds keep their order. */
function spread(draw: Draw, told: readonly Round[], small: readonly Round[]): Round[] {
  const rounds = [...told]
  for (const round of small) rounds.splice(draw.whole(0, rounds.length), 0, round)
  return rounds
}

/** The agent claims something at the end of an answer; the person goes on with other things. */
function slipIn(voice: Voice, rounds: Round[], gap: number, claim: string, place: number): void {
  const round = rounds[gap]
  const next = rounds[gap + 1]
  if (round === undefined || next === undefined) return
  const deflection = voice.draw.pick(voice.material.words.deflections[voice.split])
  rounds[gap] = { ...round, agent: voice.join(round.agent, claim), points: [...round.points, place] }
  rounds[gap + 1] = { ...next, user: voice.join(deflection, next.user) }
}
