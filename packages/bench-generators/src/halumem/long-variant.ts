import type { Draw } from '@keepsake/bench/parts'
import type { Material } from '../material/read-material.ts'
import type { HalumemSession } from './published-form.ts'
import type { Round } from './session-dialogue.ts'
import { writeSession } from './write-session.ts'

/** HaluMem-Long has 120.85 sessions a user, Medium 69.35 (table 6): 0.743 more for each session. */
const SHARE_FOLLOWED_BY_NEW_SESSION = 0.743
/** The paper inserts half a round per session on average (21.68 become 22.14); at least one makes every session differ. */
const ROUNDS_PER_EXISTING_SESSION = { least: 1, most: 2 } as const
const ROUNDS_PER_NEW_SESSION = { least: 10, most: 14 } as const
const HALF_DAY = 43_200_000

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
  const count = draw.whole(ROUNDS_PER_EXISTING_SESSION.least, ROUNDS_PER_EXISTING_SESSION.most)
  for (let nth = 0; nth < count; nth += 1)
    result.splice(draw.whole(1, result.length), 0, unrelatedRound(draw, material))
  return result
}

/** Makes a session of unrelated talk half a day after another one, or returns `null` by chance. */
export function unrelatedSession(draw: Draw, material: Material, after: number): HalumemSession | null {
  if (!draw.chance(SHARE_FOLLOWED_BY_NEW_SESSION)) return null
  const count = draw.whole(ROUNDS_PER_NEW_SESSION.least, ROUNDS_PER_NEW_SESSION.most)
  const rounds = Array.from({ length: count }, () => unrelatedRound(draw, material))
  const session = writeSession(draw, { at: after + HALF_DAY, points: [], rounds, questions: [] })
  return { ...session, is_generated_qa_session: true }
}
