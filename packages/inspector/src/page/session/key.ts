import { useSyncExternalStore } from 'react'

/** Where the tab keeps the key: it survives a reload, and goes with the tab. */
const KEPT = 'keepsake-inspector-key'
/** Open tabs of this server answer a new one here, so that it needs no key of its own. */
const tabs = new BroadcastChannel(KEPT)

interface Message {
  readonly asks?: true
  readonly locked?: true
  readonly key?: string
}

function tellTabs(message: Message): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches this origin alone
  tabs.postMessage(message)
}

let key: string | null = takeFromAddress() ?? keptKey()
/** Until a key comes or the page is locked, that of another tab is taken. */
let isAsking = key === null
const listeners = new Set<() => void>()

/** `#key=ks_…`, as `keepsake inspect` prints it: never sent to a server, and out of the address at once. */
function takeFromAddress(): string | null {
  const given = new URLSearchParams(window.location.hash.slice(1)).get('key')
  if (given === null || given === '') return null
  const { pathname, search } = window.location
  window.history.replaceState(window.history.state, '', `${pathname}${search}`)
  return given
}

function keptKey(): string | null {
  try {
    return window.sessionStorage.getItem(KEPT)
  } catch (error) {
    // Browsers with storage disabled throw here; the key is lost at a reload.
    if (error instanceof DOMException) return null
    throw error
  }
}

function take(next: string | null): void {
  key = next
  isAsking = false
  try {
    if (next === null) window.sessionStorage.removeItem(KEPT)
    else window.sessionStorage.setItem(KEPT, next)
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
  }
  for (const listener of listeners) listener()
}

/** Sets another key; `null` removes it, in every tab. */
export function setKey(next: string | null): void {
  take(next)
  if (next === null) tellTabs({ locked: true })
}

tabs.addEventListener('message', ({ data }: MessageEvent<Message>): void => {
  if (data.asks === true && key !== null) tellTabs({ key })
  if (data.key !== undefined && isAsking) take(data.key)
  if (data.locked === true && key !== null) take(null)
})
if (isAsking) tellTabs({ asks: true })
else take(key)

window.addEventListener('hashchange', () => {
  const given = takeFromAddress()
  if (given !== null) take(given)
})

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useKey(): string | null {
  return useSyncExternalStore(subscribe, () => key)
}
