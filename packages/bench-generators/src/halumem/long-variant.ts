import type { Draw } from '@keepsake/bench/parts'
import type { Material } from '../material/read-material.ts'
import type { HalumemSession } from './published-form.ts'
import type { Round } from './session-dialogue.ts'
import { writeSession } from './write-session.ts'

/** HaluMem-Long has 120.85 sessions a user where Medium has 69.35 (table 6): this many are inserted per session. */
const INSERTED_PER_SESSION = 0.743
/** Its rounds per session grow only from 21.68 to 22.14; inserting one or two is more. */
const INSERTED_ROUNDS = { least: 1, most: 2 } as const
const ROUNDS_OF_INSERTED = { least: 10, most: 14 } as const
const HALF_DAY = 43_200_000

/** Draws a round unrelated to the person: a fact from a list, or one of endless sums. */
function unrelatedRound(draw: Draw, { unrelated, language }: Material): Round {
  const { user, agent } = draw.chance(0.6) ? draw.pick(unrelated) : sum(draw, language)
  return { user, agent, points: [] }
}

function sum(draw: Draw, language: Material['language']): Pick<Round, 'user' | 'agent'> {
  const [a, b] = [draw.whole(12, 98), draw.whole(103, 987)]
  if (draw.chance(0.5))
    return language === 'zh'
      ? { user: `${a}乘${b}等于多少？`, agent: `等于${a * b}。` }
      : { user: `What's ${a} times ${b}?`, agent: `That's ${a * b}.` }
  return language === 'zh'
    ? { user: `${b}的百分之${a}是多少？`, agent: `是${(a * b) / 100}。` }
    : { user: `How much is ${a} per cent of ${b}?`, agent: `It's ${(a * b) / 100}.` }
}

/** Puts unrelated rounds into a session's talk. */
export function withUnrelatedRounds(draw: Draw, material: Material, rounds: readonly Round[]): Round[] {
  const whole = [...rounds]
  const count = draw.whole(INSERTED_ROUNDS.least, INSERTED_ROUNDS.most)
  for (let nth = 0; nth < count; nth += 1)
    whole.splice(draw.whole(1, whole.length), 0, unrelatedRound(draw, material))
  return whole
}

/** A flagged session of irrelevant talk half a day after another one; `null` where none is inserted. */
export function unrelatedSession(draw: Draw, material: Material, after: number): HalumemSession | null {
  if (!draw.chance(INSERTED_PER_SESSION)) return null
  const count = draw.whole(ROUNDS_OF_INSERTED.least, ROUNDS_OF_INSERTED.most)
  const rounds = Array.from({ length: count }, () => unrelatedRound(draw, material))
  const session = writeSession(draw, { at: after + HALF_DAY, points: [], rounds, questions: [] })
  return { ...session, is_generated_qa_session: true }
}
