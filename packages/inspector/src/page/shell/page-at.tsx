import { lazy, type ComponentType, type ReactNode } from 'react'
import { Page } from '../parts/page.tsx'
import { useWords } from '../words/language.tsx'
import { PeoplePage } from '../pages/people/people-page.tsx'
import type { Address, Person, PersonPage } from '../address/address.ts'
import { Link } from '../address/link.tsx'

/** Pages about one user. Each is loaded when it is first opened. */
const PERSON_PAGES: Readonly<Record<PersonPage, ComponentType<{ readonly person: Person }>>> = {
  overview: lazy(() => import('../pages/overview/overview-page.tsx')),
  memories: lazy(() => import('../pages/memories/memories-page.tsx')),
  persona: lazy(() => import('../pages/persona/persona-page.tsx')),
  story: lazy(() => import('../pages/story/story-page.tsx')),
  portrait: lazy(() => import('../pages/portrait/portrait-page.tsx')),
  retention: lazy(() => import('../pages/retention/retention-page.tsx')),
  conversation: lazy(() => import('../pages/conversation/conversation-page.tsx')),
  data: lazy(() => import('../pages/data/data-page.tsx')),
}
const WhyPage = lazy(() => import('../pages/why/why-page.tsx'))

/** The page that an address names. */
export function PageAt({ address }: { readonly address: Address }): ReactNode {
  if (address.page === 'people') return <PeoplePage />
  if (address.page === 'nowhere') return <Nowhere />
  if (address.page === 'why') return <WhyPage person={address.person} memory={address.memory} />
  const PersonPage = PERSON_PAGES[address.page]
  return <PersonPage person={address.person} />
}

function Nowhere(): ReactNode {
  const { words } = useWords()
  return (
    <Page title={words.shell.nowhere} lead={words.shell.nowhereHint}>
      <p>
        <Link to={{ page: 'people' }}>{words.shell.toPeople}</Link>
      </p>
    </Page>
  )
}
