/** Settings stored in the browser: appearance and language, never memories or keys. */
type SettingName = 'language' | 'theme'

const nameOf = (name: SettingName): string => `keepsake-inspector-${name}`

/** Reads a stored setting; `null` without one, or without storage. */
export function readSetting(name: SettingName): string | null {
  try {
    return window.localStorage.getItem(nameOf(name))
  } catch (error) {
    // Browsers with storage disabled throw here; the page works without.
    if (error instanceof DOMException) return null
    throw error
  }
}

/** Stores a setting, where the browser allows it. */
export function keepSetting(name: SettingName, value: string | null): void {
  try {
    if (value === null) window.localStorage.removeItem(nameOf(name))
    else window.localStorage.setItem(nameOf(name), value)
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
  }
}
