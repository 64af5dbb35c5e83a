import { LONGEST_TEXT } from '@keepsake/text'
import { jsonrepair } from 'jsonrepair'
import { z } from 'zod'
import type { Prompt } from '../prompts/prompt.ts'
import type { FinishReason, LanguageAnswer, JsonSchema } from './language-model.ts'
import { LEFT_OUT } from '../prompts/check-answer.ts'

/** The JSON values found in an answer, the likeliest last; or what is wrong, said to the model and to people. */
type FoundJson =
  | { readonly kind: 'found'; readonly values: readonly unknown[] }
  | { readonly kind: 'none'; readonly problem: string }

const THINKING = /^\s*<think(?:ing)?>[\s\S]*?<\/think(?:ing)?>/i
/** Its marks stand on lines of their own, where no string of JSON can hold them. */
const FENCED = /^[ \t]*```[a-z]*[ \t]*\n([\s\S]*?)^[ \t]*```/gim
const CLOSER: Readonly<Record<string, string>> = { '{': '}', '[': ']' }

/**
 * Finds the JSON of an answer: bare, in a code fence, or inside prose. Repairs slips of syntax, but never completes a
 * truncated answer.
 *
 * @param finish why the model stopped: after `length` only bare JSON counts
 */
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
  const values = closedValues(text)
    .map(parse)
    .filter((value) => value !== undefined)
  if (values.length > 0) return { kind: 'found', values }
  const fenced = [...text.matchAll(FENCED)].at(-1)?.[1]?.trim()
  const mended = finish === 'stop' ? mendSlips(fenced ?? text) : undefined
  return mended === undefined
    ? { kind: 'none', problem: describe(text) }
    : { kind: 'found', values: [mended] }
}

/** An object or array; anything else is no answer of a shape. */
function parse(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text, wholeCharacters)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** An escape can name half of a character (`\\ud83d`), which no store keeps as it is. */
function wholeCharacters(_: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed() : value
}

