import { useState } from 'react'
import { keepSetting, readSetting } from '../browser/settings.ts'

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

function readTheme(): Theme {
  return THEMES.find((one) => one === readSetting('theme')) ?? 'system'
}

/** Puts the chosen colours on; the system's where none were chosen. Called before anything is shown. */
export function applyTheme(theme: Theme = readTheme()): void {
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}

/** The colours of the page, and how to choose others. */
export function useTheme(): readonly [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState(readTheme)
  const choose = (next: Theme): void => {
    keepSetting('theme', next === 'system' ? null : next)
    applyTheme(next)
    setTheme(next)
  }
  return [theme, choose]
}
