/** What is asked of a memory, of how many people, for how long. */
export interface LoadPlan {
  /** People, each with a scope and a connection of their own. */
  readonly scopes: number
  readonly seconds: number
  /** How many of all calls recall; the others remember a turn. From 0 to 1. */
  readonly recallShare: number
  /** Calls a second in all; `null`: every connection asks again as soon as it is answered. */
  readonly rate: number | null
  readonly seed: number
  /** Whether recalls strengthen what they find, as they do by themselves. */
  readonly reinforce: boolean
}

/** How the memory is opened and asked. */
export interface LoadSetting {
  readonly synchronous: 'full' | 'normal'
  readonly reinforce: boolean
}

/** The settings that are compared, by name. `default` is that of `keepsake serve`. */
export const LOAD_SETTINGS = {
  default: { synchronous: 'full', reinforce: true },
  normal: { synchronous: 'normal', reinforce: true },
  unreinforced: { synchronous: 'full', reinforce: false },
  'normal-unreinforced': { synchronous: 'normal', reinforce: false },
} as const satisfies Record<string, LoadSetting>

export type LoadSettingName = keyof typeof LOAD_SETTINGS

export const LOAD_SETTING_NAMES = Object.keys(LOAD_SETTINGS) as LoadSettingName[]

/** The user of a scope by its number. */
export function userOf(scope: number): string {
  return `person-${scope}`
}
