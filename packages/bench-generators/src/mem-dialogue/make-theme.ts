import type { Draw } from '@keepsake/bench/parts'
import type { Split, TalkLanguage } from '../material/fact-kinds.ts'
import { CONFLICTS_PER_THEME, OFFSET, type ThemeRecord } from './theme-record.ts'

/** The changes that a memory of a theme allows. */
export interface Changeable {
  readonly id: string
  /** How many more times it can be modified. */
  readonly modifications: number
  readonly deletable: boolean
}

/** A planned change of a memory, which then conflicts with what was stated before. */
export interface PlannedConflict {
  readonly memory: string
  readonly kind: 'modify' | 'delete'
}

/** Our choice, since the paper gives no share: in real talk, modifications are about twice as frequent as deletions. */
const SHARE_OF_MODIFICATIONS = 2 / 3

/**
 * Plans the changes of a theme. A deleted memory is not changed again. The four changes concern 1 to 4 memories, while the paper draws the
 * number of changed memories from U(1, |M|), with |M| for all memories.
 */
function planConflicts(draw: Draw, memories: readonly Changeable[]): PlannedConflict[] {
  const changeable = new Map(memories.map((memory) => [memory.id, { ...memory }]))
  return Array.from({ length: CONFLICTS_PER_THEME }, () => {
    const candidates = [...changeable.values()].filter(
      (memory) => memory.modifications > 0 || memory.deletable,
    )
    const memory = draw.pick(candidates)
    const isModification =
      memory.modifications > 0 && (!memory.deletable || draw.chance(SHARE_OF_MODIFICATIONS))
    if (isModification) changeable.set(memory.id, { ...memory, modifications: memory.modifications - 1 })
    else changeable.delete(memory.id)
    return { memory: memory.id, kind: isModification ? 'modify' : 'delete' }
  })
}

/** Inserts each conflict {@link OFFSET} pairs after the last pair about the same memory, or at the end (MMM, section 2.2.3). */
export function insertConflicts<Pair extends { readonly memory: string }>(
  draw: Draw,
  flow: readonly Pair[],
  conflicts: readonly Pair[],
): Pair[] {
  const result = [...flow]
  for (const conflict of conflicts) {
    const lastAbout = result.findLastIndex(({ memory }) => memory === conflict.memory)
    // An offset of 1 places the conflict directly after the last pair about the memory.
    result.splice(lastAbout + draw.whole(OFFSET.min, OFFSET.max), 0, conflict)
  }
  return result
}

interface ThemeHeader {
  readonly theme: string
  /** The theme's index in the set, from 0. */
  readonly index: number
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

/** Writes the texts of a theme, by templates or with a language model. */
export interface ThemeWriter {
  readonly memories: readonly (Changeable & { readonly text: string })[]
  /** Writes the round that states a memory. */
  tell(memory: string): ThemePair | Promise<ThemePair>
  /** Writes the round that changes or deletes a memory in its current state. */
  change(conflict: PlannedConflict): ThemePair | Promise<ThemePair>
  /** Writes the question about the outcome of a round. @param laterPairs this round and all later ones */
  ask(pair: ThemePair, laterPairs: readonly ThemePair[]): QuestionAndAnswer | Promise<QuestionAndAnswer>
}

type QuestionAndAnswer = Pick<ThemeRecord['question'], 'question' | 'answer'>

/** The first theme starts at this time, each further theme a day later. */
const FIRST_START = Date.UTC(2026, 0, 5, 9)
const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

/** Makes a theme in the stages of MMM's method SSMF (section 2.2): states every memory, inserts four conflicts, and asks about one of them. */
export async function makeTheme(draw: Draw, header: ThemeHeader, writer: ThemeWriter): Promise<ThemeRecord> {
  const base: ThemePair[] = []
  for (const { id } of writer.memories) base.push(await writer.tell(id))
  const conflicts: ThemePair[] = []
  for (const planned of planConflicts(draw, writer.memories)) conflicts.push(await writer.change(planned))
  const flow = insertConflicts(draw, base, conflicts)
  // Asks only about a conflict whose outcome no later conflict changes.
  const askable = flow.filter(
    ({ kind, memory }, position) =>
      kind !== 'add' && !flow.slice(position + 1).some((later) => later.memory === memory),
  )
  const conflict = draw.pick(askable)
  const index = flow.indexOf(conflict)
  const question = { ...(await writer.ask(conflict, flow.slice(index))), operation: index }
  const start = FIRST_START + header.index * DAY_MS
  const { theme, language, split, user } = header
  return {
    id: `theme-${String(header.index + 1).padStart(3, '0')}`,
    theme,
    language,
    split,
    user,
    startedAt: iso(start),
    memories: writer.memories.map(({ id, text }) => ({ id, text })),
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

/** Writes the turns, with pauses as long as typing takes. */
function writeDialogue(draw: Draw, flow: readonly ThemePair[], start: number): ThemeRecord['dialogue'] {
  let at = start
  return flow.flatMap((pair) => {
    const userTurn = { role: 'user' as const, text: pair.user, at: iso(at) }
    at += draw.whole(5, 40) * 1_000
    const agentTurn = { role: 'agent' as const, text: pair.agent, at: iso(at) }
    at += draw.whole(1, 6) * MINUTE_MS
    return [userTurn, agentTurn]
  })
}

function iso(at: number): string {
  return new Date(at).toISOString().replace('.000Z', 'Z')
}
