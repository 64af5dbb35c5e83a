import { type ForgettingPolicy, firstInFirstOut, keepsakeForgetting, randomForgetting } from 'keepsake/preset'
import { type PresetName } from '@keepsake/papers'
import { competitionInhibition, ebbinghaus, lufyForgetting as lufy } from '@keepsake/papers'

/** Our policy's name in the report. */
export const OURS = 'keepsake'
/** Our policy with weights of importance that were fitted on other talks. */
export const OURS_HELD_OUT = 'keepsake-held-out'

/** A policy with its paper's way in which recalls affect memories. */
export interface PolicySetting {
  readonly policy: ForgettingPolicy
  readonly preset: PresetName
  /** Number of memories that a recall uses. */
  readonly first: number
  /** Number of next memories that a recall only counts (LUFY) or suppresses (MOOM). */
  readonly second: number
  /** Weight of a memory's strength in the ranking. */
  readonly strengthWeight: number
}

/** LUFY's setting (section 4.1.1): of two retrieved memories the first is used and the second counted. Rank: cosine + 0.1 · importance. */
export const LUFY: PolicySetting = {
  preset: 'lufy',
  policy: lufy(),
  first: 1,
  second: 1,
  strengthWeight: 0.1,
}

/** MOOM's setting (section 3.3, appendix D): of 2k = 18 retrieved memories the first k = 9 are reinforced and the next 9 suppressed. */
export const COMPETITION: PolicySetting = {
  preset: 'moom',
  policy: competitionInhibition(),
  first: 9,
  second: 9,
  strengthWeight: 0,
}

/** The published policies and ours. */
export function comparedPolicies(): PolicySetting[] {
  return [
    LUFY,
    // MemoryBank, as the LUFY paper compares it: one memory is used, and the ranking is by similarity only.
    {
      preset: 'memory-bank',
      policy: ebbinghaus({ unit: 'sessions' }),
      first: 1,
      second: 0,
      strengthWeight: 0,
    },
    COMPETITION,
    // Two policies with which the MOOM paper compares its own (figure 3): without suppression, and by the Ebbinghaus curve of time.
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

export function randomSetting(seed: number): PolicySetting {
  return { preset: 'naive-rag', policy: randomForgetting(seed), first: 0, second: 0, strengthWeight: 0 }
}
