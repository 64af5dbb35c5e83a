// Finds the JSON in a model's answer. Called by read-answer.ts.
import { withoutThinking } from '@keepsake/text'
import { jsonrepair } from 'jsonrepair'
import type { FinishReason } from './language-model.ts'

/** The JSON values in an answer, in order, or a problem in words for the model and the user. */
type FoundJson =
  | { readonly kind: 'found'; readonly values: readonly unknown[] }
  | { readonly kind: 'none'; readonly problem: string }

/** Matches a code fence. Its marks begin a line, which is impossible inside a JSON string. */
const FENCED = /^[ \t]*```[a-z]*[ \t]*\n([\s\S]*?)^[ \t]*```/gim
const CLOSING_BRACKETS: Readonly<Record<string, string>> = { '{': '}', '[': ']' }

/** Finds the JSON of an answer. Repairs small errors, but never a truncated answer. */
export function readJson(answer: string, finish: FinishReason): FoundJson {
  const fullText = answer.replace(/^\uFEFF/, '').trim()
  if (fullText === '') return { kind: 'none', problem: 'The answer is empty.' }
  const withoutThoughts = withoutThinking(fullText).trim()
  const text = withoutThoughts === '' ? fullText : withoutThoughts
  const isCutOff = finish === 'length'
  for (const attempt of isCutOff ? [readWholeText] : ATTEMPTS) {
    const values = attempt({ fullText, text, mayRepair: finish === 'stop' })
    if (values.length > 0) return { kind: 'found', values }
  }
  const problem = isCutOff
    ? 'The answer was cut off at the limit of its length: be shorter.'
    : describeProblem(text)
  return { kind: 'none', problem }
}

interface AnswerText {
  readonly fullText: string
  /** The text without the model's thinking. */
  readonly text: string
  readonly mayRepair: boolean
}

/** Ways to find the JSON values of an answer. The first that finds any counts. */
const ATTEMPTS: readonly ((answer: AnswerText) => readonly unknown[])[] = [
  readWholeText,
  readPartsOfProse,
  repairFencedText,
]

/** Reads a text that is nothing but JSON. */
function readWholeText({ fullText, text }: AnswerText): readonly unknown[] {
  const value = parse(fullText) ?? parse(text)
  return value === undefined ? [] : [value]
}

/** Reads the JSON inside prose. The longest part is probably the answer: if it is broken, no other part may replace it. */
function readPartsOfProse({ text, mayRepair }: AnswerText): readonly unknown[] {
  const parts = findBracketedTexts(text)
  const longest = parts.reduce((best, part) => (part.length > best.length ? part : best), '')
  const answer = parse(longest) ?? (mayRepair ? repairSyntax(longest) : undefined)
  // Brackets without a colon are prose, such as “[1]”.
  const isProse = !longest.includes(':')
  if (answer === undefined && !isProse) return []
  return parts.map((part) => (part === longest ? answer : parse(part))).filter((value) => value !== undefined)
}

/** Repairs the JSON of the last code fence, or of the whole text. */
function repairFencedText({ text, mayRepair }: AnswerText): readonly unknown[] {
  const fenced = [...text.matchAll(FENCED)].at(-1)?.[1]?.trim()
  const repaired = mayRepair ? repairSyntax(fenced ?? text) : undefined
  return repaired === undefined ? [] : [repaired]
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
