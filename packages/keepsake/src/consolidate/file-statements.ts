// Files statements under the categories and keys that the application defines.
import {
  mapStatements,
  statementsOf,
  type GroundedExtraction,
} from '../extraction/grounding/grounded-extraction.ts'
import { isSameUnit, readQuantities } from '../extraction/grounding/read-quantities.ts'
import { readTyped, writeTyped, type Filing, type TypedKey } from '../filing/own-keys.ts'
import type { Candidate } from '../memories/candidate.ts'
import type { AskModel } from '../models/ask-model.ts'
import { filePrompt, type FileAnswer } from '../prompts/file-statements.ts'
import { promptLanguage } from '../prompts/render-data.ts'
import { answerOr } from './park-job.ts'

/** The category and the typed key of one statement, as the model or a rule named them. */
type FilingChoice = Pick<FileAnswer['filed'][number], 'category' | 'key' | 'values'>

/** Files statements under categories and typed keys. One call asks the model, else the keys of rules count. */
export async function fileStatements(
  grounded: GroundedExtraction,
  filing: Filing,
  ask: AskModel | null,
): Promise<GroundedExtraction> {
  if (filing.categories.size + filing.keys.size === 0) return grounded
  const candidates = statementsOf(grounded).flatMap(({ candidate, reason }) =>
    reason === null ? [candidate] : [],
  )
  const answers = ask === null ? null : await askForChoices(candidates, filing, ask)
  return mapStatements(grounded, (statement) => {
    const { candidate } = statement
    const index = candidates.indexOf(candidate)
    if (index < 0) return statement
    const values = candidate.value === null ? [] : [candidate.value]
    const choiceOfRule = { category: null, key: candidate.key, values }
    const choice = { ...choiceOfRule, ...answers?.get(index + 1) }
    return { ...statement, candidate: fileCandidate(candidate, choice, filing) }
  })
}

/** Asks the model for its choices, by the number of the statement from 1; `null` without a usable answer. */
async function askForChoices(
  candidates: readonly Candidate[],
  filing: Filing,
  ask: AskModel,
): Promise<ReadonlyMap<number, Partial<FilingChoice>> | null> {
  if (candidates.length === 0) return null
  const language = promptLanguage(candidates.map(({ text }) => text))
  const answer = await answerOr(ask.ask(filePrompt, { statements: candidates, filing }, { language }), null)
  if (answer === null) return null
  // If the model names no key, the key of a rule stays.
  return new Map(
    answer.filed.map(({ statement, category, key, values }) => [
      statement,
      key === null ? { category } : { category, key, values },
    ]),
  )
}

/** Files a statement. If the value does not fit, the statement stays without the key. */
function fileCandidate(candidate: Candidate, choice: FilingChoice, filing: Filing): Candidate {
  const { category, values } = choice
  const key = filing.keys.get(choice.key ?? '')
  const knownCategory = category !== null && filing.categories.has(category) ? category : null
  const filed = { ...candidate, category: key?.category ?? knownCategory, refused: null }
  if (key === undefined) return filed
  const read = readTyped(key, values)
  const problem = 'problem' in read ? read.problem : findNumberProblem(key, read.value, candidate.text)
  if (problem !== null || 'problem' in read) return { ...filed, key: null, value: null, refused: problem }
  return { ...filed, key: key.id, value: writeTyped(key, values, read.value) }
}

/** Returns why a number is refused; `null` if the statement contains it in a fitting unit. */
function findNumberProblem(key: TypedKey, value: unknown, text: string): string | null {
  if (typeof value !== 'number') return null
  const unit = readQuantities(`1 ${key.unit ?? ''}`)[0]?.unit ?? null
  const isStated = readQuantities(text).some((quantity) => {
    const hasFittingUnit = quantity.unit === null || unit === null || isSameUnit(quantity.unit, unit)
    return quantity.value === value && hasFittingUnit
  })
  return isStated ? null : `${writeTyped(key, [], value)} for ${key.id} is not what the statement says`
}
