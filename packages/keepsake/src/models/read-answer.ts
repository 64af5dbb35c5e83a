// Reads a model's answer to a prompt: finds its JSON, checks it against the prompt's schema, and lists its problems.
import { LONGEST_TEXT, withoutThinking } from '@keepsake/text'
import { jsonrepair } from 'jsonrepair'
import { z } from 'zod'
import type { Prompt } from '../prompts/prompt.ts'
import type { FinishReason, LanguageAnswer, JsonSchema } from './language-model.ts'
import { OPTIONAL_MARK } from '../prompts/check-answer.ts'

/** The JSON values in an answer, in order, or a problem in words for the model and the user. */
type FoundJson =
  | { readonly kind: 'found'; readonly values: readonly unknown[] }
  | { readonly kind: 'none'; readonly problem: string }

/** Matches a code fence. Its marks begin a line, which is impossible inside a JSON string. */
const FENCED = /^[ \t]*```[a-z]*[ \t]*\n([\s\S]*?)^[ \t]*```/gim
const CLOSING_BRACKETS: Readonly<Record<string, string>> = { '{': '}', '[': ']' }

/** Finds the JSON of an answer: bare, fenced, or inside prose. Repairs small errors, but never a truncated answer. */
export function readJson(answer: string, finish: FinishReason): FoundJson {
  const fullText = answer.replace(/^\uFEFF/, '').trim()
  if (fullText === '') return { kind: 'none', problem: 'The answer is empty.' }
  const withoutThoughts = withoutThinking(fullText).trim()
  const text = withoutThoughts === '' ? fullText : withoutThoughts
  const bare = parse(fullText) ?? parse(text)
  if (bare !== undefined) return { kind: 'found', values: [bare] }
  if (finish === 'length')
    return { kind: 'none', problem: 'The answer was cut off at the limit of its length: be shorter.' }
  const parts = findBracketedTexts(text)
  // The longest part is probably the answer. If it is broken, no other part may replace it.
  const longest = parts.reduce((best, part) => (part.length > best.length ? part : best), '')
  const repairedPart = finish === 'stop' ? (parse(longest) ?? repairSyntax(longest)) : parse(longest)
  const values = parts
    .map((part) => (part === longest ? repairedPart : parse(part)))
    .filter((value) => value !== undefined)
  // Brackets without a colon are prose, such as “[1]”.
  const isProse = !longest.includes(':')
  if (values.length > 0 && (repairedPart !== undefined || isProse)) return { kind: 'found', values }
  const fenced = [...text.matchAll(FENCED)].at(-1)?.[1]?.trim()
  const repaired = finish === 'stop' ? repairSyntax(fenced ?? text) : undefined
  if (repaired !== undefined) return { kind: 'found', values: [repaired] }
  return { kind: 'none', problem: describeProblem(text) }
}

/** Parses an object or array. Returns `undefined` for other values and for text that is no JSON. */
function parse(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text, repairCharacters)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch (error) {
    // A RangeError: a small model that loops may nest thousands of brackets.
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined
    throw error
  }
}

/** Replaces halves of characters (lone surrogates such as `\\ud83d`), because stores cannot keep them. */
function repairCharacters(_: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed() : value
}

