import { quote } from '../../output/format-memory.ts'
import { wrap } from '../../output/style.ts'
import { memoryOf, putToTest, type Chapter, type Person, type Promised, type Stage } from '../stage.ts'

/** Who asked for what to be forgotten, a name that must not come back, and a question that would bring it back. */
const REQUESTS = [
  {
    who: 'english',
    said: /please forget what I said/i,
    name: 'Tom',
    question: 'Which colleague is interviewing at another hospital?',
  },
  { who: 'chinese', said: /请忘掉/, name: '李航', question: '谁给晓雨发消息了?' },
] as const

export const forgetRequest: Chapter = {
  // Presets that keep nothing but what was said do not read it for requests.
  isTold: ({ memory }) => memory.preset.branches.some((branch) => branch.kind === 'facts'),
  title: '“Please forget that”',
  about:
    'Said in the talk, it is done: what it was about leaves recall, and comes back neither through the turns it came from nor through the request itself.',
  async tell(stage) {
    const facts: unknown[] = []
    for (const { who, said, name, question } of REQUESTS) {
      const person = stage[who]
      showRequest(stage, person, said)
      const recall = await memoryOf(stage, person).recall(question, { limit: 50, reinforce: false })
      const handedOut = JSON.stringify([recall.context.text, recall.memories])
      const isGone = !handedOut.includes(name)
      putToTest(
        stage,
        `Asked “${question}”: ${recall.memories.length} memories come back, and ${isGone ? 'none names' : 'there still is'} ${name}.`,
        isGone,
        keeperOf(stage),
      )
      stage.say('')
      facts.push({ user: person.user, question, comesBack: !isGone })
    }
    return { requests: facts }
  },
}

/** Without a model the default preset reads requests by rules, and answers for it; the published systems have no such rule. */
function keeperOf({ model, memory }: Stage): Promised['upTo'] {
  if (model !== null) return 'model'
  return memory.preset.name === 'keepsake' ? null : 'preset'
}

function showRequest({ say, style }: Stage, person: Person, said: RegExp): void {
  const turn = person.sessions.flatMap((session) => session.turns).find((one) => said.test(one.text))
  if (turn !== undefined) say(wrap(`${person.name}: ${quote(turn.text)}`, style.width, '   '))
}
