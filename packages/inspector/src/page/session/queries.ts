import { QueryCache, QueryClient, type QueryKey } from '@tanstack/react-query'
import type { Person } from '../address/address.ts'
import { failureKind, isPassing } from './failure.ts'

const TRIES = 3
const MOST_WAIT_MS = 5_000

/**
 * Queries about a user, under a common key prefix, so that any change of their memory invalidates all of them.
 *
 * @example
 * useQuery({ queryKey: personKey(person, 'story'), queryFn: ({ signal }) => scope.story({ signal }) })
 */
export function personKey({ tenant = 'default', user, agent, app }: Person, ...rest: QueryKey): QueryKey {
  return ['person', tenant, user, agent ?? null, app ?? null, ...rest]
}

/** The keys of a user, whatever agent or app the page shows. */
export function wholePersonKey({ tenant = 'default', user }: Person): QueryKey {
  return ['person', tenant, user]
}

/** The page's query cache. Requests for the key's access detect an ended key. */
export function makeQueryClient(): QueryClient {
  const client = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        if (failureKind(error) === 'locked' && query.queryKey[0] !== 'access')
          void client.invalidateQueries({ queryKey: ['access'] })
      },
    }),
    defaultOptions: {
      queries: {
        // The server is often this machine: whether there is a network says nothing of it.
        networkMode: 'always',
        retry: (failures, error) => failures < TRIES && isPassing(error),
        retryDelay: (attempt) => Math.min(500 * 2 ** attempt, MOST_WAIT_MS),
        staleTime: 10_000,
        refetchOnWindowFocus: true,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  })
  return client
}
