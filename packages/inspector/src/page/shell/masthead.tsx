import type { ReactNode } from 'react'
import { Button } from '../parts/button.tsx'
import { Select } from '../parts/select.tsx'
import { setKey, useKey } from '../session/key.ts'
import { LANGUAGES, type Language } from '../words/format.ts'
import { useWords } from '../words/language.tsx'
import { Link } from '../address/link.tsx'
import { THEMES, useTheme } from './theme.ts'
import { useAddress } from '../address/use-address.ts'

const NAMES: Readonly<Record<Language, string>> = { en: 'English', zh: '中文' }

/** The header of every page: links about no particular user, theme and language. */
export function Masthead(): ReactNode {
  const { words } = useWords()
  const { page } = useAddress()
  return (
    <header className="masthead">
      <Link className="brand" to={{ page: 'people' }}>
        {words.shell.title}
      </Link>
      <nav aria-label={words.shell.mainNavigation}>
        <Link to={{ page: 'people' }} isCurrent={page === 'people'}>
          {words.shell.people}
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
  const { words, language, speak } = useWords()
  const options = LANGUAGES.map((one) => [one, NAMES[one]] as const)
  return <Select isBare label={words.shell.language} value={language} options={options} choose={speak} />
}

function ThemeChoice(): ReactNode {
  const { words } = useWords()
  const [theme, choose] = useTheme()
  const options = THEMES.map((one) => [one, words.shell.theme[one]] as const)
  return <Select isBare label={words.shell.theme.label} value={theme} options={options} choose={choose} />
}

/** Offered where there is a key to remove. */
function LockButton(): ReactNode {
  const { words } = useWords()
  if (useKey() === null) return null
  return (
    <Button onClick={() => setKey(null)} title={words.shell.lockHint}>
      {words.shell.lock}
    </Button>
  )
}
