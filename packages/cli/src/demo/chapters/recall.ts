import type { Recall } from 'keepsake'
import { quote } from '../../output/format-memory.ts'
import { formatConfidence } from '../../output/format-recall.ts'
import { formatDay, formatMilliseconds } from '../../output/format-quantity.ts'
import { printable, wrap } from '../../output/style.ts'
import { memoryOf, type Chapter, type Person, type Stage } from '../stage.ts'

/** What is asked of whom. The last of each was never talked about. */
const ASKED = {
  english: [
    'What is Maya allergic to?',
    'Which books did Juno suggest?',
    'What happened last March?',
    'Does Maya play the piano?',
  ],
  chinese: ['晓雨对什么过敏?', '弟弟想考哪里?', '晓雨开什么车?'],
} as const

export const recall: Chapter = {
  title: 'Recall',
  about:
    'A question brings back what bears on it, with the words that prove it and how sure it is. What was never said should be told apart.',
  async tell(stage) {
    const facts: Record<string, unknown>[] = []
    for (const [person, questions] of [
      [stage.english, ASKED.english],
      [stage.chinese, ASKED.chinese],
    ] as const) {
      for (const question of questions) facts.push(await ask(stage, person, question))
    }
    return { questions: facts }
  },
}

async function ask(stage: Stage, person: Person, question: string): Promise<Record<string, unknown>> {
  const answer = await memoryOf(stage, person).recall(question, { limit: 5, reinforce: false })
  const { style, say } = stage
  say(wrap(style.bold(question), style.width, '   '))
  say(`   ${formatConfidence(answer, style)} ${style.dim(formatMilliseconds(answer.milliseconds))}`)
  if (answer.known) say(...proof(stage, answer))
  say('')
  const { known, confidence, milliseconds } = answer
  return { question, known, confidence, milliseconds, best: answer.memories[0]?.memory.text ?? null }
}

/** The best memory and the turns behind it, as they were said. */
function proof({ style }: Stage, { memories }: Recall): string[] {
  const [best] = memories
  if (best === undefined) return []
  if (best.memory.form === 'utterance') {
    return best.memory.text.split('\n').map((line) => wrap(style.dim(printable(line)), style.width, '     '))
  }
  const evidence = best.evidence
    .filter((one) => one.text !== null)
    .slice(0, 1)
    .map((one) =>
      wrap(
        style.dim(`${quote(printable(one.text ?? ''))} ${one.speaker ?? one.role}, ${formatDay(one.at)}`),
        style.width,
        '     ',
      ),
    )
  return [wrap(printable(best.memory.text), style.width, '     '), ...evidence]
}
