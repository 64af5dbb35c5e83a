import { type ForgettingPolicy, firstInFirstOut, keepsakeForgetting, randomForgetting } from 'keepsake/preset'
import { type PresetName } from '@keepsake/papers'
import { competitionInhibition, ebbinghaus, lufyForgetting as lufy } from '@keepsake/papers'

/** The name of Keepsake's policy in reports. */
export const OURS = 'keepsake'
/** The name of Keepsake's policy with weights of importance that were fitted on other talks. */
export const OURS_HELD_OUT = 'keepsake-held-out'

/** A policy, and how recalls affect memories in its paper. */
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

/** LUFY's setting (section 4.1.1). Of two retrieved memories the first is used and the second counted. Their score is cosine + 0.1 · importance. */
export const LUFY: PolicySetting = {
  preset: 'lufy',
  policy: lufy(),
  first: 1,
  second: 1,
  strengthWeight: 0.1,
}

/** MOOM's setting (section 3.3, appendix D). Of 2k = 18 retrieved memories the first k = 9 are reinforced and the next 9 suppressed. */
export const COMPETITION: PolicySetting = {
  preset: 'moom',
  policy: competitionInhibition(),
  first: 9,
  second: 9,
  strengthWeight: 0,
}

/** Lists the published policies and Keepsake's. */
export function comparedPolicies(): PolicySetting[] {
  return [
    LUFY,
    // MemoryBank as in the LUFY paper's comparison. One memory is used, and the ranking is by similarity only.
    {
      preset: 'memory-bank',
      policy: ebbinghaus({ unit: 'sessions' }),
      first: 1,
      second: 0,
      strengthWeight: 0,
    },
    COMPETITION,
    // The MOOM paper compares its policy with two others (figure 3). One does not suppress, one forgets by time (the Ebbinghaus curve).
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

/** Returns the setting of Keepsake's policy. */
export function ourSetting(name: string = OURS): PolicySetting {
  const policy = { ...keepsakeForgetting(), name }
  return { preset: 'keepsake', policy, first: 1, second: 1, strengthWeight: 0 }
}

/** Returns the setting of a policy that forgets at random. */
export function randomSetting(seed: number): PolicySetting {
  return { preset: 'naive-rag', policy: randomForgetting(seed), first: 0, second: 0, strengthWeight: 0 }
}
