import { operationsReader } from '../extraction/operations-reader.ts'
import { personaRules } from '../extraction/rules/persona-rules.ts'
import { HYBRID } from '../retrieval/retrieval-recipe.ts'
import { BY_RULES, type PresetForm } from './preset-form.ts'
import { plainPreset } from './plain-preset.ts'
import type { Preset } from './preset.ts'

/** Memories whose numbers the model may name. The paper shows the whole list; ours does not grow with the memory. */
const RELATED = 10

/**
 * MMM: memory as operations. After each round a model sees what the user said and the numbered memories that bear on
 * it, and answers with codes to add, modify or delete, which a rule engine validates and applies.
 */
export function mmm(form: PresetForm = BY_RULES): Preset {
  return {
    ...plainPreset(),
    name: 'mmm',
    summary: 'Operation codes on numbered memories after every round, applied by a rule engine.',
    source: 'MMM: memory management as operations for multi-turn dialogue, 2025.',
    branches: [
      {
        kind: 'facts',
        every: { rounds: 1 },
        extractor: form.model
          ? operationsReader({ related: RELATED })
          : personaRules({ follows: 'everything' }),
      },
    ],
    ranking: { kind: 'hybrid', recipe: HYBRID },
    recalls: ['fact'],
    use: { limit: 10, first: 0, second: 0, reinforce: false },
  }
}
