import { memo, type ReactNode } from 'react'
import type { Memory, MemoryFilter } from '@keepsake/client'
import { Button } from '../../parts/button.tsx'
import { LongList } from '../../parts/long-list.tsx'
import { Empty, Failure, Loading } from '../../parts/states.tsx'
import { WaysIn } from '../../parts/ways-in.tsx'
import type { Person } from '../../address/address.ts'
import { useWords } from '../../words/language.tsx'
import { isNarrowed, toMemoryFilter, type Filters } from './filters.ts'
import { useRestore } from '../../parts/use-action.ts'
import { usePersonPages } from '../../session/person-queries.ts'
import { useMay, useScope } from '../../session/session.tsx'
import { Link } from '../../address/link.tsx'
import { MemoryActions } from './memory-actions.tsx'
import { MemoryFacts } from './memory-facts.tsx'

const PAGE_SIZE = 100
const USUAL_HEIGHT = 108

interface MemoryListProps {
  readonly person: Person
  readonly filters: Filters
  readonly clear: () => void
}

/** Memories, newest first, page by page, rendering only visible ones. */
export function MemoryList({ person, filters, clear }: MemoryListProps): ReactNode {
  const { words } = useWords()
  const filter = toMemoryFilter(filters)
  const { query: list, items: memories } = usePersonPages(person, ['memories', filter], (scope, from, call) =>
    scope.memoryPage({ ...filter, limit: PAGE_SIZE, ...from }, call),
  )
  if (list.data === undefined)
    return list.isError ? (
      <Failure error={list.error} retry={() => void list.refetch()} />
    ) : (
      <Loading lines={9} />
    )
  if (memories.length === 0) return <Nothing person={person} filters={filters} clear={clear} />
  return (
    <>
      {filters.status === 'forgotten' && <RestoreAll person={person} filter={filter} />}
      <LongList
        items={memories}
        keyOf={({ id }) => id}
        label={words.memories.title}
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
function RestoreAll({
  person,
  filter,
}: {
  readonly person: Person
  readonly filter: MemoryFilter
}): ReactNode {
  const { words } = useWords()
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
        {words.memories.actions.restoreAll}
      </Button>
    </div>
  )
}

function Nothing({ person, filters, clear }: MemoryListProps): ReactNode {
  const { words } = useWords()
  if (isNarrowed(filters))
    return (
      <Empty title={words.memories.noMatch}>
        <p>{words.memories.noMatchHint}</p>
        <Button onClick={clear}>{words.memories.clear}</Button>
      </Empty>
    )
  const hint = filters.status === 'live' ? words.memories.emptyHint : words.memories.noneOf[filters.status]
  return (
    <Empty title={words.memories.empty}>
      <p>{hint}</p>
      {filters.status === 'live' && <WaysIn person={person} />}
    </Empty>
  )
}

interface MemoryRowProps {
  readonly person: Person
  readonly memory: Memory
}

/** A memory in a list: its text, facts and actions. */
const MemoryRow = memo(function MemoryRow({ person, memory }: MemoryRowProps): ReactNode {
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
