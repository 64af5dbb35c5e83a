import { useState } from 'react'
import { storeSetting, readSetting } from '../browser/settings.ts'

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

function readTheme(): Theme {
  return THEMES.find((one) => one === readSetting('theme')) ?? 'system'
}

/** Applies the chosen theme, or the system's. Called before anything is shown. */
export function applyTheme(theme: Theme = readTheme()): void {
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}

export function useTheme(): readonly [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState(readTheme)
  const choose = (next: Theme): void => {
    storeSetting('theme', next === 'system' ? null : next)
    applyTheme(next)
    setTheme(next)
  }
  return [theme, choose]
}
