import { memo, type ReactNode } from 'react'
import type { MemoryFilter } from '@keepsake/client'
import { Button } from '../../parts/button.tsx'
import { LongList } from '../../parts/long-list.tsx'
import { QueryResult, Empty } from '../../parts/states.tsx'
import type { PersonProps } from '../../address/address.ts'
import { useTexts } from '../../words/language.tsx'
import { isNarrowed, toMemoryFilter, type Filters } from './filters.ts'
import { useRestore } from '../../parts/use-action.ts'
import { usePersonPages } from '../../session/person-queries.ts'
import { useMay, useScope } from '../../session/session.tsx'
import { Link } from '../../address/link.tsx'
import { MemoryActions } from './memory-actions.tsx'
import { MemoryFacts, type MemoryProps } from './memory-facts.tsx'

const PAGE_SIZE = 100
const USUAL_HEIGHT = 108

interface MemoryListProps extends PersonProps {
  readonly filters: Filters
  readonly clear: () => void
}

/** Memories, newest first, page by page, rendering only visible ones. */
export function MemoryList({ person, filters, clear }: MemoryListProps): ReactNode {
  const { texts } = useTexts()
  const filter = toMemoryFilter(filters)
  const { query: list, items: memories } = usePersonPages(person, ['memories', filter], (scope, from, call) =>
    scope.memoryPage({ ...filter, limit: PAGE_SIZE, ...from }, call),
  )
  if (list.data === undefined)
    return (
      <QueryResult query={list} lines={9}>
        {() => null}
      </QueryResult>
    )
  if (memories.length === 0) return <Nothing person={person} filters={filters} clear={clear} />
  return (
    <>
      {filters.status === 'forgotten' && <RestoreAll person={person} filter={filter} />}
      <LongList
        items={memories}
        keyOf={({ id }) => id}
        label={texts.memories.title}
        className="memories"
        usualHeight={USUAL_HEIGHT}
        focusOn=".memory-text"
        hasMore={list.hasNextPage}
        askMore={() => {
          if (list.hasNextPage && !list.isFetching) void list.fetchNextPage()
        }}
      >
        {(memory) => <MemoryRow person={person} memory={memory} />}
      </LongList>
    </>
  )
}

/** Restores every memory that the list shows, on all its pages. */
function RestoreAll({ person, filter }: PersonProps & { readonly filter: MemoryFilter }): ReactNode {
  const { texts } = useTexts()
  const scope = useScope(person)
  const { act, isActing } = useRestore(person)
  const restore = async (): Promise<void> => {
    const ids: string[] = []
    for await (const { id } of scope.memories({ ...filter, limit: PAGE_SIZE })) ids.push(id)
    act(ids)
  }
  if (!useMay('write', person)) return null
  return (
    <div>
      <Button disabled={isActing} onClick={() => void restore()}>
        {texts.memories.actions.restoreAll}
      </Button>
    </div>
  )
}

function Nothing({ person, filters, clear }: MemoryListProps): ReactNode {
  const { texts } = useTexts()
  if (isNarrowed(filters))
    return (
      <Empty title={texts.memories.noMatch} hint={texts.memories.noMatchHint}>
        <Button onClick={clear}>{texts.memories.clear}</Button>
      </Empty>
    )
  return filters.status === 'live' ? (
    <Empty title={texts.memories.empty} hint={texts.memories.emptyHint} person={person} />
  ) : (
    <Empty title={texts.memories.empty} hint={texts.memories.noneOf[filters.status]} />
  )
}

/** A memory in a list: its text, facts and actions. */
const MemoryRow = memo(function MemoryRow({ person, memory }: MemoryProps): ReactNode {
  return (
    <article className="memory" data-status={memory.status}>
      <Link className="memory-text said" to={{ page: 'why', person, memory: memory.id }}>
        {memory.text}
      </Link>
      <div className="memory-foot">
        <MemoryFacts person={person} memory={memory} />
        <MemoryActions person={person} memory={memory} />
      </div>
    </article>
  )
})
