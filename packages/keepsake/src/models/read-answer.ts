import type { z } from 'zod'
import type { Prompt } from '../prompts/prompt.ts'
import { LONGEST_TEXT } from '../text/read-text.ts'
import type { LanguageAnswer } from './language-model.ts'
import { readJson } from './read-json.ts'

/** More would fill the request for a repair with repetitions of one mistake. */
const MOST_PROBLEMS = 20

/** An answer against its prompt. */
export type ReadAnswer<Output> =
  | { readonly kind: 'good'; readonly output: Output }
  /** Of the right shape, but with things in it that cannot be. */
  | { readonly kind: 'flawed'; readonly output: Output; readonly problems: readonly string[] }
  | { readonly kind: 'wrong'; readonly problems: readonly string[] }
  | { readonly kind: 'refused' }

/** Reads an answer: JSON, then its shape, then what the prompt itself knows to be wrong. */
export function readAnswer<Input, Output>(
  answer: LanguageAnswer,
  prompt: Prompt<Input, Output>,
  input: Input,
): ReadAnswer<Output> {
  if (answer.finish === 'refused') return { kind: 'refused' }
  if (answer.text.length > LONGEST_TEXT)
    return { kind: 'wrong', problems: [`The answer is longer than ${LONGEST_TEXT} characters: be shorter.`] }
  const json = readJson(answer.text, answer.finish)
  if (json.kind === 'none') return { kind: 'wrong', problems: [json.problem] }
  const parsed = json.values.map((value) => prompt.schema.safeParse(value))
  // Models that say more than asked end with their answer.
  const fitting = parsed.findLast(({ success }) => success) ?? parsed.at(-1)
  if (!fitting?.success) return { kind: 'wrong', problems: (fitting?.error.issues ?? []).map(describeIssue) }
  const problems = prompt.problems?.(fitting.data, input) ?? []
  return problems.length === 0
    ? { kind: 'good', output: fitting.data }
    : { kind: 'flawed', output: fitting.data, problems }
}

/** The problems as a list, one a line. */
export function listProblems(problems: readonly string[]): string {
  const shown = problems.slice(0, MOST_PROBLEMS).map((problem) => `- ${problem}`)
  const more = problems.length - shown.length
  return [...shown, ...(more > 0 ? [`- … ${more} more`] : [])].join('\n')
}

function describeIssue({ path, message }: z.core.$ZodIssue): string {
  return path.length === 0 ? message : `${path.join('.')}: ${message}`
}