/** Finds the outermost parts of a text from an opening bracket to its closing bracket. */
function findBracketedTexts(text: string): string[] {
  const parts: string[] = []
  let from = 0
  while (from < text.length) {
    const start = from + text.slice(from).search(/[{[]/)
    if (start < from) break
    const end = findClosingBracket(text, start)
    // An unclosed bracket may begin a truncated answer. Then the brackets after it are only parts of this answer.
    if (end === undefined) return parts
    parts.push(text.slice(start, end + 1))
    from = end + 1
  }
  return parts
}

/** Returns the index of the bracket that closes the one at `start`, ignoring brackets in strings. */
function findClosingBracket(text: string, start: number): number | undefined {
  const open: string[] = []
  let isInString = false
  for (let index = start; index < text.length; index++) {
    const character = text[index] ?? ''
    if (isInString) {
      if (character === '\\') index++
      else if (character === '"') isInString = false
    } else if (character === '"') isInString = true
    else if (character in CLOSING_BRACKETS) open.push(CLOSING_BRACKETS[character] ?? '')
    else if (character === open.at(-1)) {
      open.pop()
      if (open.length === 0) return index
    }
  }
  return undefined
}

/** Repairs the syntax of JSON at the end of an answer. Returns `undefined` if a part of the JSON is missing. */
function repairSyntax(text: string): object | undefined {
  const start = text.search(/[{[]/)
  if (start === -1) return undefined
  const end = text.lastIndexOf(CLOSING_BRACKETS[text[start] ?? ''] ?? '')
  const broken = text.slice(start, end + 1)
  if (end < start || text.slice(end + 1).trim() !== '' || hasEllipsis(broken)) return undefined
  let repaired: string
  try {
    repaired = jsonrepair(broken)
  } catch (error) {
    // The caller describes the problem to the model, which then answers again.
    if (error instanceof Error) return undefined
    throw error
  }
  const addsBracket = ['}', ']'].some((bracket) => count(repaired, bracket) > count(broken, bracket))
  return addsBracket ? undefined : parse(repaired)
}

/** Checks for `[1, 2, …]`, in which entries are missing. jsonrepair would remove the dots without an error. */
function hasEllipsis(text: string): boolean {
  return /\.\.\.|…/.test(text.replace(/"(?:[^"\\]|\\.)*"/g, '""'))
}

function count(text: string, character: string): number {
  return text.split(character).length - 1
}

/** Describes the problem without quoting the answer, because error messages contain this sentence. */
function describeProblem(text: string): string {
  const start = text.search(/[{[]/)
  if (start === -1) return 'The answer holds no JSON object or array.'
  if (findClosingBracket(text, start) === undefined)
    return 'The JSON in the answer is not whole: a bracket is never closed.'
  return 'The JSON in the answer has an error of syntax.'
}

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
  const lists = requiredLists(prompt.schema)
  const hasList = (value: unknown): boolean => lists.some((name) => Array.isArray(fieldOf(value, name)))
  const values = lists.length === 0 ? json.values : json.values.filter(hasList)
  if (values.length === 0) {
    const problem = `The answer has no list "${lists.join('" or "')}": give it, empty if there is nothing for it.`
    return { kind: 'wrong', problems: [problem] }
  }
  const readings = values.map((value) => parseWithoutInvalidEntries(value, prompt.schema))
  const used = joinReadings(readings.filter((reading) => reading !== null))
  const unusable = values.findLast((_, index) => readings[index] === null)
  // If the entries of one value are unusable, an empty list in another value does not mean “no entries”.
  if (used === null || (unusable !== undefined && lists.length > 0 && listsOf(used).length === 0)) {
    const { error } = prompt.schema.safeParse(unusable)
    return { kind: 'wrong', problems: (error?.issues ?? []).map(describeIssue) }
  }
  const { output, leftOut, differing } = used
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
 * non-empty one counts. Without entries in lists, each value is a complete answer, and the last complete one counts.
 */
function joinReadings<Output>(readings: readonly Reading<Output>[]): JoinedReading<Output> | null {
  const complete = readings.filter(({ leftOut }) => leftOut.length === 0)
  const last = complete.at(-1) ?? readings.at(-1)
  if (last === undefined) return null
  const withEntries = readings.filter((reading) => listsOf(reading).length > 0)
  if (readings.length === 1 || withEntries.length === 0) return { ...last, differing: [] }
  const isDiffering = new Set(withEntries.map((reading) => JSON.stringify(listsOf(reading)))).size > 1
  return {
    output: readings.map(({ output }) => output).reduce(joinFields),
    leftOut: readings.flatMap(({ leftOut }) => leftOut),
    differing: isDiffering
      ? ['The answer has several JSON values that differ: give one, with all of it.']
      : [],
  }
}

/** Returns the lists of an output that are not empty. */
function listsOf({ output }: Reading<unknown>): unknown[] {
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

/** Parses an answer without its invalid list entries. Returns `null` if other parts are invalid, or a list becomes empty. */
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

const jsonSchemas = new WeakMap<z.ZodType, JsonSchema>()

/** Converts a prompt's schema to strict JSON Schema: no further fields, and all required except those marked optional. */
export function answerSchema(schema: z.ZodType): JsonSchema {
  const cached = jsonSchemas.get(schema)
  if (cached !== undefined) return cached
  const { $schema: _dialect, ...document } = z.toJSONSchema(schema, {
    target: 'draft-7',
    io: 'input',
    override({ jsonSchema }) {
      if (jsonSchema.type !== 'object' || jsonSchema.properties === undefined) return
      jsonSchema.additionalProperties ??= false
      applyOptionalMarks(jsonSchema)
    },
  })
  jsonSchemas.set(schema, document)
  return document
}

interface ObjectSchema {
  properties?: Record<string, unknown>
  required?: string[]
}

/** Makes marked fields optional, and removes their mark. */
function applyOptionalMarks(object: ObjectSchema): void {
  const optional = new Set<string>()
  for (const [name, field] of Object.entries(object.properties ?? {})) {
    if (typeof field !== 'object' || field === null || !(OPTIONAL_MARK in field)) continue
    Reflect.deleteProperty(field, OPTIONAL_MARK)
    optional.add(name)
  }
  object.required = (object.required ?? []).filter((name) => !optional.has(name))
}

/** Checks for optional fields, which the strict modes of providers refuse. */
export function hasOptional(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false
  const { properties, required } = schema as { properties?: object; required?: readonly string[] }
  const count = Object.keys(properties ?? {}).length
  return (required !== undefined && count > required.length) || Object.values(schema).some(hasOptional)
}

/** Makes the name of a prompt's schema from its id, with letters, digits and `_` only. */
export function schemaName(prompt: { readonly id: string }): string {
  return prompt.id.replace(/[^a-zA-Z0-9]+/g, '_')
}
