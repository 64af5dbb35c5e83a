import type { GroundedExtraction } from '../extraction/grounding/grounded-extraction.ts'
import type { KnownFact } from '../facts/fact-lookup.ts'
import type { Candidate } from '../memories/candidate.ts'
import { evidenceWith } from '../memories/evidence.ts'
import type { AskModel } from '../models/ask-model.ts'
import { type MergeItem, type ValueMerge, mergeValuesPrompt } from '../prompts/merge-values.ts'
import type { PromptLanguage } from '../prompts/prompt.ts'
import { promptLanguage } from '../prompts/render-data.ts'
import type { ScopeView } from '../work/scope-view.ts'
import type { MergeDecision, MergeComplex } from './known-facts.ts'
import { knownFacts } from './merge-facts.ts'
import { append, drop, knownAlready, replace } from './merge-verbs.ts'

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

/**
 * Asks a language model how new values of complex keys meet the known ones (MOOM, section 3.2), for a whole snapshot
 * in one call; none is made where nothing is there to meet.
 *
 * @param candidates the snapshot's candidates under complex keys, as they will be merged
 * @param known facts that may be under those keys
 * @returns answers for {@link mergeByKey}; what the model left out, or what has changed since, goes by rule
 * @throws ModelError when the model cannot be asked or gives no usable answer
 *
 * @example
 * const mergeComplex = await mergeComplexByModel(complex, known, ask, 'en')
 * mergeByKey(known, candidates, { ...options, mergeComplex })
 */
export async function mergeComplexByModel(
  candidates: readonly Candidate[],
  known: readonly KnownFact[],
  ask: AskModel,
  language: PromptLanguage,
): Promise<MergeComplex> {
  const asked = numberValues(candidates, known)
  if (asked.length === 0) return () => null
  const { merges } = await ask.ask(
    mergeValuesPrompt,
    { items: asked.map((value) => value.item) },
    { language },
  )
  const answers = new Map(
    asked.map((value, index) => [value.candidate, { ...value, merge: answerTo(merges, index + 1) }]),
  )
  /** Maps item numbers to facts, known ones or those of earlier items. */
  const facts = new Map(asked.flatMap((value) => [...value.knownIds]))
  return (candidate, ofKey) => {
    const answer = answers.get(candidate)
    if (answer?.merge === undefined) return null
    const decisions = decide(answer, answer.merge, facts, ofKey)
    const settled = decisions?.[0]
    if (settled !== undefined) facts.set(answer.number, settled.kind === 'add' ? settled.ref : settled.memory)
    return decisions
  }
}

interface NumberedValue {
  readonly candidate: Candidate
  readonly item: MergeItem
  readonly number: number
  /** Ids of the known facts by their numbers. */
  readonly knownIds: readonly (readonly [number: number, id: string])[]
}

/** Numbers the values of each key: known ones first, then new ones in merge order. */
function numberValues(candidates: readonly Candidate[], known: readonly KnownFact[]): NumberedValue[] {
  const groups = new Map<string, { number: number; value: string; text: string }[]>()
  let count = 0
  const numbered: NumberedValue[] = []
  const ordered = [...candidates].sort((a, b) => a.validFrom - b.validFrom)
  for (const candidate of ordered) {
    const { subject, key, value, text } = candidate
    if (key === null || value === null) continue
    const group = JSON.stringify([subject, key])
    const knownIds: [number, string][] = []
    if (!groups.has(group)) {
      const ofKey = known.filter(
        (fact) => fact.subject === subject && fact.key === key && fact.value !== null,
      )
      for (const fact of ofKey) knownIds.push([++count, fact.id])
      groups.set(
        group,
        ofKey.map((fact, index) => ({
          number: knownIds[index]?.[0] ?? 0,
          value: fact.value ?? '',
          text: fact.text,
        })),
      )
    }
    const values = groups.get(group) ?? []
    const number = ++count
    numbered.push({ candidate, item: { subject, key, value, text, known: [...values] }, number, knownIds })
    values.push({ number, value, text })
  }
  return numbered.some((value) => value.item.known.length > 0) ? numbered : []
}

/** Ignores items that were answered twice. */
function answerTo(merges: readonly ValueMerge[], item: number): ValueMerge | undefined {
  const given = merges.filter((merge) => merge.item === item)
  return given.length === 1 ? given[0] : undefined
}

/** Turns an answer into decisions; `null` if its facts have changed since. */
function decide(
  asked: NumberedValue,
  merge: ValueMerge,
  facts: ReadonlyMap<number, string>,
  ofKey: readonly KnownFact[],
): MergeDecision[] | null {
  const { candidate, number } = asked
  if (merge.action === 'keep-both')
    return [append(`complex:${number}`, candidate, 'it holds beside what is known')]
  const met = ofKey.filter((fact) => merge.values.some((value) => facts.get(value) === fact.id))
  const [first, ...rest] = met
  if (first === undefined) return null
  if (merge.action === 'known') return [knownAlready(first, candidate.evidence)]
  const value = merge.value.trim()
  const text = merge.text.trim()
  if (value === '' || text === '') return null
  const known = { evidence: met.flatMap((fact) => fact.evidence) }
  const evidence = evidenceWith(known, candidate.evidence)
  const validFrom = Math.max(candidate.validFrom, first.validFrom)
  const merged = { ...candidate, value, text, evidence, validFrom }
  return [
    replace(first, merged, 'merged with what was said later'),
    ...rest.map((fact) => {
      const endsAt = Math.max(candidate.validFrom, fact.validFrom)
      return drop(fact, endsAt, 'merged into another value of its key')
    }),
  ]
}
