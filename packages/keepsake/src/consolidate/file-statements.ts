import { readTyped, writeTyped, type Filing, type TypedKey } from '../filing/own-keys.ts'
import type { GroundedExtraction } from '../extraction/grounding/grounded-extraction.ts'
import { isSameUnit, readQuantities } from '../extraction/grounding/read-quantities.ts'
import type { Candidate } from '../memories/candidate.ts'
import type { AskModel } from '../models/ask-model.ts'
import { filePrompt, type FileAnswer } from '../prompts/file-statements.ts'
import { promptLanguage } from '../prompts/render-data.ts'
import { answerOr } from './park-job.ts'

/** What one statement is filed under, as it was answered. */
type Filed = Pick<FileAnswer['filed'][number], 'category' | 'key' | 'values'>

/**
 * Files believed statements under the application's categories and typed keys: one call of a model, or without one the key and value that
 * a rule read. A value that does not fit its form, or a number that the statement does not say, is refused with the reason.
 */
export async function fileStatements(
  grounded: GroundedExtraction,
  filing: Filing,
  ask: AskModel | null,
): Promise<GroundedExtraction> {
  if (filing.categories.size + filing.keys.size === 0) return grounded
  const statements = [
    ...grounded.candidates.flatMap(({ candidate, reason }) => (reason === null ? [candidate] : [])),
    ...grounded.operations.flatMap(({ operation, reason }) =>
      operation.kind === 'delete' || reason !== null ? [] : [operation.candidate],
    ),
  ]
  const answered = ask === null ? null : await askFiled(statements, filing, ask)
  const filedOf = (candidate: Candidate): Candidate => {
    const index = statements.indexOf(candidate)
    if (index < 0) return candidate
    const own = {
      category: null,
      key: candidate.key,
      values: candidate.value === null ? [] : [candidate.value],
    }
    return fileOne(candidate, answered === null ? own : { ...own, ...answered.get(index + 1) }, filing)
  }
  return {
    candidates: grounded.candidates.map((grounding) => ({
      ...grounding,
      candidate: filedOf(grounding.candidate),
    })),
    operations: grounded.operations.map((grounding) => {
      const { operation } = grounding
      return operation.kind === 'delete'
        ? grounding
        : { ...grounding, operation: { ...operation, candidate: filedOf(operation.candidate) } }
    }),
  }
}

/** Asks what the statements are filed under, by their numbers; `null` without a usable answer. */
async function askFiled(
  statements: readonly Candidate[],
  filing: Filing,
  ask: AskModel,
): Promise<ReadonlyMap<number, Partial<Filed>> | null> {
  if (statements.length === 0) return new Map()
  const language = promptLanguage(statements.map(({ text }) => text))
  const answer = await answerOr(ask.ask(filePrompt, { statements, filing }, { language }), null)
  if (answer === null) return null
  return new Map(
    answer.filed.map(({ statement, category, key, values }) => [
      statement,
      key === null ? { category } : { category, key, values },
    ]),
  )
}

/** Files a statement. Without a value of its form it stays, without the key. */
function fileOne(candidate: Candidate, { category, key: id, values }: Filed, filing: Filing): Candidate {
  const key = id === null ? undefined : filing.keys.get(id)
  const given = key?.category ?? (category !== null && filing.categories.has(category) ? category : null)
  const filed = { ...candidate, category: given, refused: null }
  if (key === undefined) return filed
  const read = readTyped(key, values)
  const problem = 'problem' in read ? read.problem : numberProblem(key, read.value, candidate.text)
  if (problem !== null || 'problem' in read) return { ...filed, key: null, value: null, refused: problem }
  return { ...filed, key: key.id, value: writeTyped(key, values, read.value) }
}

/** Refuses a number that the statement does not say, or says in another unit. */
function numberProblem(key: TypedKey, value: unknown, text: string): string | null {
  if (typeof value !== 'number') return null
  const [wanted] = readQuantities(`1 ${key.unit ?? ''}`)
  const isSaid = readQuantities(text).some(
    (said) =>
      said.value === value &&
      (said.unit === null ||
        wanted?.unit === undefined ||
        wanted.unit === null ||
        isSameUnit(said.unit, wanted.unit)),
  )
  if (isSaid) return null
  return `${writeTyped(key, [], value)} for ${key.id} is not what the statement says`
}
