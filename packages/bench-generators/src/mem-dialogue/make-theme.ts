import type { Draw } from '@keepsake/bench/parts'
import type { Split, TalkLanguage } from '../material/fact-kinds.ts'
import { CONFLICTS_PER_THEME, OFFSET, type ThemeRecord } from './theme-record.ts'

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

/** Modifications are twice as common as deletions in real talk. Our choice: the paper gives no share. */
const SHARE_OF_MODIFICATIONS = 2 / 3

/**
 * Four conflicts over the memories of a theme. A memory can be hit more than once, so that between one and four memories are perturbed;
 * nothing follows a deletion. The paper draws the number of perturbed memories from U(1, |M|), and counts four conflicts a theme: these hold.
 *
 * @throws RangeError when the memories cannot be changed so often.
 */
function planConflicts(draw: Draw, memories: readonly Changeable[]): PlannedConflict[] {
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
 * Puts each conflict's pair into the flow, U(1, 5) pairs after the last pair about the same memory, or at the end where the flow is shorter
 * (MMM, section 2.2.3).
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

interface ThemeHeader {
  readonly theme: string
  /** Its place among the themes, from 0. */
  readonly place: number
  readonly language: TalkLanguage
  readonly split: Split
  /** The person's name. */
  readonly user: string
}

/** A round of a theme's dialogue, with its effect on one memory. */
export interface ThemePair {
  readonly memory: string
  readonly kind: 'add' | 'modify' | 'delete'
  readonly before: string | null
  readonly after: string | null
  readonly user: string
  readonly agent: string
}

/** Finds the words of a theme: templates or a language model. */
export interface ThemeTeller {
  readonly memories: readonly (Changeable & { readonly text: string })[]
  /** The round that states a memory. */
  tell(memory: string): ThemePair | Promise<ThemePair>
  /** The round that changes or deletes a memory in its current state. */
  change(conflict: PlannedConflict): ThemePair | Promise<ThemePair>
  /** A question about the outcome of a round, and its answer, with the talk from there on. */
  ask(pair: ThemePair, talk: readonly ThemePair[]): QuestionAndAnswer | Promise<QuestionAndAnswer>
}

type QuestionAndAnswer = Pick<ThemeRecord['question'], 'question' | 'answer'>

/** The first theme starts on this morning, each further one a day later. */
const FIRST_DAY = Date.UTC(2026, 0, 5, 9)
const DAY = 86_400_000
const MINUTE = 60_000

/** SSMF's stages (MMM, section 2.2): every memory is stated, four conflicts are inserted, and one of them is asked about. */
export async function makeTheme(draw: Draw, header: ThemeHeader, teller: ThemeTeller): Promise<ThemeRecord> {
  const base: ThemePair[] = []
  for (const { id } of teller.memories) base.push(await teller.tell(id))
  const conflicts: ThemePair[] = []
  for (const planned of planConflicts(draw, teller.memories)) conflicts.push(await teller.change(planned))
  const flow = insertConflicts(draw, base, conflicts)
  // The outcome of these conflicts still holds at the end.
  const lasting = flow.filter(
    ({ kind, memory }, place) =>
      kind !== 'add' && !flow.slice(place + 1).some((later) => later.memory === memory),
  )
  const asked = draw.pick(lasting)
  const operation = flow.indexOf(asked)
  const question = { ...(await teller.ask(asked, flow.slice(operation))), operation }
  const start = FIRST_DAY + header.place * DAY
  const { theme, language, split, user } = header
  return {
    id: `theme-${String(header.place + 1).padStart(3, '0')}`,
    theme,
    language,
    split,
    user,
    startedAt: iso(start),
    memories: teller.memories.map(({ id, text }) => ({ id, text })),
    dialogue: writeDialogue(draw, flow, start),
    operations: flow.map(({ kind, memory, before, after }, pair) => ({
      turn: 2 * pair,
      kind,
      memory,
      before,
      after,
    })),
    question,
  }
}

/** With the pauses that typing takes. */
function writeDialogue(draw: Draw, flow: readonly ThemePair[], start: number): ThemeRecord['dialogue'] {
  let at = start
  return flow.flatMap((pair) => {
    const userTurn = { role: 'user' as const, text: pair.user, at: iso(at) }
    at += draw.whole(5, 40) * 1_000
    const answered = { role: 'agent' as const, text: pair.agent, at: iso(at) }
    at += draw.whole(1, 6) * MINUTE
    return [userTurn, answered]
  })
}

function iso(at: number): string {
  return new Date(at).toISOString().replace('.000Z', 'Z')
}
