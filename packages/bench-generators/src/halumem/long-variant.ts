import type { Draw } from '@keepsake/bench/parts'
import type { Material } from '../material/read-material.ts'
import type { HalumemSession } from './published-form.ts'
import type { Round } from './session-dialogue.ts'
import { writeSession } from './write-session.ts'

/** HaluMem-Long has 120.85 sessions per user, Medium 69.35 (table 6), and 120.85 / 69.35 = 1.743. */
const SHARE_FOLLOWED_BY_NEW_SESSION = 0.743
/** The paper inserts half a round per session on average (22.14 rounds instead of 21.68). Here it is at least one, so that every session differs. */
const ROUNDS_PER_EXISTING_SESSION = { min: 1, max: 2 } as const
const ROUNDS_PER_NEW_SESSION = { min: 10, max: 14 } as const
const HALF_DAY_MS = 43_200_000

/** Makes a round unrelated to the user: a fact from a list, or a random calculation. */
function unrelatedRound(draw: Draw, { unrelated, language }: Material): Round {
  const { user, agent } = draw.chance(0.6) ? draw.pick(unrelated) : randomCalculation(draw, language)
  return { user, agent, points: [] }
}

function randomCalculation(draw: Draw, language: Material['language']): Pick<Round, 'user' | 'agent'> {
  const [a, b] = [draw.whole(12, 98), draw.whole(103, 987)]
  if (draw.chance(0.5))
    return language === 'zh'
      ? { user: `${a}乘${b}等于多少？`, agent: `等于${a * b}。` }
      : { user: `What's ${a} times ${b}?`, agent: `That's ${a * b}.` }
  return language === 'zh'
    ? { user: `${b}的百分之${a}是多少？`, agent: `是${(a * b) / 100}。` }
    : { user: `How much is ${a} per cent of ${b}?`, agent: `It's ${(a * b) / 100}.` }
}

/** Inserts unrelated rounds at random positions of a session. */
export function withUnrelatedRounds(draw: Draw, material: Material, rounds: readonly Round[]): Round[] {
  const result = [...rounds]
  const count = draw.whole(ROUNDS_PER_EXISTING_SESSION.min, ROUNDS_PER_EXISTING_SESSION.max)
  for (let nth = 0; nth < count; nth += 1)
    result.splice(draw.whole(1, result.length), 0, unrelatedRound(draw, material))
  return result
}

/** Makes a session of unrelated talk half a day after another session; `null`: chance decided against it. */
export function unrelatedSession(draw: Draw, material: Material, after: number): HalumemSession | null {
  if (!draw.chance(SHARE_FOLLOWED_BY_NEW_SESSION)) return null
  const count = draw.whole(ROUNDS_PER_NEW_SESSION.min, ROUNDS_PER_NEW_SESSION.max)
  const rounds = Array.from({ length: count }, () => unrelatedRound(draw, material))
  const session = writeSession(draw, { at: after + HALF_DAY_MS, points: [], rounds, questions: [] })
  return { ...session, is_generated_qa_session: true }
}
