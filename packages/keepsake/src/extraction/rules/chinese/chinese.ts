import { Grammar } from '../matching/grammar.ts'
import type { Word } from '../matching/word.ts'
import { CHINESE_PHRASES } from './phrases.ts'
import { REQUEST_PHRASES } from './request-phrases.ts'

const WORD = /(\s*)(\p{Script=Latin}[\p{Script=Latin}\p{M}'’-]*|\p{N}+|\S)/gu
const STOPS = new Set('；;。.！!?：:～~…')
const MARKS: Readonly<Record<string, string>> = { '，': ',', '､': ',', '？': '?' }

/** The characters of a text; runs of Latin letters and of digits are one word each. */
export function charactersOf(text: string): Word[] {
  return [...text.matchAll(WORD)].map(([, before = '', word = '']) => {
    const lower = MARKS[word] ?? (word > 'z' ? word : word.toLowerCase())
    return { text: word, lower, lemma: STOPS.has(lower) ? ';' : lower, pos: '', before }
  })
}

/** Patterns of Chinese: a word is a character. */
export const chinese = new Grammar({ ...CHINESE_PHRASES, ...REQUEST_PHRASES }, (text) =>
  charactersOf(text).map((word) => word.lower),
)
