// The preset of the paper MMM.
import { HYBRID, BY_RULES, personaRules, plainPreset, updaterReader } from 'keepsake/preset'
import type { Extractor, Preset, PresetForm } from 'keepsake/preset'
import { operationsReader } from './operations-reader.ts'

/** Maximum number of recalled memories. The paper has no retrieval, so a recall returns all memories within its budget. */
const MAX_RECALLED = 1_000

const NOT_MMM =
  'This is not MMM, whose operations a language model or a trained updater writes: without `model` or `updater`, rules read what the user says.'

/** Returns MMM: after each exchange, a model sees the numbered memories and adds, modifies or deletes some. */
export function mmm(form: PresetForm = BY_RULES): Preset {
  const isPublished = form.model || form.updater !== undefined
  return {
    ...plainPreset(),
    name: 'mmm',
    summary: 'Operation codes on numbered memories after every round, applied by a rule engine.',
    source: 'MMM: memory management as operations for multi-turn dialogue, 2025.',
    ...(isPublished ? {} : { notice: NOT_MMM }),
    branches: [{ kind: 'facts', every: { rounds: 1 }, extractor: extractorOf(form) }],
    over: 'delete',
    tellsPast: false,
    ranking: { kind: 'hybrid', recipe: HYBRID, fillsUp: true },
    recalls: ['fact'],
    use: { limit: MAX_RECALLED, first: 0, second: 0, reinforce: false },
    reply: { kind: 'whole-list' },
  }
}

function extractorOf({ model, updater }: PresetForm): Extractor {
  if (updater !== undefined) return updaterReader(updater)
  return model ? operationsReader() : personaRules()
}
