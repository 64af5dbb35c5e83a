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
/** Matches words that begin a sentence even after initials: “in D.C. My sister …”. */
const BEGINS = /^\s*(?:I|My|We|Our|You|He|She|It|They|This|That|The|But|And|So)\b/
/** Matches “no.”, which abbreviates “number” before a digit only. */
const NUMBER = /(?:^|[\s(])no\.\s*$/i
const INITIALS = /\.[A-Z]\.\s*$/
/** Maximum characters inspected before a possible sentence end. */
const TAIL = 40

/** Splits English or Chinese text into sentences, unchanged but trimmed. New lines end a sentence. */
export function splitSentences(text: string): Sentence[] {
  const sentences: Sentence[] = []
  let [start, seen, isBroken] = [0, 0, false]
  for (const end of plainSentenceEnds(text) ?? sentenceEnds(text)) {
    isBroken ||= text.slice(seen, end).includes('\n')
    seen = end
    const tail = text.slice(Math.max(start, end - TAIL), end)
    const next = text.slice(end, end + TAIL)
    const begins = (INITIALS.test(tail) && BEGINS.test(next)) || (NUMBER.test(tail) && !/^\s*\d/.test(next))
    if (end < text.length && !isBroken && ABBREVIATION.test(tail) && !begins) continue
    push(sentences, text.slice(start, end), start)
    start = end
    isBroken = false
  }
  return sentences
}

function sentenceEnds(text: string): number[] {
  segmenters ??= {
    en: new Intl.Segmenter('en', { granularity: 'sentence' }),
    zh: new Intl.Segmenter('zh', { granularity: 'sentence' }),
  }
  const segmenter = HAN.test(text) ? segmenters.zh : segmenters.en
  return Array.from(segmenter.segment(text), ({ segment, index }) => index + segment.length)
}

function push(sentences: Sentence[], written: string, start: number): void {
  const text = written.trim()
  if (text !== '') sentences.push({ text, start: start + written.length - written.trimStart().length })
}
