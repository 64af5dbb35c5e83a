import { useSyncExternalStore } from 'react'

/** The name under which the tab stores the key. It survives a reload and ends with the tab. */
const STORAGE_NAME = 'keepsake-inspector-key'
/** A channel on which open tabs send their key to a new tab. */
const tabs = new BroadcastChannel(STORAGE_NAME)

interface Message {
  readonly asks?: true
  readonly locked?: true
  readonly key?: string
}

function sendToTabs(message: Message): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches this origin alone
  tabs.postMessage(message)
}

let key: string | null = readKeyFromAddress() ?? readStoredKey()
/** Whether this tab accepts a key of another tab: until it has a key or is locked. */
let acceptsKey = key === null
const listeners = new Set<() => void>()

/** Reads `#key=ks_…`, which `keepsake inspect` prints, and removes it from the address. Browsers never send this part to a server. */
function readKeyFromAddress(): string | null {
  const newKey = new URLSearchParams(window.location.hash.slice(1)).get('key')
  if (newKey === null || newKey === '') return null
  const { pathname, search } = window.location
  window.history.replaceState(window.history.state, '', `${pathname}${search}`)
  return newKey
}

function readStoredKey(): string | null {
  try {
    return window.sessionStorage.getItem(STORAGE_NAME)
  } catch (error) {
    // Browsers with disabled storage throw an error. Then a reload loses the key.
    if (error instanceof DOMException) return null
    throw error
  }
}

function adoptKey(next: string | null): void {
  key = next
  acceptsKey = false
  try {
    if (next === null) window.sessionStorage.removeItem(STORAGE_NAME)
    else window.sessionStorage.setItem(STORAGE_NAME, next)
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
  }
  for (const listener of listeners) listener()
}

/** Sets another key; `null` removes it, in every tab. */
export function setKey(next: string | null): void {
  adoptKey(next)
  if (next === null) sendToTabs({ locked: true })
}

tabs.addEventListener('message', ({ data }: MessageEvent<Message>): void => {
  if (data.asks === true && key !== null) sendToTabs({ key })
  if (data.key !== undefined && acceptsKey) adoptKey(data.key)
  if (data.locked === true && key !== null) adoptKey(null)
})
if (acceptsKey) sendToTabs({ asks: true })
else adoptKey(key)

window.addEventListener('hashchange', () => {
  const newKey = readKeyFromAddress()
  if (newKey !== null) adoptKey(newKey)
})

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useKey(): string | null {
  return useSyncExternalStore(subscribe, () => key)
}
