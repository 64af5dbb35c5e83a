import { createContext, use, useEffect, useMemo, useState, type ReactNode } from 'react'
import { keepSetting, readSetting } from '../browser/settings.ts'
import EN from './en.json' with { type: 'json' }
import { LANGUAGES, makeFormat, type Format, type Language } from './format.ts'
import { fill, type Texts, type Words } from './texts.ts'
import ZH from './zh.json' with { type: 'json' }

const WORDS: Readonly<Record<Language, Words>> = { en: EN, zh: ZH }
const TAGS: Readonly<Record<Language, string>> = { en: 'en', zh: 'zh-Hans' }

interface Speaking {
  readonly language: Language
  readonly words: Words
  readonly format: Format
  readonly speak: (language: Language) => void
  /** `1,204 messages` */
  readonly counted: (what: keyof Words['count'], count: number) => string
}

const LanguageContext = createContext<Speaking | null>(null)

function preferred(): Language {
  const kept = LANGUAGES.find((one) => one === readSetting('language'))
  return kept ?? (navigator.languages.some((tag) => /^zh\b/i.test(tag)) && !startsEnglish() ? 'zh' : 'en')
}

const startsEnglish = (): boolean => /^en\b/i.test(navigator.languages[0] ?? '')

export function LanguageProvider({ children }: { readonly children: ReactNode }): ReactNode {
  const [language, setLanguage] = useState(preferred)
  useEffect(() => {
    document.documentElement.lang = TAGS[language]
  }, [language])
  const speaking = useMemo((): Speaking => {
    const words = WORDS[language]
    const format = makeFormat(language)
    return {
      language,
      words,
      format,
      speak: (next) => {
        keepSetting('language', next)
        setLanguage(next)
      },
      counted: (what, count) => fill(words.count[what], { count, written: format.number(count) }),
    }
  }, [language])
  return <LanguageContext value={speaking}>{children}</LanguageContext>
}

/** The page's texts and formats in the reader's language. */
export function useWords(): Speaking {
  const speaking = use(LanguageContext)
  if (speaking === null) throw new Error('useWords() is called outside LanguageProvider')
  return speaking
}

/**
 * What one page says, in the reader's language: a catalog that is loaded with the page alone.
 *
 * @example
 * const labels = usePageWords(DATA)
 */
export function usePageWords<Catalog>(words: {
  readonly en: Catalog
  readonly zh: NoInfer<Texts<Catalog>>
}): Texts<Catalog> {
  const { language } = useWords()
  return language === 'en' ? (words.en as Texts<Catalog>) : words.zh
}
