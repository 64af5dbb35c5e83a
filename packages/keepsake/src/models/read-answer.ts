// Reads a model's answer to a prompt: finds its JSON, checks it against the prompt's schema, and lists its problems.
import { LONGEST_TEXT } from '@keepsake/text'
import { jsonrepair } from 'jsonrepair'
import { z } from 'zod'
import type { Prompt } from '../prompts/prompt.ts'
import type { FinishReason, LanguageAnswer, JsonSchema } from './language-model.ts'
import { OPTIONAL_MARK } from '../prompts/check-answer.ts'

/** The JSON values in an answer, the most likely last; or a problem, which the model and the user can read. */
type FoundJson =
  | { readonly kind: 'found'; readonly values: readonly unknown[] }
  | { readonly kind: 'none'; readonly problem: string }

/** Matches the thoughts that some models write before their answer. */
const THINKING = /^\s*<think(?:ing)?\s*>[\s\S]*?<\/think(?:ing)?\s*>/i
/** Matches a code fence. Its marks begin a line, which is impossible inside a JSON string. */
const FENCED = /^[ \t]*```[a-z]*[ \t]*\n([\s\S]*?)^[ \t]*```/gim
const CLOSING_BRACKETS: Readonly<Record<string, string>> = { '{': '}', '[': ']' }

/** Finds the JSON of an answer: bare, fenced, or inside prose. Repairs small errors, never a truncated answer. */
export function readJson(answer: string, finish: FinishReason): FoundJson {
  const text = answer
    .replace(/^\uFEFF/, '')
    .replace(THINKING, '')
    .trim()
  if (text === '') return { kind: 'none', problem: 'The answer is empty.' }
  const bare = parse(text)
  if (bare !== undefined) return { kind: 'found', values: [bare] }
  if (finish === 'length')
    return { kind: 'none', problem: 'The answer was cut off at the limit of its length: be shorter.' }
  const values = findBracketedTexts(text)
    .map(parse)
    .filter((value) => value !== undefined)
  if (values.length > 0) return { kind: 'found', values }
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
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Replaces half characters, which an escape such as `\\ud83d` can name. Stores cannot keep them. */
function repairCharacters(_: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed() : value
}

/** Finds the outermost parts of a text from an opening bracket to its closing bracket. */
function findBracketedTexts(text: string): string[] {
  const found: string[] = []
  let from = 0
  while (from < text.length) {
    const start = from + text.slice(from).search(/[{[]/)
    if (start < from) break
    const end = findClosingBracket(text, start)
    // An unclosed bracket may begin a truncated answer. What follows is part of it, and no answer of its own.
    if (end === undefined) return found
    found.push(text.slice(start, end + 1))
    from = end + 1
  }
  return found
}

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

/** More problems would fill the request for a repair, mostly with repetitions of one mistake. */
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
  const hasList = json.values.some((value) => lists.some((name) => Array.isArray(fieldOf(value, name))))
  if (lists.length > 0 && !hasList) {
    const problem = `The answer has no list "${lists.join('" or "')}": give it, empty if there is nothing for it.`
    return { kind: 'wrong', problems: [problem] }
  }
  const parsed = json.values.map((value) => prompt.schema.safeParse(value))
  // Models that write more than the answer write it last.
  const fitting = parsed.findLast(({ success }) => success)
  const used =
    fitting?.success === true
      ? { output: fitting.data, leftOut: [] }
      : parseWithoutInvalidEntries(json.values.at(-1), prompt.schema)
  if (used === null)
    return { kind: 'wrong', problems: (parsed.at(-1)?.error?.issues ?? []).map(describeIssue) }
  const { output, leftOut } = used
  const problems = [...leftOut, ...(prompt.problems?.(output, input) ?? [])]
  return problems.length === 0 ? { kind: 'good', output } : { kind: 'flawed', output, problems, leftOut }
}

/** Names the lists that the schema requires. An object with none of them is no answer, but `{}` or the schema itself. */
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
): { readonly output: Output; readonly leftOut: readonly string[] } | null {
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

function fieldOf(value: unknown, key: PropertyKey): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
}

/** Lists problems, one per line. The number of further ones is the last line. */
export function listProblems(problems: readonly string[]): string {
  const shown = problems.slice(0, MAX_PROBLEMS).map((problem) => `- ${problem}`)
  const more = problems.length - shown.length
  return [...shown, ...(more > 0 ? [`- … ${more} more`] : [])].join('\n')
}

function describeIssue({ path, message }: z.core.$ZodIssue): string {
  return path.length === 0 ? message : `${path.join('.')}: ${message}`
}

const jsonSchemas = new WeakMap<z.ZodType, JsonSchema>()

/** Converts a prompt's schema to strict JSON Schema: closed, all required but fields marked by `leftOut`, to save tokens. */
export function answerSchema(schema: z.ZodType): JsonSchema {
  const known = jsonSchemas.get(schema)
  if (known !== undefined) return known
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
