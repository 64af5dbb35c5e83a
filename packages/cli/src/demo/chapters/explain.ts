import { showExplanation } from '../../output/format-explanation.ts'
import { setIn } from '../../output/style.ts'
import type { Chapter } from '../stage.ts'

export const explain: Chapter = {
  title: 'Why',
  about: 'Every memory can be explained: its evidence, its strength and its history.',
  async tell({ english, say, style }) {
    const facts = await english.memory.memories({ forms: ['fact'] })
    const fact = facts.find(({ past, validUntil }) => validUntil !== null || past.length > 0) ?? facts[0]
    if (fact === undefined) return { explained: null }
    const explanation = await english.memory.explain(fact.id)
    say(setIn(style, 3, showExplanation(explanation).words))
    return { explained: fact.id, sentences: explanation.sentences }
  },
}
