import { formatExplanation } from '../../output/format-explanation.ts'
import { memoryOf, type Chapter } from '../stage.ts'

export const explain: Chapter = {
  title: 'Why',
  about: 'Any memory can say what it rests on, what holds it, and what happened to it.',
  async tell(stage) {
    const scope = memoryOf(stage, stage.english)
    const facts = await scope.memories({ forms: ['fact'] })
    const memory = facts.find((fact) => fact.validUntil !== null || fact.past.length > 0) ?? facts[0]
    if (memory === undefined) return { explained: null }
    const explanation = await scope.explain(memory.id)
    const lines = formatExplanation(explanation, { ...stage.style, width: stage.style.width - 3 })
    stage.say(lines.replaceAll(/^(?=.)/gm, '   '))
    return { explained: memory.id, sentences: explanation.sentences }
  },
}
