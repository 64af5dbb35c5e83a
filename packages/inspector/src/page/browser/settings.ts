/** What the page keeps in the browser: how it looks and speaks, and nothing of anybody's memory or key. */
type SettingName = 'language' | 'theme'

const nameOf = (name: SettingName): string => `keepsake-inspector-${name}`

/** A setting as it was kept; `null` where there is none, or the browser keeps nothing. */
export function readSetting(name: SettingName): string | null {
  try {
    return window.localStorage.getItem(nameOf(name))
  } catch (error) {
    // A browser that was told to keep nothing throws here; the page goes on without.
    if (error instanceof DOMException) return null
    throw error
  }
}

/** Keeps a setting for the next time, where the browser keeps anything. */
export function keepSetting(name: SettingName, value: string | null): void {
  try {
    if (value === null) window.localStorage.removeItem(nameOf(name))
    else window.localStorage.setItem(nameOf(name), value)
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
  }
}
