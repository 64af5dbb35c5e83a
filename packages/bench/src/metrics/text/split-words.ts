export type TextLanguage = 'en' | 'zh'

/**
 * `words`: Unicode word segments. `characters`: the same, but each Chinese character for itself. Where Chinese words
 * begin and end depends on the segmenter's dictionary and its version, so overlap of Chinese is counted by characters
 * unless it is asked for otherwise, as sacreBLEU's `zh` does. Runs of other scripts stay words in both.
 */
export type WordUnit = 'words' | 'characters'

export interface SplitOptions {
  readonly language: TextLanguage
  /** `characters` for `zh`, `words` for `en`. */
  readonly unit?: WordUnit
}

const segmenters: Readonly<Record<TextLanguage, Intl.Segmenter>> = {
  en: new Intl.Segmenter('en', { granularity: 'word' }),
  zh: new Intl.Segmenter('zh', { granularity: 'word' }),
}
const HAN = /\p{Script=Han}/u
/** Each Chinese character, and what stands between them. */
const HAN_OR_RUN = /\p{Script=Han}|\P{Script=Han}+/gu

const APOSTROPHES = /[‘’ʼ]/g

/**
 * The words that every overlap metric counts: NFKC, lower case, one kind of apostrophe, Unicode word segments (UAX 29),
 * punctuation left out. Nothing is stemmed and no stop word taken out. A text without a word gives none.
 *
 * @example
 * splitWords('I moved to Köln!', { language: 'en' }) // ['i', 'moved', 'to', 'köln']
 * splitWords('我搬到了Paris', { language: 'zh' }) // ['我', '搬', '到', '了', 'paris']
 */
export function splitWords(text: string, { language, unit }: SplitOptions): string[] {
  const byCharacter = (unit ?? (language === 'zh' ? 'characters' : 'words')) === 'characters'
  const words: string[] = []
  const plain = text.normalize('NFKC').toLowerCase().replaceAll(APOSTROPHES, "'")
  for (const piece of segmenters[language].segment(plain)) {
    if (piece.isWordLike !== true) continue
    if (byCharacter && HAN.test(piece.segment)) words.push(...(piece.segment.match(HAN_OR_RUN) ?? []))
    else words.push(piece.segment)
  }
  return words
}
