import type { z } from 'zod'
import type { Prompt } from '../prompts/prompt.ts'
import { LONGEST_TEXT } from '@keepsake/text'
import type { LanguageAnswer } from './language-model.ts'
import { readJson } from './read-json.ts'

/** More would fill the request for a repair with repetitions of one mistake. */
const MOST_PROBLEMS = 20

/** An answer against its prompt. */
export type ReadAnswer<Output> =
  | { readonly kind: 'good'; readonly output: Output }
  /** Of the right shape, but with things in it that cannot be, or only without those that were left out of its lists. */
  | {
      readonly kind: 'flawed'
      readonly output: Output
      readonly problems: readonly string[]
      readonly leftOut: readonly string[]
    }
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
  const fitting = parsed.findLast(({ success }) => success)
  const used =
    fitting?.success === true
      ? { output: fitting.data, leftOut: [] }
      : readInPart(json.values.at(-1), prompt.schema)
  if (used === null)
    return { kind: 'wrong', problems: (parsed.at(-1)?.error?.issues ?? []).map(describeIssue) }
  const { output, leftOut } = used
  const problems = [...leftOut, ...(prompt.problems?.(output, input) ?? [])]
  return problems.length === 0 ? { kind: 'good', output } : { kind: 'flawed', output, problems, leftOut }
}

/**
 * What is left of an answer without the entries of its lists that break the shape, one by one; `null` where it breaks
 * elsewhere, or a list has nothing left.
 */
function readInPart<Output>(
  value: unknown,
  schema: z.ZodType<Output>,
): { readonly output: Output; readonly leftOut: readonly string[] } | null {
  const left: unknown = structuredClone(value)
  const leftOut: string[] = []
  for (;;) {
    const { success, data, error } = schema.safeParse(left)
    if (success) return { output: data, leftOut }
    // From the back, so that what stands before an entry keeps its place.
    const broken = error.issues.map((issue) => ({ issue, entry: entryOf(left, issue.path) })).toReversed()
    const taken = new Set<string>()
    for (const { issue, entry } of broken) {
      if (entry === null) return null
      const place = JSON.stringify(entry.path)
      if (taken.has(place)) continue
      taken.add(place)
      entry.list.splice(entry.index, 1)
      if (entry.list.length === 0) return null
      leftOut.push(describeIssue(issue))
    }
  }
}

/** The entry of a list that is nearest to where an answer breaks its shape. */
function entryOf(value: unknown, path: readonly PropertyKey[]) {
  const depth = path.findLastIndex((key) => typeof key === 'number')
  if (depth === -1) return null
  const list = path.slice(0, depth).reduce<unknown>((part, key) => partOf(part, key), value)
  return Array.isArray(list) ? { list, index: Number(path[depth]), path: path.slice(0, depth + 1) } : null
}

function partOf(value: unknown, key: PropertyKey): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
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
