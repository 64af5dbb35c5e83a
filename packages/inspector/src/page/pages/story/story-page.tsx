import type { ReactNode } from 'react'
import { Page } from '../../parts/page.tsx'
import type { Person } from '../../address/address.ts'
import { useWords } from '../../words/language.tsx'

export default function StoryPage({ person }: { readonly person: Person }): ReactNode {
  const { words } = useWords()
  return <Page title={words.story.title}>{person.user}</Page>
}
