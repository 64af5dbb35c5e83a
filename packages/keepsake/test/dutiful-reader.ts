import { says, type Asked, type Reply } from './model-endpoint.ts'
import { fact, segmentAnswer } from './script-model.ts'

const TURN = /^\[(\d+)\] (?:[^"]*? )?(user|agent)(?: \([^)]*\))?: "(.*)"$/gm
const STATEMENT = /\bI (feed|mend|bake|play|keep) (\w+)/

/** What there is to tell of turns such as "I feed otters": a fact each, and a summary. */
export function readSegment(words: string): object {
  const shown = /<turns>\n([\s\S]*?)\n<\/turns>/.exec(words)?.[1] ?? ''
  const facts = [...shown.matchAll(TURN)].flatMap(([, turn, role, said = '']) => {
    const found = STATEMENT.exec(said)
    return found === null || role !== 'user'
      ? []
      : [{ turn: Number(turn), quote: found[0], text: `The user ${found[1]}s ${found[2]}.` }]
  })
  return segmentAnswer(
    facts.map(({ text, turn, quote }) => fact(text, turn, quote)),
    { summary: facts.map(({ text }) => text).join(' ') },
  )
}

/** A model that does what each prompt asks, as far as turns such as "I feed otters" need it. */
export function answerDutifully({ prompt, words }: Asked): Reply {
  switch (prompt) {
    case 'segment':
      return says(readSegment(words))
    case 'ground':
      return says({ verdicts: [{ statement: 1, reason: 'nobody said so', verdict: 'not-supported' }] })
    case 'settle':
      return says({ verdicts: [] })
    case 'choose_meant':
      return says({ turns: [], memories: [], names: [] })
    case 'compress_portrait':
    case 'renew_portrait':
      return says({ user: 'Feeds otters.', relationship: '', events: '' })
    case 'story_summary':
      return says({ sentences: [{ text: 'The user feeds animals.', turns: [1, 2, 3, 4] }] })
    default:
      throw new Error(`nothing is scripted for ${prompt}`)
  }
}
