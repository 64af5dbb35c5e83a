import type { ReactNode } from 'react'
import { Page } from '../../parts/page.tsx'
import { useWords } from '../../words/language.tsx'

export default function RunsPage({ run }: { readonly run?: string }): ReactNode {
  const { words } = useWords()
  return <Page title={words.runs.title}>{run}</Page>
}
