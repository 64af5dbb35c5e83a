import type { ReactNode } from 'react'
import { Button } from '../parts/button.tsx'
import { Select } from '../parts/select.tsx'
import { setKey, useKey } from '../session/key.ts'
import { LANGUAGES, type Language } from '../words/format.ts'
import { useTexts } from '../words/language.tsx'
import { Link } from '../address/link.tsx'
import { THEMES, useTheme } from './theme.ts'
import { useAddress } from '../address/use-address.ts'

const NAMES: Readonly<Record<Language, string>> = { en: 'English', zh: '中文' }

/** The header of every page: links about no particular user, theme and language. */
export function Masthead(): ReactNode {
  const { texts } = useTexts()
  const { page } = useAddress()
  return (
    <header className="masthead">
      <Link className="brand" to={{ page: 'people' }}>
        {texts.shell.title}
      </Link>
      <nav aria-label={texts.shell.mainNavigation}>
        <Link to={{ page: 'people' }} isCurrent={page === 'people'}>
          {texts.shell.people}
        </Link>
      </nav>
      <div className="tools">
        <LanguageChoice />
        <ThemeChoice />
        <LockButton />
      </div>
    </header>
  )
}

function LanguageChoice(): ReactNode {
  const { texts, language, changeLanguage } = useTexts()
  const options = LANGUAGES.map((one) => [one, NAMES[one]] as const)
  return (
    <Select isBare label={texts.shell.language} value={language} options={options} choose={changeLanguage} />
  )
}

function ThemeChoice(): ReactNode {
  const { texts } = useTexts()
  const [theme, choose] = useTheme()
  const options = THEMES.map((one) => [one, texts.shell.theme[one]] as const)
  return <Select isBare label={texts.shell.theme.label} value={theme} options={options} choose={choose} />
}

/** A button that removes the key; nothing without a key. */
function LockButton(): ReactNode {
  const { texts } = useTexts()
  if (useKey() === null) return null
  return (
    <Button onClick={() => setKey(null)} title={texts.shell.lockHint}>
      {texts.shell.lock}
    </Button>
  )
}
