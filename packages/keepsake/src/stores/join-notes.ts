import type { ChangeNote } from './rows.ts'

/** Two notes of one person as one: from where they stood before both. */
export function joinNotes(one: ChangeNote | null, other: ChangeNote): ChangeNote {
  if (one === null) return other
  const positions = new Map(other.turns.map(({ scope, position }) => [scope, position]))
  for (const { scope, position } of one.turns)
    positions.set(scope, Math.min(position, positions.get(scope) ?? position))
  return {
    owner: other.owner,
    sequence: Math.min(one.sequence, other.sequence),
    turns: [...positions].map(([scope, position]) => ({ scope, position })),
    erasures: one.erasures + other.erasures,
  }
}
