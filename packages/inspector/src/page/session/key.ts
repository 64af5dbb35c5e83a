import { useSyncExternalStore } from 'react'

/** The entered key; in memory alone, and gone with the page. `null`: none. */
let key: string | null = takeFromAddress()
const listeners = new Set<() => void>()

/** `#key=ks_…`, as `keepsake inspect` prints it: never sent to a server, and out of the address at once. */
function takeFromAddress(): string | null {
  const given = new URLSearchParams(window.location.hash.slice(1)).get('key')
  if (given === null || given === '') return null
  const { pathname, search } = window.location
  window.history.replaceState(window.history.state, '', `${pathname}${search}`)
  return given
}

/** Sets another key; `null` removes it. */
export function setKey(next: string | null): void {
  key = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The current key. */
export function useKey(): string | null {
  return useSyncExternalStore(subscribe, () => key)
}
