import { QueryCache, QueryClient, type QueryKey } from '@tanstack/react-query'
import type { Person } from '../address/address.ts'
import { failureKind, isRetryableStatus } from './failure.ts'

const MAX_RETRIES = 3
const MAX_DELAY_MS = 5_000

/** Returns the key of a query about a user. All have a common prefix, so that a change can invalidate all. */
export function personKey({ tenant = 'default', user, agent, app }: Person, ...rest: QueryKey): QueryKey {
  return ['person', tenant, user, agent ?? null, app ?? null, ...rest]
}

/** Returns the prefix of all queries of a user, for every agent and app. */
export function wholePersonKey({ tenant = 'default', user }: Person): QueryKey {
  return ['person', tenant, user]
}

/** Makes the page's query cache. If a request is refused for its key, the key's access is requested again, which shows the lock page. */
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
        // The server often runs on this machine and can be reached without a network.
        networkMode: 'always',
        retry: (failures, error) => failures < MAX_RETRIES && isRetryableStatus(error),
        retryDelay: (attempt) => Math.min(500 * 2 ** attempt, MAX_DELAY_MS),
        staleTime: 10_000,
        refetchOnWindowFocus: true,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  })
  return client
}
