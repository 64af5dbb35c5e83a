import { useMemo } from 'react'
import { navigate, usePathname, useSearch } from 'wouter/use-browser-location'
import { readAddress, readSettings, writeAddress, type Address, type Settings } from './address.ts'

/** Returns the current place. */
export function useAddress(): Address {
  const path = usePathname()
  const search = useSearch()
  return useMemo(() => readAddress(path, search), [path, search])
}

/** Navigates; `replace` replaces this page in the browser's history. */
export function goTo(address: Address, settings: Settings = {}, replace = false): void {
  navigate(writeAddress(address, settings), { replace })
}

/** Page state that lives in the address, so that it can be bookmarked and sent. */
export function useSettings(): readonly [
  Readonly<Record<string, readonly string[]>>,
  (settings: Settings) => void,
] {
  const search = useSearch()
  const path = usePathname()
  const settings = useMemo(() => readSettings(search), [search])
  const set = (next: Settings): void => goTo(readAddress(path, search), next, true)
  return [settings, set]
}
