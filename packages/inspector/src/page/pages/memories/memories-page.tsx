import type { ReactNode } from 'react'
import { Page } from '../../parts/page.tsx'
import type { Person } from '../../address/address.ts'
import { useSettings } from '../../address/use-address.ts'
import { useMay } from '../../session/session.tsx'
import { useTexts } from '../../words/language.tsx'
import { FilterBar } from './filter-bar.tsx'
import { readFilters, writeFilters, type Filters } from './filters.ts'
import { MemoryList } from './memory-list.tsx'
import { QuestionForm } from './question-form.tsx'
import { RecallResult } from './recall-result.tsx'
import './memories.css'

/** All memories: listed, filtered, or recalled. */
export default function MemoriesPage({ person }: { readonly person: Person }): ReactNode {
  const { texts } = useTexts()
  const [settings, setSettings] = useSettings()
  const filters = readFilters(settings)
  const set = (next: Partial<Filters>): void => setSettings(writeFilters({ ...filters, ...next }))
  const mayWrite = useMay('write', person)
  return (
    <Page title={texts.memories.title} lead={mayWrite ? texts.memories.lead : texts.states.readOnly}>
      <QuestionForm question={filters.question} ask={(question) => set({ question })} />
      {filters.question === '' ? (
        <>
          <FilterBar person={person} filters={filters} set={set} />
          <MemoryList person={person} filters={filters} clear={() => setSettings({})} />
        </>
      ) : (
        <RecallResult person={person} question={filters.question} />
      )}
    </Page>
  )
}
