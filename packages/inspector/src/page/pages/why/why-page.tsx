import type { ReactNode } from 'react'
import { Page } from '../../parts/page.tsx'
import type { Person } from '../../address/address.ts'
import { useWords } from '../../words/language.tsx'

interface WhyProps {
  readonly person: Person
  readonly memory: string
}

export default function WhyPage({ memory }: WhyProps): ReactNode {
  const { words } = useWords()
  return <Page title={words.why.title}>{memory}</Page>
}
