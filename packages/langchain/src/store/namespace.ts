import { validateNamespace, type MatchCondition } from '@langchain/langgraph-checkpoint'
import { InvalidInputError, type ScopeKey } from 'keepsake'

/** Labels of a namespace, outermost first. */
export type Namespace = readonly string[]

/** Whose memory a namespace is: what of a scope's key its labels give. */
export type ScopeOf = (namespace: Namespace) => { readonly [Field in keyof ScopeKey]?: string | undefined }

/** The app under which items are kept, apart from a person's talk. */
export const STORE_APP = 'langgraph'

/** The first label is the user. */
export const firstLabelIsUser: ScopeOf = ([user]) => ({ user, app: STORE_APP })

/** A namespace as text that a prefix of it begins: labels hold no colon. */
export function pathOf(namespace: Namespace): string {
  return namespace.map((label) => `${label}:`).join('')
}

/** Reads a namespace as LangGraph does. Its own entry points check more before they come here. @throws InvalidNamespaceError */
export function checkNamespace(namespace: Namespace, allowEmpty: boolean): void {
  validateNamespace([...namespace], { allowEmpty, allowReservedRoot: true })
}

/** The scope that a namespace's items are kept in. @throws InvalidInputError when it names no user. */
export function scopeKeyOf(namespace: Namespace, scopeOf: ScopeOf): ScopeKeyRow {
  const { tenant = 'default', user, agent, app } = scopeOf(namespace)
  if (user === undefined || user.trim() === '')
    throw new InvalidInputError(
      `The namespace [${namespace.join(', ')}] names no user, so there is nobody whose memory it would be. Give it the labels that the store's scopeOf reads.`,
    )
  return { tenant, user, agent: agent ?? null, app: app ?? null }
}

/** A scope's key, with `null` for what it does not name. */
export interface ScopeKeyRow {
  readonly tenant: string
  readonly user: string
  readonly agent: string | null
  readonly app: string | null
}

/** As `Keepsake.scope()` takes it. */
export function asScopeKey({ tenant, user, agent, app }: ScopeKeyRow): ScopeKey {
  return { tenant, user, ...(agent === null ? {} : { agent }), ...(app === null ? {} : { app }) }
}

/** Whether a namespace is as a listing asks; `*` stands for any label. Pure. */
export function matches(namespace: Namespace, conditions: readonly MatchCondition[]): boolean {
  return conditions.every(({ matchType, path }) => {
    const start = matchType === 'prefix' ? 0 : namespace.length - path.length
    return start >= 0 && path.every((label, index) => label === '*' || label === namespace[start + index])
  })
}

/** What {@link listNamespaces} narrows by. */
export interface Listing {
  readonly matchConditions?: readonly MatchCondition[] | undefined
  readonly maxDepth?: number | undefined
  readonly limit?: number | undefined
  readonly offset?: number | undefined
}

/** Namespaces as a listing asks for them: each once, in order. Pure. */
export function listNamespaces(namespaces: readonly Namespace[], listing: Listing): string[][] {
  const { matchConditions = [], maxDepth, limit, offset = 0 } = listing
  const found = new Map<string, string[]>()
  for (const namespace of namespaces) {
    if (!matches(namespace, matchConditions)) continue
    const cut = namespace.slice(0, maxDepth)
    found.set(pathOf(cut), cut)
  }
  const ordered = [...found]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, namespace]) => namespace)
  return ordered.slice(offset, limit === undefined ? undefined : offset + limit)
}