/** The outermost stretches of text between a bracket and the one that closes it. */
function closedValues(text: string): string[] {
  const found: string[] = []
  let from = 0
  while (from < text.length) {
    const start = from + text.slice(from).search(/[{[]/)
    if (start < from) break
    const end = closingAt(text, start)
    // A bracket of the prose that nothing closes would hide what follows it; one that opens the answer must not.
    if (end === undefined) return found
    found.push(text.slice(start, end + 1))
    from = end + 1
  }
  return found
}

function closingAt(text: string, start: number): number | undefined {
  const open: string[] = []
  let isInString = false
  for (let index = start; index < text.length; index++) {
    const character = text[index] ?? ''
    if (isInString) {
      if (character === '\\') index++
      else if (character === '"') isInString = false
    } else if (character === '"') isInString = true
    else if (character in CLOSER) open.push(CLOSER[character] ?? '')
    else if (character === open.at(-1)) {
      open.pop()
      if (open.length === 0) return index
    }
  }
  return undefined
}

/** Mends a value with which the answer ends, if that needs no bracket added and nothing was left out. */
function mendSlips(text: string): object | undefined {
  const start = text.search(/[{[]/)
  if (start === -1) return undefined
  const end = text.lastIndexOf(CLOSER[text[start] ?? ''] ?? '')
  const slipped = text.slice(start, end + 1)
  if (end < start || text.slice(end + 1).trim() !== '' || isElided(slipped)) return undefined
  let mended: string
  try {
    mended = jsonrepair(slipped)
  } catch (error) {
    // What it cannot mend goes back to the model, with the problem.
    if (error instanceof Error) return undefined
    throw error
  }
  const addsBracket = ['}', ']'].some((closer) => count(mended, closer) > count(slipped, closer))
  return addsBracket ? undefined : parse(mended)
}

/** `[1, 2, …]`: the model left something out, and jsonrepair would drop the dots. */
function isElided(text: string): boolean {
  return /\.\.\.|…/.test(text.replace(/"(?:[^"\\]|\\.)*"/g, '""'))
}

function count(text: string, character: string): number {
  return text.split(character).length - 1
}

/** Says what is wrong without quoting the answer, since the sentence ends up in messages of errors. */
function describe(text: string): string {
  const start = text.search(/[{[]/)
  if (start === -1) return 'The answer holds no JSON object or array.'
  if (closingAt(text, start) === undefined)
    return 'The JSON in the answer is not whole: a bracket is never closed.'
  return 'The JSON in the answer has an error of syntax.'
}

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
  const lists = requiredLists(prompt.schema)
  if (
    lists.length > 0 &&
    !json.values.some((value) => lists.some((name) => Array.isArray(partOf(value, name))))
  )
    return {
      kind: 'wrong',
      problems: [
        `The answer has no list "${lists.join('" or "')}": give it, empty if there is nothing for it.`,
      ],
    }
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

/** Names the lists that an answer must have: an object with none of them is another kind of answer, such as `{}` or the schema itself. */
function requiredLists(schema: z.ZodType): string[] {
  const { properties = {}, required = [] } = answerSchema(schema) as {
    readonly properties?: Readonly<Record<string, { readonly type?: unknown }>>
    readonly required?: readonly string[]
  }
  return required.filter((name) => properties[name]?.type === 'array')
}

/** Removes list entries that break the shape; `null` if it breaks elsewhere, or a list becomes empty. */
function readInPart<Output>(
  value: unknown,
  schema: z.ZodType<Output>,
): { readonly output: Output; readonly leftOut: readonly string[] } | null {
  const left: unknown = structuredClone(value)
  const leftOut: string[] = []
  for (;;) {
    const { success, data, error } = schema.safeParse(left)
    if (success) return { output: data, leftOut }
    // From the back, to keep indexes valid.
    const broken = error.issues.map((issue) => ({ issue, entry: entryOf(left, issue.path) })).toReversed()
    const taken = new Set<string>()
    for (const { issue, entry } of broken) {
      if (entry === null) return null
      const path = JSON.stringify(entry.path)
      if (taken.has(path)) continue
      taken.add(path)
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

export function listProblems(problems: readonly string[]): string {
  const shown = problems.slice(0, MOST_PROBLEMS).map((problem) => `- ${problem}`)
  const more = problems.length - shown.length
  return [...shown, ...(more > 0 ? [`- … ${more} more`] : [])].join('\n')
}

function describeIssue({ path, message }: z.core.$ZodIssue): string {
  return path.length === 0 ? message : `${path.join('.')}: ${message}`
}

const made = new WeakMap<z.ZodType, JsonSchema>()

/**
 * Converts an answer shape to JSON Schema as providers take it: closed objects before parsing. All fields are
 * required, as strict modes ask, except those marked by `leftOut`, which save tokens.
 */
export function answerSchema(schema: z.ZodType): JsonSchema {
  const known = made.get(schema)
  if (known !== undefined) return known
  const { $schema: _dialect, ...document } = z.toJSONSchema(schema, {
    target: 'draft-7',
    io: 'input',
    override({ jsonSchema }) {
      if (jsonSchema.type !== 'object' || jsonSchema.properties === undefined) return
      jsonSchema.additionalProperties ??= false
      withoutMarks(jsonSchema)
    },
  })
  made.set(schema, document)
  return document
}

interface ObjectSchema {
  properties?: Record<string, unknown>
  required?: string[]
}

/** Fields that are marked as ones to leave out are not required, and lose their mark. */
function withoutMarks(object: ObjectSchema): void {
  const marked = Object.entries(object.properties ?? {}).flatMap(([name, field]) =>
    typeof field === 'object' &&
    field !== null &&
    LEFT_OUT in field &&
    Reflect.deleteProperty(field, LEFT_OUT)
      ? [name]
      : [],
  )
  object.required = (object.required ?? []).filter((name) => !marked.includes(name))
}

/** Checks for optional fields, which strict modes refuse. */
export function hasOptional(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false
  const { properties, required } = schema as { properties?: object; required?: readonly string[] }
  const own = Object.keys(properties ?? {}).length
  return (required !== undefined && own > required.length) || Object.values(schema).some(hasOptional)
}

/** A prompt's id as a name for its shape: letters, digits and `_`. */
export function schemaName(prompt: { readonly id: string }): string {
  return prompt.id.replace(/[^a-zA-Z0-9]+/g, '_')
}
