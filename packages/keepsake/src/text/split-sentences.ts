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
  segmenters ??= {
    en: new Intl.Segmenter('en', { granularity: 'sentence' }),
    zh: new Intl.Segmenter('zh', { granularity: 'sentence' }),
  }
  const segmenter = HAN.test(text) ? segmenters.zh : segmenters.en
  const sentences: Sentence[] = []
  let open: { text: string; start: number } | null = null
  for (const { segment, index } of segmenter.segment(text)) {
    open = open === null ? { text: segment, start: index } : { text: open.text + segment, start: open.start }
    if (ABBREVIATION.test(open.text) && !open.text.includes('\n')) continue
    push(sentences, open)
    open = null
  }
  if (open !== null) push(sentences, open)
  return sentences
}

function push(sentences: Sentence[], { text, start }: { text: string; start: number }): void {
  const trimmed = text.trim()
  if (trimmed !== '') sentences.push({ text: trimmed, start: start + text.indexOf(trimmed) })
}
