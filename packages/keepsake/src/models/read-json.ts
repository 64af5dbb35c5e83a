import { jsonrepair } from 'jsonrepair'
import type { FinishReason } from './language-model.ts'

/** The JSON values found in an answer, the likeliest last; or what is wrong, said to the model and to people. */
export type FoundJson =
  | { readonly kind: 'found'; readonly values: readonly unknown[] }
  | { readonly kind: 'none'; readonly problem: string }

const THINKING = /^\s*<think(?:ing)?>[\s\S]*?<\/think(?:ing)?>/i
/** Its marks stand on lines of their own, where no string of JSON can hold them. */
const FENCED = /^[ \t]*```[a-z]*[ \t]*\n([\s\S]*?)^[ \t]*```/gim
const CLOSER: Readonly<Record<string, string>> = { '{': '}', '[': ']' }

/**
 * Finds the JSON object or array an answer consists of: bare, in a code fence, or inside prose. Slips of syntax
 * (a trailing comma, single quotes) are mended when the answer is whole; a cut-off answer is never completed, for
 * what is missing is not known.
 *
 * @param finish why the model stopped: after `length` only bare JSON counts, since more may have been meant to follow.
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
  for (let at = start; at < text.length; at++) {
    const character = text[at] ?? ''
    if (isInString) {
      if (character === '\\') at++
      else if (character === '"') isInString = false
    } else if (character === '"') isInString = true
    else if (character in CLOSER) open.push(CLOSER[character] ?? '')
    else if (character === open.at(-1)) {
      open.pop()
      if (open.length === 0) return at
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
