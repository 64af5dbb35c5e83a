import type { ScopeClient } from '@keepsake/client'
import {
  useInfiniteQuery,
  useQuery,
  type QueryKey,
  type UndefinedInitialDataOptions,
  type UseQueryResult,
} from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Person } from '../address/address.ts'
import { personKey } from './queries.ts'
import { useScope } from './session.tsx'

interface Call {
  readonly signal: AbortSignal
}

/** Reads something of a user's memory. `name` is the query's key in the cache. */
export function usePersonQuery<Data>(
  person: Person,
  name: QueryKey,
  read: (scope: ScopeClient, call: Call) => Promise<Data>,
  options: Omit<UndefinedInitialDataOptions<Data>, 'queryKey' | 'queryFn'> = {},
): UseQueryResult<Data> {
  const scope = useScope(person)
  return useQuery({
    ...options,
    queryKey: personKey(person, ...name),
    queryFn: ({ signal }) => read(scope, { signal }),
  })
}

interface PageOf<Item> {
  readonly items: readonly Item[]
  readonly next: string | null
}

/** Reads a list of a user's memory page by page. @returns the query, and the items of all pages read so far */
export function usePersonPages<Item>(
  person: Person,
  name: QueryKey,
  read: (scope: ScopeClient, from: { readonly cursor?: string }, call: Call) => Promise<PageOf<Item>>,
) {
  const scope = useScope(person)
  const query = useInfiniteQuery({
    queryKey: personKey(person, ...name),
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      read(scope, pageParam === '' ? {} : { cursor: pageParam }, { signal }),
    getNextPageParam: ({ next }) => next,
    // Comparing all pages would take longer than rendering the few visible rows.
    structuralSharing: false,
  })
  const pages = query.data?.pages
  const items = useMemo(() => (pages ?? []).flatMap((page) => page.items), [pages])
  return { query, items }
}

/** The names of the user and the agent in turns; `null` if turns contain no name or several. */
interface Speakers {
  readonly user: string | null
  readonly assistant: string | null
}

const NO_NAMES: Speakers = { user: null, assistant: null }
const LATEST_TURNS = 200

/** Returns how the latest turns name the user and the agent. */
export function useSpeakers(person: Person): Speakers {
  const speakers = usePersonQuery(person, ['speakers'], async (scope, call): Promise<Speakers> => {
    const { items } = await scope.turnPage({ order: 'time', newestFirst: true, limit: LATEST_TURNS }, call)
    const nameOf = (speakerRole: keyof Speakers): string | null => {
      const names = new Set(
        items.flatMap(({ role, speaker }) => (role === speakerRole ? (speaker ?? []) : [])),
      )
      return names.size === 1 ? ([...names][0] ?? null) : null
    }
    return { user: nameOf('user'), assistant: nameOf('assistant') }
  })
  return speakers.data ?? NO_NAMES
}
