import type { OwnerCache } from '../work/owner-cache.ts'
import type { ResolvedScope } from '../work/resolve-scope.ts'
import type { Asking } from './asked-question.ts'

const HAN = /\p{Script=Han}/u
const NAME_KEYS: ReadonlySet<string> = new Set(['name', 'nickname'])

interface Called {
  readonly changes: number
  readonly scopes: string
  readonly names: readonly string[]
}

/** Names looked up lately: a person has few, and a recall should not look through all that is known for them. */
const looked = new WeakMap<OwnerCache, Called>()

/** What the person remembered is called: the key of the scope, and the names they gave themself. */
export function selfNames({ resolved }: Asking, cache: OwnerCache): readonly string[] {
  const { changes } = cache
  const scopes = resolved.scopes.join()
  const known = looked.get(cache)
  if (known?.changes === changes && known.scopes === scopes) return known.names
  const names = readNames(resolved, cache)
  looked.set(cache, { changes, scopes, names })
  return names
}

function readNames(resolved: ResolvedScope, cache: OwnerCache): string[] {
  const names = new Set(resolved.rows.map(({ user }) => user))
  for (const { form, status, subject, key, value } of cache.memories({ scopes: new Set(resolved.scopes) })) {
    if (
      form === 'fact' &&
      status === 'live' &&
      subject === 'user' &&
      value !== null &&
      NAME_KEYS.has(key ?? '')
    )
      names.add(value)
  }
  return [...names].filter((name) => name.trim().length > 1)
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
}

/**
 * A question as the person would put it themself: their name becomes “me” and “my”, or 我, so that “Tell me about Priya” is read as
 * “Tell me about me”.
 */
export function askedOfSelf(question: string, asking: Asking, cache: OwnerCache): string {
  let text = question
  for (const name of selfNames(asking, cache)) {
    if (HAN.test(name)) text = text.replaceAll(name, '我')
    else if (HAN.test(text))
      text = text.replaceAll(new RegExp(`(?<![a-z])${escaped(name)}(?![a-z])`, 'gi'), '我')
    else
      text = text
        .replaceAll(new RegExp(`(?<!\\p{L})${escaped(name)}['’]s(?!\\p{L})`, 'giu'), 'my')
        .replaceAll(new RegExp(`(?<!\\p{L})${escaped(name)}(?!\\p{L})`, 'giu'), 'me')
  }
  return text
}
