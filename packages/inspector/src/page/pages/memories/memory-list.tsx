import { useInfiniteQuery } from '@tanstack/react-query'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, type KeyboardEvent, type ReactNode } from 'react'
import type { Memory } from '@keepsake/client'
import { Button } from '../../parts/button.tsx'
import { Empty, Failure, Loading } from '../../parts/states.tsx'
import type { Person } from '../../address/address.ts'
import { personKey } from '../../session/queries.ts'
import { useScope } from '../../session/session.tsx'
import { useWords } from '../../words/language.tsx'
import { isNarrowed, toMemoryFilter, type Filters } from './filters.ts'
import { MemoryRow } from './memory-row.tsx'

const PAGE_SIZE = 100
/** Rows beyond the window that stand ready, so that scrolling shows no gap. */
const READY = 8
/** Rows before the end at which the next page is asked for. */
const AHEAD = 60
const USUAL_HEIGHT = 108

interface MemoryListProps {
  readonly person: Person
  readonly filters: Filters
  readonly clear: () => void
}

/** Memories, the newest first, page after page; of ten thousand no more is in the page than can be seen. */
export function MemoryList({ person, filters, clear }: MemoryListProps): ReactNode {
  const { words } = useWords()
  const scope = useScope(person)
  const filter = toMemoryFilter(filters)
  const list = useInfiniteQuery({
    queryKey: personKey(person, 'memories', filter),
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      scope.memoryPage(
        { ...filter, limit: PAGE_SIZE, ...(pageParam === '' ? {} : { cursor: pageParam }) },
        { signal },
      ),
    getNextPageParam: ({ next }) => next,
    // Comparing all pages with each other would take longer than showing the few rows that can be seen.
    structuralSharing: false,
  })
  if (list.data === undefined)
    return list.isError ? (
      <Failure error={list.error} retry={() => void list.refetch()} />
    ) : (
      <Loading lines={9} />
    )
  const memories = list.data.pages.flatMap(({ items }) => items)
  if (memories.length === 0) return <Nothing filters={filters} clear={clear} />
  return (
    <Rows
      person={person}
      memories={memories}
      label={words.memories.title}
      hasMore={list.hasNextPage}
      askMore={() => {
        if (list.hasNextPage && !list.isFetching) void list.fetchNextPage()
      }}
    />
  )
}

function Nothing({ filters, clear }: Pick<MemoryListProps, 'filters' | 'clear'>): ReactNode {
  const { words } = useWords()
  if (isNarrowed(filters))
    return (
      <Empty title={words.memories.noMatch}>
        <p>{words.memories.noMatchTold}</p>
        <Button onClick={clear}>{words.memories.clear}</Button>
      </Empty>
    )
  const told = filters.status === 'live' ? words.memories.emptyTold : words.memories.noneOf[filters.status]
  return (
    <Empty title={words.memories.empty}>
      <p>{told}</p>
    </Empty>
  )
}

interface RowsProps {
  readonly person: Person
  readonly memories: readonly Memory[]
  readonly label: string
  readonly hasMore: boolean
  readonly askMore: () => void
}

/** Only the rows that can be seen are in the page; up and down go from one to the next. */
function Rows({ person, memories, label, hasMore, askMore }: RowsProps): ReactNode {
  const list = useRef<HTMLUListElement>(null)
  const virtual = useWindowVirtualizer({
    count: memories.length,
    estimateSize: () => USUAL_HEIGHT,
    overscan: READY,
    scrollMargin: list.current?.offsetTop ?? 0,
    getItemKey: (index) => memories[index]?.id ?? index,
  })
  const rows = virtual.getVirtualItems()
  const last = rows.at(-1)?.index ?? 0
  const isNearEnd = hasMore && last >= memories.length - AHEAD
  useEffect(() => {
    if (isNearEnd) askMore()
    // Once for each length of the list at which its end comes near.
  }, [isNearEnd, memories.length])
  const step = (event: KeyboardEvent<HTMLUListElement>): void => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    const row = event.target instanceof Element ? event.target.closest('[data-index]') : null
    if (by === 0 || row === null) return
    event.preventDefault()
    const next = Number(row.getAttribute('data-index')) + by
    if (next < 0 || next >= memories.length) return
    virtual.scrollToIndex(next, { align: 'auto' })
    requestAnimationFrame(() =>
      list.current?.querySelector<HTMLElement>(`[data-index="${next}"] .memory-text`)?.focus(),
    )
  }
  return (
    <ul
      className="memories"
      ref={list}
      aria-label={label}
      onKeyDown={step}
      style={{ height: virtual.getTotalSize() }}
    >
      {rows.map(({ index, key, start }) => {
        const memory = memories[index]
        if (memory === undefined) return null
        return (
          <li
            key={key}
            ref={virtual.measureElement}
            data-index={index}
            aria-setsize={hasMore ? -1 : memories.length}
            aria-posinset={index + 1}
            style={{ transform: `translateY(${start - virtual.options.scrollMargin}px)` }}
          >
            <MemoryRow person={person} memory={memory} />
          </li>
        )
      })}
    </ul>
  )
}
