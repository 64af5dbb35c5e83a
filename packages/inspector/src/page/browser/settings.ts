/** Settings stored in the browser: appearance, language and ids of changes made here. Memories and keys are never stored. */
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

/** Stores a setting if the browser allows it. */
export function storeSetting(name: SettingName, value: string | null): void {
  try {
    if (value === null) window.localStorage.removeItem(nameOf(name))
    else window.localStorage.setItem(nameOf(name), value)
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
  }
}

/** Maximum number of stored ids. Older ones are removed. */
const MAX_OWN_CHANGES = 1_000

const readOwn = (): readonly string[] => (readSetting('own-changes') ?? '').split(' ')

/** Stores the id of an operation made with this browser. */
export function storeOwnChange(operation: string): void {
  storeSetting('own-changes', [...readOwn().slice(1 - MAX_OWN_CHANGES), operation].join(' '))
}

/** Whether an operation was made with this browser. */
export function isOwnChange(operation: string): boolean {
  return readOwn().includes(operation)
}
