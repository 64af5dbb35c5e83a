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
 * Splits a text into the words that all overlap metrics count. They are Unicode word segments (UAX 29) in NFKC and lower case, without
 * punctuation. Stop words stay, and nothing is stemmed. Chinese is split into characters by default, like sacreBLEU's `zh`, because the
 * boundaries of its words depend on the dictionary of the segmenter. Words of other scripts within Chinese stay whole.
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
