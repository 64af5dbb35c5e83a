import type { ReactNode } from 'react'
import { Button } from '../parts/button.tsx'
import { setKey, useKey } from '../session/key.ts'
import { LANGUAGES, type Language } from '../words/format.ts'
import { useWords } from '../words/language.tsx'
import { Link } from '../address/link.tsx'
import { THEMES, useTheme, type Theme } from './theme.ts'
import { useAddress } from '../address/use-address.ts'

const NAMES: Readonly<Record<Language, string>> = { en: 'English', zh: '中文' }

/** The header of every page: links about no particular user, theme and language. */
export function Masthead({ isOpen }: { readonly isOpen: boolean }): ReactNode {
  const { words } = useWords()
  const { page } = useAddress()
  return (
    <header className="masthead">
      <Link className="brand" to={{ page: 'people' }}>
        {words.shell.title}
      </Link>
      {isOpen && (
        <nav aria-label={words.shell.mainNavigation}>
          <Link to={{ page: 'people' }} isCurrent={page === 'people'}>
            {words.shell.people}
          </Link>
        </nav>
      )}
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
  const choose = (value: string): void => {
    const chosen = LANGUAGES.find((one) => one === value)
    if (chosen !== undefined) speak(chosen)
  }
  return (
    <select
      className="input small"
      aria-label={words.shell.language}
      value={language}
      onChange={(event) => choose(event.target.value)}
    >
      {LANGUAGES.map((one) => (
        <option key={one} value={one}>
          {NAMES[one]}
        </option>
      ))}
    </select>
  )
}

function ThemeChoice(): ReactNode {
  const { words } = useWords()
  const [theme, choose] = useTheme()
  return (
    <select
      className="input small"
      aria-label={words.shell.theme.label}
      value={theme}
      onChange={(event) => choose(event.target.value as Theme)}
    >
      {THEMES.map((one) => (
        <option key={one} value={one}>
          {words.shell.theme[one]}
        </option>
      ))}
    </select>
  )
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
