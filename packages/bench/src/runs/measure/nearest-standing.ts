import type { GoldMemory } from '../../datasets/conversation.ts'
import type { SystemMemoryItem } from '../../systems/memory-system.ts'
import { attempt, entryOf, type Measuring } from './measuring.ts'

/** Of what stood before a session, looked at for one gold memory: more would not fit a model judge's request. */
const MOST = 20

/** What a system holds beside what a session left. */
export interface StandingMemories {
  /** Those nearest in meaning to a gold memory of the session, nearest first. */
  nearest(gold: string): readonly SystemMemoryItem[]
}

export const NOTHING_STANDS: StandingMemories = { nearest: () => [] }

/** @param left what the session left: it is not given again */
export async function nearestStanding(
  measuring: Measuring,
  gold: readonly GoldMemory[],
  left: readonly SystemMemoryItem[],
): Promise<StandingMemories> {
  const { value, failure } = await attempt(() => measuring.memory.memories())
  if (failure !== null) {
    const where = 'memories that stand after a session'
    measuring.write({ entry: 'failure', ...entryOf(measuring), where, message: failure })
  }
  const own = new Set(left.map(({ id }) => id))
  const others = (value ?? []).filter(({ id }) => !own.has(id))
  if (others.length === 0) return NOTHING_STANDS
  const texts = await measuring.matcher.prepare([...others, ...gold].map(({ text }) => text))
  return {
    nearest: (wanted) =>
      others
        .map((item) => ({ item, cosine: texts.cosine(item.text, wanted) }))
        .toSorted((one, other) => other.cosine - one.cosine)
        .slice(0, MOST)
        .map(({ item }) => item),
  }
}
