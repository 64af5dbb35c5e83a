import type { RecalledMemory } from 'keepsake'
import { formatMilliseconds } from '../../output/format-quantity.ts'
import { formatConfidence, formatEvidence } from '../../output/format-recall.ts'
import { printable, setIn, wrap, type Style } from '../../output/style.ts'
import type { Chapter, Person, Stage } from '../stage.ts'

/** What is asked of whom. The last of each was never talked about. */
const ASKED = {
  english: [
    'What is Maya allergic to?',
    'Which books did Juno suggest?',
    'When did Maya break her ankle?',
    'Has Maya ever been to Japan?',
  ],
  chinese: ['晓雨对什么过敏?', '弟弟想考哪里?', '晓雨结婚了吗?'],
} as const

export const recall: Chapter = {
  title: 'Recall',
  about:
    'A question returns relevant memories, with the messages that support them and the confidence. Things never mentioned get a low confidence.',
  async tell(stage) {
    const questions: object[] = []
    for (const who of ['english', 'chinese'] as const) {
      for (const question of ASKED[who]) questions.push(await ask(stage, stage[who], question))
    }
    return { questions }
  },
}

async function ask({ style, say, paragraph }: Stage, { memory }: Person, question: string): Promise<object> {
  const answer = await memory.recall(question, { limit: 5, reinforce: false })
  const { known, confidence, milliseconds, memories } = answer
  const [best] = memories
  paragraph(style.bold(question))
  say(`   ${formatConfidence(answer, style)} ${style.dim(formatMilliseconds(milliseconds))}`)
  if (known && best !== undefined) say(setIn(style, 5, (narrow) => formatProof(best, narrow)))
  say('')
  return { question, known, confidence, milliseconds, best: best?.memory.text ?? null }
}

/** A memory and the first turn behind it, as it was said. */
function formatProof({ memory, evidence }: RecalledMemory, style: Style): string {
  const text = printable(memory.text)
  if (memory.form === 'utterance')
    return text
      .split('\n')
      .map((line) => wrap(style.dim(line), style.width))
      .join('\n')
  const said = evidence.find((one) => one.text !== null)
  return [wrap(text, style.width), ...(said === undefined ? [] : [formatEvidence(said, style)])].join('\n')
}
