import { plainSentenceEnds } from './plain-sentences.ts'

/** A sentence and where it begins in the text. */
export interface Sentence {
  readonly text: string
  readonly start: number
}

let segmenters: { readonly en: Intl.Segmenter; readonly zh: Intl.Segmenter } | undefined
const HAN = /\p{Script=Han}/u
/** Endings that do not end a sentence, before a capital: titles and common abbreviations. */
const ABBREVIATION = /(?:^|[\s(])(?:mr|mrs|ms|dr|prof|st|vs|etc|e\.g|i\.e|no|jr|sr|[A-Z])\.\s*$/i

/**
 * Sentences of a text, English or Chinese, each exactly as it stands there, without the spaces around it. New
 * lines end a sentence.
 */
export function splitSentences(text: string): Sentence[] {
  const sentences: Sentence[] = []
  let start = 0
  for (const end of plainSentenceEnds(text) ?? sentenceEnds(text)) {
    const open = text.slice(start, end)
    if (end < text.length && ABBREVIATION.test(open) && !open.includes('\n')) continue
    push(sentences, { text: open, start })
    start = end
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

function push(sentences: Sentence[], { text, start }: { text: string; start: number }): void {
  const trimmed = text.trim()
  if (trimmed !== '') sentences.push({ text: trimmed, start: start + text.indexOf(trimmed) })
}
