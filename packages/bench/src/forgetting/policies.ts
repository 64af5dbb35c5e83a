import { type ForgettingPolicy, firstInFirstOut, keepsakeForgetting, randomForgetting } from 'keepsake/preset'
import { type PresetName } from '@keepsake/papers'
import { competitionInhibition, ebbinghaus, lufyForgetting as lufy } from '@keepsake/papers'

/** Our policy's name in the report. */
export const OURS = 'keepsake'
/** Our policy with an importance fitted on other talks than the one it judges. */
export const OURS_HELD_OUT = 'keepsake-held-out'

/** A policy, and how its paper lets recalls affect memories. */
export interface PolicySetting {
  readonly policy: ForgettingPolicy
  readonly preset: PresetName
  /** Number of memories that a recall uses. */
  readonly first: number
  /** Number of next memories that it only counts, or suppresses. */
  readonly second: number
  readonly strengthWeight: number
}

/** LUFY 4.1.1: two retrieved, the first used, the second counted; cosine + 0.1 · importance. */
export const LUFY: PolicySetting = {
  preset: 'lufy',
  policy: lufy(),
  first: 1,
  second: 1,
  strengthWeight: 0.1,
}

/** MOOM 3.3 and appendix D: 2k = 18 retrieved, k = 9 reinforced, the next 9 suppressed. */
export const COMPETITION: PolicySetting = {
  preset: 'moom',
  policy: competitionInhibition(),
  first: 9,
  second: 9,
  strengthWeight: 0,
}

/** The published policies, and ours, by their names in the report. */
export function comparedPolicies(): PolicySetting[] {
  return [
    LUFY,
    // LUFY's comparison of MemoryBank: one memory used, ranked by similarity alone.
    {
      preset: 'memory-bank',
      policy: ebbinghaus({ unit: 'sessions' }),
      first: 1,
      second: 0,
      strengthWeight: 0,
    },
    COMPETITION,
    // MOOM's two comparisons (figure 3): nothing suppressed, and the Ebbinghaus curve in the same place.
    {
      preset: 'moom',
      policy: { ...competitionInhibition(), name: 'competition-alone' },
      first: 9,
      second: 0,
      strengthWeight: 0,
    },
    {
      preset: 'moom',
      policy: { ...ebbinghaus({ unit: 'sessions' }), name: 'ebbinghaus-of-nine' },
      first: 9,
      second: 0,
      strengthWeight: 0,
    },
    { preset: 'naive-rag', policy: firstInFirstOut(), first: 0, second: 0, strengthWeight: 0 },
    ourSetting(),
  ]
}

export function ourSetting(name: string = OURS): PolicySetting {
  const policy = { ...keepsakeForgetting(), name }
  return { preset: 'keepsake', policy, first: 1, second: 1, strengthWeight: 0 }
}

/** Chance, by one seed. */
export function randomSetting(seed: number): PolicySetting {
  return { preset: 'naive-rag', policy: randomForgetting(seed), first: 0, second: 0, strengthWeight: 0 }
}
