import type { Draw } from '@keepsake/bench/parts'
import type { Voice } from '../material/voice.ts'
import type { Point } from './point.ts'

/** What the person says and what the agent answers. */
export interface Round {
  readonly user: string
  readonly agent: string
  /** Points stated in it, by index in the session's list; none in small talk. */
  readonly points: readonly number[]
}

/** A session of templates has at least this many rounds. HaluMem's have 21.68 on average, which a model fills with advice. */
const FEWEST_ROUNDS = 10

/**
 * Stage 5 without a language model: a round for each point, small talk between them, and the agent's false claims, which the person
 * ignores.
 */
export function makeDialogue(voice: Voice, points: readonly Point[]): Round[] {
  const { draw, split } = voice
  const { words } = voice.material
  const around = voice.smallTalk()
  const of = (group: 'claims' | 'proposals' | 'stated') =>
    points.flatMap((point, place) => (GROUPS[point.source] === group ? [{ ...point, place }] : []))
  const fresh = freshReplies(draw, words.replies.add)
  const stated = of('stated').map(({ said, reply, place }): Round => {
    return { user: around(said), agent: fresh(reply), points: [place] }
  })
  const spare = FEWEST_ROUNDS - stated.length - of('proposals').length + draw.whole(0, 2)
  const small = draw
    .shuffled(words.small[split])
    .slice(0, Math.max(2, spare))
    .map(([user, agent]): Round => ({ user, agent, points: [] }))
  const rounds = [...stated]
  for (const round of small) rounds.splice(draw.whole(0, rounds.length), 0, round)
  const gaps = draw.shuffled(rounds.slice(0, -1).map((_, gap) => gap))
  for (const [nth, { said, place }] of of('claims').entries()) {
    const gap = gaps[nth]
    if (gap !== undefined) slipIn(voice, rounds, gap, { said, place })
  }
  for (const { said, reply, place } of of('proposals')) {
    const last = rounds.at(-1)
    if (last !== undefined) rounds[rounds.length - 1] = { ...last, agent: voice.join(last.agent, reply) }
    rounds.push({ user: said, agent: draw.pick(words.replies.add), points: [place] })
  }
  return rounds
}

const GROUPS = {
  interference: 'claims',
  system: 'proposals',
  primary: 'stated',
  secondary: 'stated',
} as const

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

/** The agent claims something at the end of an answer; the person goes on with other things. */
function slipIn(
  voice: Voice,
  rounds: Round[],
  gap: number,
  { said, place }: { readonly said: string; readonly place: number },
): void {
  const [round, next] = rounds.slice(gap, gap + 2)
  if (round === undefined || next === undefined) return
  const deflection = voice.draw.pick(voice.material.words.deflections[voice.split])
  rounds[gap] = { ...round, agent: voice.join(round.agent, said), points: [...round.points, place] }
  rounds[gap + 1] = { ...next, user: voice.join(deflection, next.user) }
}
