/** What a file is looked over for. */
export const CHECKS = ['journal', 'pages', 'projection', 'index', 'orphans', 'erasures', 'access'] as const
export type Check = (typeof CHECKS)[number]

/** Something that is not as it should be. Says nothing of what anybody said. */
export interface Finding {
  readonly check: Check
  /** What, how many and where, in a sentence. */
  readonly detail: string
  /** What becomes of it: `mendable` by `mend`, `mended` now, or `lost`, for which a backup or an export has to stand in. */
  readonly state: 'mendable' | 'mended' | 'lost'
}
