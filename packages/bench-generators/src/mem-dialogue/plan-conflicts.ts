import type { Draw } from '@keepsake/bench/parts'
import { CONFLICTS_PER_THEME, OFFSET } from './theme-record.ts'

/** What may be done to a memory of a theme. */
export interface Changeable {
  readonly id: string
  /** How often it can still be modified. */
  readonly modifications: number
  readonly deletable: boolean
}

export interface PlannedConflict {
  readonly memory: string
  readonly kind: 'modify' | 'delete'
}

/** Modifications are twice as common as deletions in what people tell. A choice of ours: the paper gives no share. */
const SHARE_OF_MODIFICATIONS = 2 / 3

/**
 * Four conflicts over the memories of a theme. A memory can be hit more than once, so that between one and four
 * memories are perturbed; nothing follows a deletion. The paper draws the number of perturbed memories from
 * U(1, |M|) and counts four conflicts a theme: both hold here.
 *
 * @throws RangeError when the memories cannot be changed so often.
 */
export function planConflicts(draw: Draw, memories: readonly Changeable[]): PlannedConflict[] {
  const left = new Map(memories.map((memory) => [memory.id, { ...memory }]))
  return Array.from({ length: CONFLICTS_PER_THEME }, () => {
    const open = [...left.values()].filter((memory) => memory.modifications > 0 || memory.deletable)
    const memory = draw.pick(open)
    const modifies = memory.modifications > 0 && (!memory.deletable || draw.chance(SHARE_OF_MODIFICATIONS))
    if (modifies) left.set(memory.id, { ...memory, modifications: memory.modifications - 1 })
    else left.delete(memory.id)
    return { memory: memory.id, kind: modifies ? 'modify' : 'delete' }
  })
}

/**
 * Puts each conflict's pair into the flow, U(1, 5) pairs after the last pair about the same memory, or at the end
 * where the flow is shorter (MMM, section 2.2.3).
 *
 * @param flow the pairs that tell the memories, in order
 * @param conflicts pairs in the order in which they come about
 */
export function insertConflicts<Pair extends { readonly memory: string }>(
  draw: Draw,
  flow: readonly Pair[],
  conflicts: readonly Pair[],
): Pair[] {
  const whole = [...flow]
  for (const conflict of conflicts) {
    const position = whole.findLastIndex(({ memory }) => memory === conflict.memory)
    whole.splice(position + draw.whole(OFFSET.least, OFFSET.most), 0, conflict)
  }
  return whole
}
