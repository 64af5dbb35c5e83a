import { validateNamespace, type MatchCondition } from '@langchain/langgraph-checkpoint'
import type { ScopeKey } from 'keepsake'

/** Labels of a namespace, outermost first. */
export type Namespace = readonly string[]

/** Whose memory a namespace is: what of a scope's key its labels give. Once labels name a user, more labels after them name no other. */
export type ScopeOf = (namespace: Namespace) => { readonly [Field in keyof ScopeKey]?: string | undefined }

/** The app under which items are kept, apart from a person's talk. */
const STORE_APP = 'langgraph'

/** The first label is the user. */
export const firstLabelIsUser: ScopeOf = ([user]) => ({ user, app: STORE_APP })

/** Reads a namespace as LangGraph does. Its own entry points check more before they come here. @throws InvalidNamespaceError */
export function checkNamespace(namespace: Namespace, allowEmpty: boolean): void {
  validateNamespace([...namespace], { allowEmpty, allowReservedRoot: true })
}

/** The scope that a namespace's items are kept in; `null` when it names no user. */
export function scopeKeyOf(namespace: Namespace, scopeOf: ScopeOf): ScopeKey | null {
  const { user, ...others } = scopeOf(namespace)
  if (user === undefined || user.trim() === '') return null
  const named = Object.fromEntries(Object.entries(others).filter(([, name]) => name !== undefined))
  return { user, ...named }
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

/** A namespace as text: labels hold no colon. */
export function pathOf(namespace: Namespace): string {
  return namespace.map((label) => `${label}:`).join('')
}

/** Whether a namespace is as a listing asks; `*` stands for any label. */
function matches(namespace: Namespace, conditions: readonly MatchCondition[]): boolean {
  return conditions.every(({ matchType, path }) => {
    const start = matchType === 'prefix' ? 0 : namespace.length - path.length
    return start >= 0 && path.every((label, index) => label === '*' || label === namespace[start + index])
  })
}
