import { plainSentenceEnds } from './plain-sentences.ts'

/** A sentence and its offset in the text. */
export interface Sentence {
  readonly text: string
  readonly start: number
}

let segmenters: { readonly en: Intl.Segmenter; readonly zh: Intl.Segmenter } | undefined
const HAN = /\p{Script=Han}/u
/** Matches titles and common abbreviations, whose full stop does not end a sentence before a capital. */
const ABBREVIATION = /(?:^|[\s(])(?:mr|mrs|ms|dr|prof|st|vs|etc|e\.g|i\.e|no|jr|sr|(?:[A-Z]\.)*[A-Z])\.\s*$/i
/** Matches words that begin a new sentence even after initials: “in D.C. My sister …”. */
const SENTENCE_START = /^\s*(?:I|My|We|Our|You|He|She|It|They|This|That|The|But|And|So)\b/
/** Matches “no.” It abbreviates “number” if a digit follows: “no. 7”. Otherwise it is the word “no” and ends a sentence. */
const NUMBER_OR_NO = /(?:^|[\s(])no\.\s*$/i
const INITIALS = /\.[A-Z]\.\s*$/
/** Maximum characters inspected before and after a possible sentence end. */
const INSPECTED_CHARACTERS = 40

/** Splits English or Chinese text into trimmed sentences. New lines end a sentence. */
export function splitSentences(text: string): Sentence[] {
  const sentences: Sentence[] = []
  let start = 0
  let previousEnd = 0
  let hasNewLine = false
  for (const end of plainSentenceEnds(text) ?? sentenceEnds(text)) {
    hasNewLine ||= text.slice(previousEnd, end).includes('\n')
    previousEnd = end
    if (end < text.length && !hasNewLine && isAbbreviationAt(text, start, end)) continue
    push(sentences, text.slice(start, end), start)
    start = end
    hasNewLine = false
  }
  return sentences
}

/** Reports whether the full stop before `end` belongs to an abbreviation, so that the sentence continues. */
function isAbbreviationAt(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(start, end - INSPECTED_CHARACTERS), end)
  const after = text.slice(end, end + INSPECTED_CHARACTERS)
  if (!ABBREVIATION.test(before)) return false
  if (INITIALS.test(before) && SENTENCE_START.test(after)) return false
  return !NUMBER_OR_NO.test(before) || /^\s*\d/.test(after)
}

function sentenceEnds(text: string): number[] {
  segmenters ??= {
    en: new Intl.Segmenter('en', { granularity: 'sentence' }),
    zh: new Intl.Segmenter('zh', { granularity: 'sentence' }),
  }
  const segmenter = HAN.test(text) ? segmenters.zh : segmenters.en
  return Array.from(segmenter.segment(text), ({ segment, index }) => index + segment.length)
}

/** Adds a sentence without the spaces around it. */
function push(sentences: Sentence[], written: string, start: number): void {
  const text = written.trim()
  if (text !== '') sentences.push({ text, start: start + written.length - written.trimStart().length })
}
