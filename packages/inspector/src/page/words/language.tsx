import { createContext, use, useEffect, useMemo, useState, type ReactNode } from 'react'
import { storeSetting, readSetting } from '../browser/settings.ts'
import EN from './en.json' with { type: 'json' }
import { LANGUAGES, makeFormat, type Format, type Language } from './format.ts'
import { fill, type Texts, type ShellTexts } from './texts.ts'
import ZH from './zh.json' with { type: 'json' }

const TEXTS: Readonly<Record<Language, ShellTexts>> = { en: EN, zh: ZH }
const TAGS: Readonly<Record<Language, string>> = { en: 'en', zh: 'zh-Hans' }

interface LanguageContextValue {
  readonly language: Language
  readonly texts: ShellTexts
  readonly format: Format
  readonly changeLanguage: (language: Language) => void
  /** `1,204 messages` */
  readonly counted: (what: keyof ShellTexts['count'], count: number) => string
}

const LanguageContext = createContext<LanguageContextValue | null>(null)

function preferredLanguage(): Language {
  const storedLanguage = LANGUAGES.find((known) => known === readSetting('language'))
  return (
    storedLanguage ??
    (navigator.languages.some((tag) => /^zh\b/i.test(tag)) && !prefersEnglish() ? 'zh' : 'en')
  )
}

const prefersEnglish = (): boolean => /^en\b/i.test(navigator.languages[0] ?? '')

export function LanguageProvider({ children }: { readonly children: ReactNode }): ReactNode {
  const [language, setLanguage] = useState(preferredLanguage)
  useEffect(() => {
    document.documentElement.lang = TAGS[language]
  }, [language])
  const context = useMemo((): LanguageContextValue => {
    const texts = TEXTS[language]
    const format = makeFormat(language)
    return {
      language,
      texts,
      format,
      changeLanguage: (next) => {
        storeSetting('language', next)
        setLanguage(next)
      },
      counted: (what, count) => fill(texts.count[what], { count, written: format.number(count) }),
    }
  }, [language])
  return <LanguageContext value={context}>{children}</LanguageContext>
}

/** The page's texts and formats in the reader's language. */
export function useTexts(): LanguageContextValue {
  const context = use(LanguageContext)
  if (context === null) throw new Error('useTexts() is called outside LanguageProvider')
  return context
}

/** Returns the texts of one page in the reader's language. Their catalog is loaded with the page. */
export function usePageTexts<Catalog>(catalog: {
  readonly en: Catalog
  readonly zh: NoInfer<Texts<Catalog>>
}): Texts<Catalog> {
  const { language } = useTexts()
  return language === 'en' ? (catalog.en as Texts<Catalog>) : catalog.zh
}
