/** Settings stored in the browser: appearance, language and ids of one's changes; never memories or keys. */
type SettingName = 'language' | 'theme' | 'own-changes'

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

const MOST_OWN = 1_000

const readOwn = (): readonly string[] => (readSetting('own-changes') ?? '').split(' ')

/** Notes that an operation was made with this browser. */
export function keepOwnChange(operation: string): void {
  keepSetting('own-changes', [...readOwn().slice(1 - MOST_OWN), operation].join(' '))
}

/** Whether an operation was made with this browser. */
export function isOwnChange(operation: string): boolean {
  return readOwn().includes(operation)
}
