export type TextLanguage = 'en' | 'zh'

export interface SplitOptions {
  readonly language: TextLanguage
  /** Default: `characters` in Chinese, `words` in English. */
  readonly unit?: 'words' | 'characters'
}

const segmenters: Readonly<Record<TextLanguage, Intl.Segmenter>> = {
  en: new Intl.Segmenter('en', { granularity: 'word' }),
  zh: new Intl.Segmenter('zh', { granularity: 'word' }),
}
const UNITS = { en: 'words', zh: 'characters' } as const
/** Each Chinese character, and the text between them. */
const HAN_OR_RUN = /\p{Script=Han}|\P{Script=Han}+/gu

const APOSTROPHES = /[‘’ʼ]/g

/**
 * The words that every overlap metric counts: NFKC, lower case, one kind of apostrophe, Unicode word segments (UAX 29),
 * punctuation left out. Nothing is stemmed and no stop word taken out. A text without a word gives none. Chinese is
 * counted by characters unless it is asked for otherwise, as sacreBLEU's `zh` does: where its words begin and end depends
 * on the segmenter's dictionary and its version. Runs of other scripts stay words there too.
 *
 * @example
 * splitWords('I moved to Köln!', { language: 'en' }) // ['i', 'moved', 'to', 'köln']
 * splitWords('我搬到了Paris', { language: 'zh' }) // ['我', '搬', '到', '了', 'paris']
 */
export function splitWords(text: string, { language, unit = UNITS[language] }: SplitOptions): string[] {
  const plain = text.normalize('NFKC').toLowerCase().replaceAll(APOSTROPHES, "'")
  const words = [...segmenters[language].segment(plain)].flatMap(({ segment, isWordLike }) =>
    isWordLike === true ? [segment] : [],
  )
  return unit === 'characters' ? words.flatMap((word) => word.match(HAN_OR_RUN) ?? []) : words
}
