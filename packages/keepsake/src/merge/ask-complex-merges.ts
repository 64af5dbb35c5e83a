import type { GroundedExtraction } from '../extraction/grounding/grounded-extraction.ts'
import type { AskModel } from '../models/ask-model.ts'
import { promptLanguage } from '../prompts/render-data.ts'
import type { ScopeView } from '../work/scope-view.ts'
import type { MergeComplex } from './merge-by-key.ts'
import { mergeComplexByModel } from './merge-by-model.ts'
import { knownFacts } from './merge-facts.ts'

/**
 * Asks the model to merge values of complex keys (MOOM), all of a snapshot in one call, and only where there is
 * something to merge with. Most snapshots need no call.
 */
export async function askComplexMerges(
  view: ScopeView,
  grounded: GroundedExtraction,
  ask: AskModel,
): Promise<MergeComplex | null> {
  const { keyTable } = view.engine.preset
  const complex = grounded.candidates.flatMap(({ candidate, reason }) =>
    reason === null && keyTable.get(candidate.key ?? '')?.merge === 'complex' ? [candidate] : [],
  )
  if (complex.length === 0) return null
  const facts = knownFacts(view)
  const subjects = new Set(complex.map((candidate) => candidate.subject))
  const known = [...subjects].flatMap((subject) => facts.about(subject))
  const language = promptLanguage(complex.map((candidate) => candidate.text))
  return mergeComplexByModel(complex, known, ask, language)
}
