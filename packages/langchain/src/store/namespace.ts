import { validateNamespace, type MatchCondition } from '@langchain/langgraph-checkpoint'
import type { ScopeKey } from 'keepsake'

/** Labels of a namespace, outermost first. */
export type Namespace = readonly string[]

/** Reads the fields of a scope's key from a namespace. Further labels after the user must not change the user. */
export type ScopeOf = (namespace: Namespace) => { readonly [Field in keyof ScopeKey]?: string | undefined }

/** The app that separates items from the user's conversations. */
const STORE_APP = 'langgraph'

export const firstLabelIsUser: ScopeOf = ([user]) => ({ user, app: STORE_APP })

/** Checks a namespace as LangGraph does. @throws InvalidNamespaceError */
export function checkNamespace(namespace: Namespace, allowEmpty: boolean): void {
  validateNamespace([...namespace], { allowEmpty, allowReservedRoot: true })
}

/** Returns the scope of a namespace's items; `null` when it names no user. */
export function scopeKeyOf(namespace: Namespace, scopeOf: ScopeOf): ScopeKey | null {
  const { user, ...others } = scopeOf(namespace)
  if (user === undefined || user.trim() === '') return null
  const definedNames = Object.fromEntries(Object.entries(others).filter(([, name]) => name !== undefined))
  return { user, ...definedNames }
}

export interface Listing {
  readonly matchConditions?: readonly MatchCondition[] | undefined
  readonly maxDepth?: number | undefined
  readonly limit?: number | undefined
  readonly offset?: number | undefined
}

/** Lists matching namespaces, each once, in order. */
export function listNamespaces(namespaces: readonly Namespace[], listing: Listing): string[][] {
  const { matchConditions = [], maxDepth, limit, offset = 0 } = listing
  const found = new Map<string, string[]>()
  for (const namespace of namespaces) {
    if (!matches(namespace, matchConditions)) continue
    const shortened = namespace.slice(0, maxDepth)
    found.set(pathOf(shortened), shortened)
  }
  const ordered = [...found]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([, namespace]) => namespace)
  return ordered.slice(offset, limit === undefined ? undefined : offset + limit)
}

/** Writes a namespace as text: `ana:notes:`. Labels contain no colon. */
export function pathOf(namespace: Namespace): string {
  return namespace.map((label) => `${label}:`).join('')
}

/** Whether a namespace meets all conditions; `*` matches any label. */
function matches(namespace: Namespace, conditions: readonly MatchCondition[]): boolean {
  return conditions.every(({ matchType, path }) => {
    const start = matchType === 'prefix' ? 0 : namespace.length - path.length
    return start >= 0 && path.every((label, index) => label === '*' || label === namespace[start + index])
  })
}
