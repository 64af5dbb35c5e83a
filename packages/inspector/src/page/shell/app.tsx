import { useQueryClient } from '@tanstack/react-query'
import { Suspense, Component, lazy, type ReactNode, type ComponentType } from 'react'
import { useLivePerson } from '../live/use-live.ts'
import { Button } from '../parts/button.tsx'
import { Loading, Failure } from '../parts/states.tsx'
import { NoticeProvider } from '../parts/notices.tsx'
import { useTexts } from '../words/language.tsx'
import type { Address, Person, PersonPage } from '../address/address.ts'
import { Gate } from './gate.tsx'
import { PersonNavigation } from './person-navigation.tsx'
import { useAddress } from '../address/use-address.ts'
import { Page } from '../parts/page.tsx'
import { PeoplePage } from '../pages/people/people-page.tsx'
import { Link } from '../address/link.tsx'
import { Select } from '../parts/select.tsx'
import { setKey, useKey } from '../session/key.ts'
import { LANGUAGES, type Language } from '../words/format.ts'
import { THEMES, useTheme } from './theme.ts'

/** The whole page: header, gate, and the page of the address. */
export function App(): ReactNode {
  const { texts } = useTexts()
  const address = useAddress()
  return (
    <NoticeProvider>
      <a className="skip button" href="#content">
        {texts.shell.skip}
      </a>
      <Masthead />
      <Gate>
        <Body address={address} />
      </Gate>
    </NoticeProvider>
  )
}

function Body({ address }: { readonly address: Address }): ReactNode {
  const person = 'person' in address ? address.person : null
  return (
    <>
      {person !== null && <ConnectionStatus person={person} />}
      <div className="body" data-bare={person === null ? '' : undefined}>
        {person !== null && <PersonNavigation person={person} />}
        <main id="content">
          <ErrorBoundary key={JSON.stringify(address)}>
            <Suspense fallback={<Loading />}>
              <PageAt address={address} />
            </Suspense>
          </ErrorBoundary>
        </main>
      </div>
    </>
  )
}

/** Follows a user's events, and warns when the connection is lost. */
function ConnectionStatus({ person }: { readonly person: Person }): ReactNode {
  const { texts } = useTexts()
  const queries = useQueryClient()
  const connection = useLivePerson(person)
  return (
    <div role="status">
      {connection === 'lost' && (
        <div className="lost">
          <span>{texts.shell.lost}</span>
          <Button tone="plain" onClick={() => void queries.invalidateQueries()}>
            {texts.shell.tryNow}
          </Button>
        </div>
      )}
    </div>
  )
}

interface BoundaryProps {
  readonly children: ReactNode
}

/** Catches and shows the error of a page, so that header and navigation remain. */
class ErrorBoundary extends Component<BoundaryProps, { readonly error: unknown }> {
  override state: { readonly error: unknown } = { error: null }

  static getDerivedStateFromError(error: unknown): { readonly error: unknown } {
    return { error }
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === null) return this.props.children
    return <Failure error={error} retry={() => this.setState({ error: null })} />
  }
}

/** Pages about one user. Each is loaded when it is first opened. */
const PERSON_PAGES: Readonly<Record<PersonPage, ComponentType<{ readonly person: Person }>>> = {
  overview: lazy(() => import('../pages/overview/overview-page.tsx')),
  memories: lazy(() => import('../pages/memories/memories-page.tsx')),
  persona: lazy(() => import('../pages/persona/persona-page.tsx')),
  relations: lazy(() => import('../pages/relations/relations-page.tsx')),
  story: lazy(() => import('../pages/story/story-page.tsx')),
  portrait: lazy(() => import('../pages/portrait/portrait-page.tsx')),
  retention: lazy(() => import('../pages/retention/retention-page.tsx')),
  conversation: lazy(() => import('../pages/conversation/conversation-page.tsx')),
  data: lazy(() => import('../pages/data/data-page.tsx')),
}
const WhyPage = lazy(() => import('../pages/why/why-page.tsx'))

function PageAt({ address }: { readonly address: Address }): ReactNode {
  if (address.page === 'people') return <PeoplePage />
  if (address.page === 'nowhere') return <NotFound />
  if (address.page === 'why') return <WhyPage person={address.person} memory={address.memory} />
  const PersonPage = PERSON_PAGES[address.page]
  return <PersonPage person={address.person} />
}

function NotFound(): ReactNode {
  const { texts } = useTexts()
  return (
    <Page title={texts.shell.nowhere} lead={texts.shell.nowhereHint}>
      <p>
        <Link to={{ page: 'people' }}>{texts.shell.toPeople}</Link>
      </p>
    </Page>
  )
}

const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: 'English', zh: '中文' }

/** The header of every page: link to the users, language, theme and lock. */
function Masthead(): ReactNode {
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
  const options = LANGUAGES.map((one) => [one, LANGUAGE_NAMES[one]] as const)
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
