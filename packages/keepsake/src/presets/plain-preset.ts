import { noForgetting } from '../forget/policies/none.ts'
import { keyTable } from '@keepsake/text'
import { extractiveSummariser } from '../story/summarise-extractively.ts'
import type { Preset } from './preset.ts'

/** A silence of four hours ends a session nobody named: longer than a meal or a meeting, shorter than a night. */
export const SESSION_GAP = 4 * 60 * 60 * 1000

/** What a preset does where its system says nothing of it: quote, believe everything, and forget nothing. */
export function plainPreset() {
  return {
    grounding: 'off',
    keyTable: keyTable(),
    summariser: extractiveSummariser(),
    sessionGap: SESSION_GAP,
    policy: noForgetting(),
    retention: { when: 'never' },
    exempt: [],
    context: 'list',
  } as const satisfies Partial<Preset>
}
