import { createContext, use, useEffect, useMemo, useState, type ReactNode } from 'react'
import { keepSetting, readSetting } from '../browser/settings.ts'
import { EN, type Words } from './en.ts'
import { LANGUAGES, makeFormat, type Format, type Language } from './format.ts'
import { ZH } from './zh.ts'

const WORDS: Readonly<Record<Language, Words>> = { en: EN, zh: ZH }
const TAGS: Readonly<Record<Language, string>> = { en: 'en', zh: 'zh-Hans' }

interface Speaking {
  readonly language: Language
  readonly words: Words
  readonly format: Format
  readonly speak: (language: Language) => void
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
  const speaking = useMemo(
    (): Speaking => ({
      language,
      words: WORDS[language],
      format: makeFormat(language),
      speak: (next) => {
        keepSetting('language', next)
        setLanguage(next)
      },
    }),
    [language],
  )
  return <LanguageContext value={speaking}>{children}</LanguageContext>
}

/** The page's texts and formats in the reader's language. */
export function useWords(): Speaking {
  const speaking = use(LanguageContext)
  if (speaking === null) throw new Error('useWords() is called outside LanguageProvider')
  return speaking
}

/**
 * What one page says, in the reader's language: words that are loaded with the page alone.
 *
 * @example
 * const labels = usePageWords({ en: EN, zh: ZH })
 */
export function usePageWords<Labels>(words: Readonly<Record<Language, Labels>>): Labels {
  return words[useWords().language]
}
