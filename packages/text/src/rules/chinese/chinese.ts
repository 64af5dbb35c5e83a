import { Grammar } from '../matching/grammar.ts'
import type { Word } from '../matching/word.ts'
import { CHINESE_PHRASES } from './phrases.ts'
import { REQUEST_PHRASES } from './request-phrases.ts'
import { WIDE_PHRASES } from './wide-requests.ts'

const WORD = /\s*(?:\p{Script=Latin}[\p{Script=Latin}\p{M}'’-]*|\p{N}+|\S)/gu
const MARKS: Readonly<Record<string, string>> = { '，': ',', '､': ',', '？': '?' }
const STOPS = new Set('；;。.！!?：:～~…')
const characters = new Map<string, Word>()

/** Splits a text into characters. Runs of Latin letters and of digits are one word each. */
export function charactersOf(text: string): Word[] {
  return (text.match(WORD) ?? []).map((word) => characters.get(word) ?? toWord(word))
}

/** Caches the words of single characters. */
function toWord(word: string): Word {
  const text = word.trimStart()
  const lower = MARKS[text] ?? text.toLowerCase()
  const lemma = STOPS.has(lower) ? ';' : lower
  const made = { text, lower, lemma, pos: '', before: word.slice(0, -text.length) }
  if (word.length === 1) characters.set(word, made)
  return made
}

/** Patterns of Chinese, where each character is a word. */
export const chinese = new Grammar({ ...CHINESE_PHRASES, ...REQUEST_PHRASES, ...WIDE_PHRASES }, (text) =>
  charactersOf(text).map((word) => word.lower),
)
