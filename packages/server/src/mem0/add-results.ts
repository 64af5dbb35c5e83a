import type { Memory, MemoryStatus, ScopedMemory } from 'keepsake'
import { personOf, shownForms, type Mem0Door } from './mem0-door.ts'
import type { AddResult } from './mem0-events.ts'
import { isOver } from './present-memory.ts'
import type { WatchedChange } from './watch-changes.ts'

type Event = AddResult['event']

const EVERY_STATUS: readonly MemoryStatus[] = ['live', 'quarantined', 'deleted', 'forgotten']

/**
 * What became of an add, in Mem0's words: memories made of its messages (ADD), memories that now say something else
 * (UPDATE), and memories that are no longer so because of it (DELETE). A repeated add names what it made before (NOOP).
 */
export async function resultsOf(
  door: Mem0Door,
  scope: ScopedMemory,
  recorded: { readonly turns: readonly string[]; readonly session: string | null; readonly isKnown: boolean },
  changes: readonly WatchedChange[],
): Promise<readonly AddResult[]> {
  const turns = new Set(recorded.turns)
  const session = recorded.session ?? undefined
  if (recorded.isKnown) {
    const known = (await listShown(door, scope, session)).filter(
      (memory) => restsOn(memory, turns) && memory.status === 'live',
    )
    return present(
      door,
      scope,
      known.map((memory) => ({ memory, event: 'NOOP' })),
    )
  }
  const events = new Map<string, { memory: Memory; event: Event }>()
  const forms = new Set(shownForms(door))
  const now = door.deps.now()
  for (const change of changes) {
    const { memory } = change
    const event = forms.has(memory.form) ? eventOf(change, turns, now) : null
    if (event !== null)
      events.set(memory.id, { memory, event: joinEvents(events.get(memory.id)?.event, event) })
  }
  return present(door, scope, await withWords(door, scope, session, [...events.values()]))
}

const restsOn = (memory: Memory, turns: ReadonlySet<string>): boolean =>
  memory.evidence.some(({ turn }) => turns.has(turn))

/** What a change is to the add; `null` when it is none of its doing. */
function eventOf(
  { kind, memory, operation }: WatchedChange,
  turns: ReadonlySet<string>,
  now: number,
): Event | null {
  // What somebody else asked for meanwhile.
  if (operation.origin.step === 'api') return null
  if (kind === 'added') return restsOn(memory, turns) ? 'ADD' : null
  if (kind === 'deleted') return 'DELETE'
  if (isOver(memory, now)) return operation.payload?.before?.validUntil === null ? 'DELETE' : null
  if (!restsOn(memory, turns)) return null
  return operation.payload?.after.text === undefined ? 'NOOP' : 'UPDATE'
}

/** A memory that was made and then changed is still one that was made. */
function joinEvents(before: Event | undefined, now: Event): Event {
  if (before === 'ADD' && now !== 'DELETE') return 'ADD'
  return before === 'UPDATE' && now === 'NOOP' ? 'UPDATE' : now
}

async function listShown(
  door: Mem0Door,
  scope: ScopedMemory,
  session: string | undefined,
): Promise<readonly Memory[]> {
  return scope.memories({
    statuses: EVERY_STATUS,
    forms: shownForms(door),
    ...(session === undefined ? {} : { session }),
  })
}

/** Utterances have no words of their own while they are made: those are read with their turns. */
async function withWords(
  door: Mem0Door,
  scope: ScopedMemory,
  session: string | undefined,
  events: readonly { readonly memory: Memory; readonly event: Event }[],
): Promise<readonly { readonly memory: Memory; readonly event: Event }[]> {
  if (events.every(({ memory }) => memory.text !== '')) return events
  const worded = new Map((await listShown(door, scope, session)).map((memory) => [memory.id, memory]))
  return events.map(({ memory, event }) => ({ memory: worded.get(memory.id) ?? memory, event }))
}

function present(
  { notes }: Mem0Door,
  scope: ScopedMemory,
  events: readonly { readonly memory: Memory; readonly event: Event }[],
): readonly AddResult[] {
  const person = personOf(scope.key)
  const own = notes.of(person)
  const results = events.map(({ memory, event }) => ({
    id: own.publicId(memory.id),
    data: { memory: memory.text },
    event,
  }))
  notes.place(
    person,
    results.map((result) => result.id),
  )
  return results
}
