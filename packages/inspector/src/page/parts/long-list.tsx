import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useRef, type KeyboardEvent, type ReactNode } from 'react'

/** Rows rendered beyond the window, so that scrolling shows no gap. */
const OVERSCAN_ROWS = 8
/** Rows before the end at which more are loaded. */
const LOAD_AHEAD_ROWS = 60

interface LongListProps<Item> {
  readonly items: readonly Item[]
  readonly keyOf: (item: Item) => string
  readonly label: string
  readonly className: string
  /** Height of a row in pixels, until it is measured. */
  readonly estimatedHeight: number
  /** Selector of the element in a row that the arrow keys focus. */
  readonly focusSelector: string
  readonly hasMore: boolean
  readonly loadMore: () => void
  readonly children: (item: Item) => ReactNode
}

/** A virtual list: only visible rows are in the page. The arrow keys up and down move between rows. CSS positions them. */
export function LongList<Item>({
  items,
  keyOf,
  estimatedHeight,
  hasMore,
  loadMore,
  ...shown
}: LongListProps<Item>) {
  const list = useRef<HTMLUListElement>(null)
  // Memoised, because a new function makes the list measure all heights again.
  const keyAt = useCallback(
    (index: number) => {
      const item = items[index]
      return item === undefined ? index : keyOf(item)
    },
    [items],
  )
  const virtual = useWindowVirtualizer({
    count: items.length,
    estimateSize: () => estimatedHeight,
    overscan: OVERSCAN_ROWS,
    scrollMargin: list.current?.offsetTop ?? 0,
    getItemKey: keyAt,
  })
  const rows = virtual.getVirtualItems()
  const isNearEnd = hasMore && (rows.at(-1)?.index ?? 0) >= items.length - LOAD_AHEAD_ROWS
  useEffect(() => {
    if (isNearEnd) loadMore()
    // Requests more only once for each length of the list.
  }, [isNearEnd, items.length])
  const step = (event: KeyboardEvent<HTMLUListElement>): void => {
    const next = neighbourOf(event)
    if (next === null || next < 0 || next >= items.length) return
    virtual.scrollToIndex(next, { align: 'auto' })
    requestAnimationFrame(() =>
      list.current?.querySelector<HTMLElement>(`[data-index="${next}"] ${shown.focusSelector}`)?.focus(),
    )
  }
  return (
    <ul
      className={`long-list ${shown.className}`}
      ref={list}
      aria-label={shown.label}
      onKeyDown={step}
      style={{ height: virtual.getTotalSize() }}
    >
      {rows.map(({ index, key, start }) => {
        const item = items[index]
        if (item === undefined) return null
        return (
          <li
            key={key}
            ref={virtual.measureElement}
            data-index={index}
            aria-setsize={hasMore ? -1 : items.length}
            aria-posinset={index + 1}
            style={{ transform: `translateY(${start - virtual.options.scrollMargin}px)` }}
          >
            {shown.children(item)}
          </li>
        )
      })}
    </ul>
  )
}

/** The row before or after the one with the pressed key. */
function neighbourOf(event: KeyboardEvent<HTMLUListElement>): number | null {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  const row = event.target instanceof Element ? event.target.closest('[data-index]') : null
  if (step === 0 || row === null) return null
  event.preventDefault()
  return Number(row.getAttribute('data-index')) + step
}
