// Reads a model's answer to a prompt: finds its JSON, checks it against the prompt's schema, and lists its problems.
import { LONGEST_TEXT } from '@keepsake/text'
import type { z } from 'zod'
import type { Prompt } from '../prompts/prompt.ts'
import { answerSchema } from './answer-schema.ts'
import type { LanguageAnswer } from './language-model.ts'
import { readJson } from './read-json.ts'

/** Maximum number of listed problems. More would fill the request for a repair, mostly with repetitions of one mistake. */
const MAX_PROBLEMS = 20

/** An answer that was checked against its prompt. */
export type ReadAnswer<Output> =
  | { readonly kind: 'good'; readonly output: Output }
  /** The output fits the schema, but it has problems, or invalid list entries were removed from it. */
  | {
      readonly kind: 'flawed'
      readonly output: Output
      readonly problems: readonly string[]
      /** The problems of removed list entries. */
      readonly leftOut: readonly string[]
    }
  /** The answer does not fit the schema. */
  | { readonly kind: 'wrong'; readonly problems: readonly string[] }
  | { readonly kind: 'refused' }

/** Reads an answer. Checks its JSON, then its schema, then the prompt's own rules. */
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
  const listNames = requiredLists(prompt.schema)
  const hasList = (value: unknown): boolean => listNames.some((name) => Array.isArray(fieldOf(value, name)))
  const values = listNames.length === 0 ? json.values : json.values.filter(hasList)
  if (values.length === 0) {
    const problem = `The answer has no list "${listNames.join('" or "')}": give it, empty if there is nothing for it.`
    return { kind: 'wrong', problems: [problem] }
  }
  const readings = values.map((value) => parseWithoutInvalidEntries(value, prompt.schema))
  const joined = joinReadings(readings.filter((reading) => reading !== null))
  const invalidValue = values.findLast((_, index) => readings[index] === null)
  // An empty list does not mean “no entries” if another value has entries that are all invalid.
  const isMisleading =
    invalidValue !== undefined && listNames.length > 0 && joined !== null && filledLists(joined).length === 0
  if (joined === null || isMisleading) {
    const { error } = prompt.schema.safeParse(invalidValue)
    return { kind: 'wrong', problems: (error?.issues ?? []).map(describeIssue) }
  }
  const { output, leftOut, differing } = joined
  const problems = [...leftOut, ...differing, ...(prompt.problems?.(output, input) ?? [])]
  if (prompt.isUnusable?.(output, input) === true) return { kind: 'wrong', problems }
  return problems.length === 0 ? { kind: 'good', output } : { kind: 'flawed', output, problems, leftOut }
}

/** A value of an answer that fits the schema, with the problems of the list entries that were removed. */
interface Reading<Output> {
  readonly output: Output
  readonly leftOut: readonly string[]
}

interface JoinedReading<Output> extends Reading<Output> {
  /** A problem if the values differ; else empty. */
  readonly differing: readonly string[]
}

/**
 * Joins the values of an answer, such as a draft, the answer and an empty example. Lists are joined. Of other fields the last
 * non-empty one counts. If no list has entries, the values are not joined: the last one without removed entries counts.
 */
function joinReadings<Output>(readings: readonly Reading<Output>[]): JoinedReading<Output> | null {
  const last = readings.findLast(({ leftOut }) => leftOut.length === 0) ?? readings.at(-1)
  if (last === undefined) return null
  const withEntries = readings.filter((reading) => filledLists(reading).length > 0)
  if (readings.length === 1 || withEntries.length === 0) return { ...last, differing: [] }
  const isDiffering = new Set(withEntries.map((reading) => JSON.stringify(filledLists(reading)))).size > 1
  return {
    output: readings.map(({ output }) => output).reduce(joinFields),
    leftOut: readings.flatMap(({ leftOut }) => leftOut),
    differing: isDiffering
      ? ['The answer has several JSON values that differ: give one, with all of it.']
      : [],
  }
}

/** Returns the lists of an output that are not empty. */
function filledLists({ output }: Reading<unknown>): unknown[] {
  return Object.values(output ?? {}).filter((field) => Array.isArray(field) && field.length > 0)
}

/** Joins the fields of two outputs of one schema. */
function joinFields<Output>(first: Output, second: Output): Output {
  const fields = Object.entries(second ?? {}).map(([name, value]: [string, unknown]) => {
    const before = fieldOf(first, name)
    if (Array.isArray(before) && Array.isArray(value)) return [name, unionOf([...before, ...value])] as const
    return [name, value === null || value === '' ? (before ?? value) : value] as const
  })
  return { ...first, ...Object.fromEntries(fields) }
}

/** Returns the distinct entries of a list. */
function unionOf(entries: readonly unknown[]): unknown[] {
  return [...new Map(entries.map((entry) => [JSON.stringify(entry), entry])).values()]
}

/** Returns the names of the lists that the schema requires. An object without any of them is no answer, such as `{}` or a copy of the schema. */
function requiredLists(schema: z.ZodType): string[] {
  const { properties = {}, required = [] } = answerSchema(schema) as {
    readonly properties?: Readonly<Record<string, { readonly type?: unknown }>>
    readonly required?: readonly string[]
  }
  return required.filter((name) => properties[name]?.type === 'array')
}

/**
 * Parses an answer, and removes list entries until the rest fits the schema. Returns `null` if other parts are invalid, or if a list becomes
 * empty.
 */
function parseWithoutInvalidEntries<Output>(
  value: unknown,
  schema: z.ZodType<Output>,
): Reading<Output> | null {
  const rest: unknown = structuredClone(value)
  const leftOut: string[] = []
  for (;;) {
    const { success, data, error } = schema.safeParse(rest)
    if (success) return { output: data, leftOut }
    // Entries are removed from the end, so that the indexes of earlier ones stay valid.
    const invalid = error.issues.map((issue) => ({ issue, entry: entryOf(rest, issue.path) })).toReversed()
    const removed = new Set<string>()
    for (const { issue, entry } of invalid) {
      if (entry === null) return null
      const path = JSON.stringify(entry.path)
      if (removed.has(path)) continue
      removed.add(path)
      entry.list.splice(entry.index, 1)
      if (entry.list.length === 0) return null
      leftOut.push(describeIssue(issue))
    }
  }
}

/** Returns the innermost list entry on the path of a problem. */
function entryOf(value: unknown, path: readonly PropertyKey[]) {
  const depth = path.findLastIndex((key) => typeof key === 'number')
  if (depth === -1) return null
  const list = path.slice(0, depth).reduce<unknown>((part, key) => fieldOf(part, key), value)
  return Array.isArray(list) ? { list, index: Number(path[depth]), path: path.slice(0, depth + 1) } : null
}

/** Returns a field of a value that may be no object. */
export function fieldOf(value: unknown, key: PropertyKey): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
}

/** Lists problems, one per line. The last line has the number of further problems. */
export function listProblems(problems: readonly string[]): string {
  const shown = problems.slice(0, MAX_PROBLEMS).map((problem) => `- ${problem}`)
  const more = problems.length - shown.length
  return [...shown, ...(more > 0 ? [`- … ${more} more`] : [])].join('\n')
}

function describeIssue({ path, message }: z.core.$ZodIssue): string {
  return path.length === 0 ? message : `${path.join('.')}: ${message}`
}
