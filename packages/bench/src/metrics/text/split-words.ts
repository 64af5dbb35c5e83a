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
/** Matches each Chinese character, and the text between them. */
const HAN_OR_RUN = /\p{Script=Han}|\P{Script=Han}+/gu

const APOSTROPHES = /[‘’ʼ]/g

/** Splits a text into Unicode words in NFKC and lower case. Chinese is split into characters, because its word boundaries depend on a dictionary. */
export function splitWords(text: string, { language, unit = UNITS[language] }: SplitOptions): string[] {
  const plain = text.normalize('NFKC').toLowerCase().replaceAll(APOSTROPHES, "'")
  const words = [...segmenters[language].segment(plain)].flatMap(({ segment, isWordLike }) =>
    isWordLike === true ? [segment] : [],
  )
  return unit === 'characters' ? words.flatMap((word) => word.match(HAN_OR_RUN) ?? []) : words
}
