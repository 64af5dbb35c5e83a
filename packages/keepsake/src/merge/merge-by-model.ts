// Asks a model how values of keys of the merge class `complex` are merged (paper MOOM, section 3.2).
import type { GroundedExtraction } from '../extraction/grounding/grounded-extraction.ts'
import type { KnownFact } from '../facts/fact-lookup.ts'
import type { Candidate } from '../memories/candidate.ts'
import { evidenceWith } from '../memories/evidence.ts'
import type { AskModel } from '../models/ask-model.ts'
import { type MergeItem, type ValueMerge, mergeValuesPrompt } from '../prompts/merge-values.ts'
import { promptLanguage } from '../prompts/render-data.ts'
import type { ScopeView } from '../work/scope-view.ts'
import { addFact, confirmFact, deleteFact, supersedeFact, type MergeDecision } from './merge-decisions.ts'
import { knownFacts, type MergeComplex } from './merge-facts.ts'

/** Asks the model how grounded values of complex keys, such as promises, are merged; `null` if there are none. */
export async function askComplexMerges(
  view: ScopeView,
  { candidates }: GroundedExtraction,
  ask: AskModel,
): Promise<MergeComplex | null> {
  const { keyTable } = view.engine.preset
  const complex = candidates
    .filter(
      ({ candidate, reason }) => reason === null && keyTable.get(candidate.key ?? '')?.merge === 'complex',
    )
    .map(({ candidate }) => candidate)
  if (complex.length === 0) return null
  const facts = knownFacts(view)
  const subjects = new Set(complex.map(({ subject }) => subject))
  const known = [...subjects].flatMap((subject) => facts.about(subject))
  return mergeComplexByModel(complex, known, ask)
}

/**
 * Asks the model once how the new values of complex keys are merged with the known ones. Without known values the model is
 * not asked.
 *
 * @param candidates the candidates under complex keys, as they will be merged
 * @param known facts that may be under those keys
 * @returns a function for {@link mergeByKey}. It returns `null` for a value without a usable answer, which the rule for
 *   lists then merges.
 * @throws ModelError when the model cannot be asked or gives no usable answer
 */
export async function mergeComplexByModel(
  candidates: readonly Candidate[],
  known: readonly KnownFact[],
  ask: AskModel,
): Promise<MergeComplex> {
  const values = numberValues(candidates, known)
  if (values.every(({ item }) => item.known.length === 0)) return () => null
  const language = promptLanguage(candidates.map(({ text }) => text))
  const { merges } = await ask.ask(mergeValuesPrompt, { items: values.map(({ item }) => item) }, { language })
  /** Maps the number of each value to its fact, which is known or was added for an earlier value. */
  const facts = new Map(values.flatMap(({ knownIds }) => [...knownIds]))
  return (candidate, ofKey) => {
    const index = values.findIndex((value) => value.candidate === candidate)
    const [merge, ...repeats] = merges.filter(({ item }) => item === index + 1)
    const value = values[index]
    // An item with two answers has no usable one.
    if (value === undefined || merge === undefined || repeats.length > 0) return null
    const decisions = decideMerge(value, merge, facts, ofKey)
    const first = decisions?.[0]
    if (first !== undefined) facts.set(value.number, first.kind === 'add' ? first.ref : first.memory)
    return decisions
  }
}

/** A new value as the prompt shows it. */
interface NumberedValue {
  readonly candidate: Candidate
  readonly item: MergeItem
  readonly number: number
  /** The known facts of its key, with their numbers. Empty if an earlier value has the same key. */
  readonly knownIds: readonly (readonly [number: number, id: string])[]
}

/** Numbers the values of each subject and key. The known values come first, then the new ones in merge order. */
function numberValues(candidates: readonly Candidate[], known: readonly KnownFact[]): NumberedValue[] {
  const shownByKey = new Map<string, MergeItem['known'][number][]>()
  const values: NumberedValue[] = []
  let count = 0
  for (const candidate of [...candidates].sort((a, b) => a.validFrom - b.validFrom)) {
    const { subject, key, value, text } = candidate
    if (key === null || value === null) continue
    const group = JSON.stringify([subject, key])
    const knownIds: [number, string][] = []
    const shown = shownByKey.get(group) ?? []
    if (!shownByKey.has(group))
      for (const fact of known) {
        if (fact.subject !== subject || fact.key !== key || fact.value === null) continue
        knownIds.push([++count, fact.id])
        shown.push({ number: count, value: fact.value, text: fact.text })
      }
    shownByKey.set(group, shown)
    const number = ++count
    values.push({ candidate, item: { subject, key, value, text, known: [...shown] }, number, knownIds })
    shown.push({ number, value, text })
  }
  return values
}

/** Makes decisions of the model's answer for a value; `null` if no fact that the answer names exists any more. */
function decideMerge(
  { candidate, number }: NumberedValue,
  { action, values, ...merged }: ValueMerge,
  facts: ReadonlyMap<number, string>,
  ofKey: readonly KnownFact[],
): MergeDecision[] | null {
  if (action === 'keep-both') return [addFact(`complex:${number}`, candidate)]
  const named = ofKey.filter((fact) => values.some((value) => facts.get(value) === fact.id))
  const [first, ...others] = named
  if (first === undefined) return null
  if (action === 'known') return [confirmFact(first, candidate.evidence)]
  const value = merged.value.trim()
  const text = merged.text.trim()
  if (value === '' || text === '') return null
  const evidence = evidenceWith({ evidence: named.flatMap((fact) => fact.evidence) }, candidate.evidence)
  const validFrom = Math.max(candidate.validFrom, first.validFrom)
  return [
    supersedeFact(first, { ...candidate, value, text, evidence, validFrom }),
    ...others.map((fact) =>
      deleteFact(fact, Math.max(candidate.validFrom, fact.validFrom), 'merged into another value of its key'),
    ),
  ]
}
