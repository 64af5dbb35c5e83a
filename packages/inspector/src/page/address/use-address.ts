import { useMemo } from 'react'
import { navigate, usePathname, useSearch } from 'wouter/use-browser-location'
import { readAddress, readSettings, writeAddress, type Address, type Settings } from './address.ts'

/** Where the reader is. */
export function useAddress(): Address {
  const path = usePathname()
  const search = useSearch()
  return useMemo(() => readAddress(path, search), [path, search])
}

/** Goes to another page; `replace` puts it in place of this one in the browser's history. */
export function goTo(address: Address, settings: Settings = {}, replace = false): void {
  navigate(writeAddress(address, settings), { replace })
}

/**
 * What of a page's state stands in its address, so that it can be kept and sent.
 *
 * @example
 * const [settings, setSettings] = useSettings()
 * const forms = settings['form'] ?? []
 * setSettings({ ...settings, form: ['fact'] })
 */
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
