import { createKeepsakeClient, type Access, type KeepsakeClient, type ScopeClient } from '@keepsake/client'
import { createContext, use, useMemo, type ReactNode } from 'react'
import type { Person } from '../address/address.ts'

export type Action = Access['actions'][number]

/** A server with the key's access. */
export interface Session {
  readonly client: KeepsakeClient
  readonly access: Access
}

const SessionContext = createContext<Session | null>(null)

export function useClient(key: string | null): KeepsakeClient {
  return useMemo(
    () => createKeepsakeClient({ baseUrl: window.location.origin, ...(key === null ? {} : { key }) }),
    [key],
  )
}

export function SessionProvider({
  client,
  access,
  children,
}: Session & { readonly children: ReactNode }): ReactNode {
  const session = useMemo(() => ({ client, access }), [client, access])
  return <SessionContext value={session}>{children}</SessionContext>
}

/** Returns the session. Only for components inside the gate. */
export function useSession(): Session {
  const session = use(SessionContext)
  if (session === null) throw new Error('useSession() is called outside the gate, which provides the session')
  return session
}

/** Returns a client for one user's memory. */
export function useScope(person: Person): ScopeClient {
  const { client } = useSession()
  const { user, tenant, agent, app } = person
  return useMemo(
    () =>
      client.scope({
        user,
        ...(tenant === undefined ? {} : { tenant }),
        ...(agent === undefined ? {} : { agent }),
        ...(app === undefined ? {} : { app }),
      }),
    [client, user, tenant, agent, app],
  )
}

/** Whether the key allows an action on a user, or without one on all users or the server. The page offers only allowed actions. */
export function may({ actions, tenants, users }: Access, action: Action, person?: Person): boolean {
  if (!actions.includes(action)) return false
  if (person === undefined) return tenants === null && users === null
  return includesName(tenants, person.tenant ?? 'default') && includesName(users, person.user)
}

function includesName(names: readonly string[] | null, name: string): boolean {
  return names === null || names.includes(name)
}

/** Whether the page's key allows an action; see {@link may}. */
export function useMay(action: Action, person?: Person): boolean {
  return may(useSession().access, action, person)
}
