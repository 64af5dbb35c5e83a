import { quote } from '../../output/format-memory.ts'
import type { Chapter, Promised, Stage } from '../stage.ts'

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
    'A request in the conversation is carried out: the topic is no longer recalled, neither from its messages nor from the request itself.',
  async tell(stage) {
    const requests: unknown[] = []
    for (const { who, said, name, question } of REQUESTS) {
      const person = stage[who]
      const turns = person.sessions.flatMap((session) => session.turns)
      const request = turns.find(({ text }) => said.test(text))
      if (request !== undefined) stage.paragraph(`${person.name}: ${quote(request.text)}`)
      const { context, memories } = await person.memory.recall(question, { limit: 50, reinforce: false })
      const isGone = !JSON.stringify([context.text, memories]).includes(name)
      stage.putToTest(
        `“${question}” recalls ${memories.length} memories, and ${isGone ? 'none of them mentions' : 'some still mention'} ${name}.`,
        isGone,
        keeperOf(stage),
      )
      stage.say('')
      requests.push({ user: person.user, question, comesBack: !isGone })
    }
    return { requests }
  },
}

/** Without a model the default preset reads requests by rules, and answers for it; the published systems have no such rule. */
function keeperOf({ model, memory }: Stage): Promised['upTo'] {
  if (model !== null) return 'model'
  return memory.preset.name === 'keepsake' ? null : 'preset'
}
