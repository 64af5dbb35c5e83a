/** What is asked of a memory, of how many people, for how long. */
export interface LoadPlan {
  /** People, each with a scope of their own. */
  readonly scopes: number
  /** Connections, each of which asks for its share of the people, one call at a time. */
  readonly connections: number
  /** Whether instead any connection asks for anybody, as those of a gateway do. */
  readonly pooled: boolean
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
  /** Bytes its caches may take; the engine's own limit when absent. */
  readonly cacheBytes?: number
  readonly reinforce: boolean
}

const MEBIBYTE = 1024 ** 2
const GIBIBYTE = 1024 * MEBIBYTE

/**
 * The settings that are compared, by name: `default` is that of `keepsake serve`, whose caches are as large as the machine lets
 * them be. Those of `tight` hold some 140,000 memories a process, those of the others 200 people with 1,000 each; `normal` and
 * `unreinforced` each change one thing more.
 */
export const LOAD_SETTINGS = {
  default: { synchronous: 'full', reinforce: true },
  tight: { synchronous: 'full', reinforce: true, cacheBytes: 128 * MEBIBYTE },
  roomy: { synchronous: 'full', reinforce: true, cacheBytes: GIBIBYTE },
  normal: { synchronous: 'normal', reinforce: true, cacheBytes: GIBIBYTE },
  unreinforced: { synchronous: 'full', reinforce: false, cacheBytes: GIBIBYTE },
} as const satisfies Record<string, LoadSetting>

export type LoadSettingName = keyof typeof LOAD_SETTINGS

export const LOAD_SETTING_NAMES = Object.keys(LOAD_SETTINGS) as LoadSettingName[]

/** The part of a setting that a memory is opened with. */
export function openingOf({ synchronous, cacheBytes }: LoadSetting): Omit<LoadSetting, 'reinforce'> {
  return { synchronous, ...(cacheBytes === undefined ? {} : { cacheBytes }) }
}

/** The user of a scope by its number. */
export function userOf(scope: number): string {
  return `person-${scope}`
}
