import { lazy, type ReactNode } from 'react'
import { Page } from '../parts/page.tsx'
import { useWords } from '../words/language.tsx'
import { PeoplePage } from '../pages/people/people-page.tsx'
import type { Address } from '../address/address.ts'
import { Link } from '../address/link.tsx'

// Each page is loaded when it is first opened.
const OverviewPage = lazy(() => import('../pages/overview/overview-page.tsx'))
const MemoriesPage = lazy(() => import('../pages/memories/memories-page.tsx'))
const WhyPage = lazy(() => import('../pages/why/why-page.tsx'))
const PersonaPage = lazy(() => import('../pages/persona/persona-page.tsx'))
const StoryPage = lazy(() => import('../pages/story/story-page.tsx'))
const PortraitPage = lazy(() => import('../pages/portrait/portrait-page.tsx'))
const RetentionPage = lazy(() => import('../pages/retention/retention-page.tsx'))
const ConversationPage = lazy(() => import('../pages/conversation/conversation-page.tsx'))
const DataPage = lazy(() => import('../pages/data/data-page.tsx'))

/** The page that an address names. */
export function PageAt({ address }: { readonly address: Address }): ReactNode {
  switch (address.page) {
    case 'people':
      return <PeoplePage />
    case 'overview':
      return <OverviewPage person={address.person} />
    case 'memories':
      return <MemoriesPage person={address.person} />
    case 'why':
      return <WhyPage person={address.person} memory={address.memory} />
    case 'persona':
      return <PersonaPage person={address.person} />
    case 'story':
      return <StoryPage person={address.person} />
    case 'portrait':
      return <PortraitPage person={address.person} />
    case 'retention':
      return <RetentionPage person={address.person} />
    case 'conversation':
      return <ConversationPage person={address.person} />
    case 'data':
      return <DataPage person={address.person} />
    case 'nowhere':
      return <Nowhere />
  }
}

function Nowhere(): ReactNode {
  const { words } = useWords()
  return (
    <Page title={words.shell.nowhere} lead={words.shell.nowhereTold}>
      <p>
        <Link to={{ page: 'people' }}>{words.shell.toPeople}</Link>
      </p>
    </Page>
  )
}
