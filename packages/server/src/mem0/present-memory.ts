import { createHash } from 'node:crypto'
import type { Memory } from 'keepsake'
import type { Filterable } from './match-filters.ts'
import { entitiesOf, runOf } from './mem0-names.ts'
import type { Metadata, PersonNotes } from './mem0-notes.ts'

/** A memory as Mem0's clients read it. Snake case: they turn it into camel case themselves. */
export interface Mem0Memory {
  readonly id: string
  readonly memory: string
  readonly user_id: string | null
  readonly agent_id: string | null
  readonly app_id: string | null
  readonly run_id: string | null
  /** MD5 of the text. */
  readonly hash: string
  readonly metadata: Metadata | null
  /** Keepsake makes none. */
  readonly categories: readonly string[]
  readonly created_at: string
  readonly updated_at: string
  /** When it ceased to be so: superseded, or until when it was said to hold. */
  readonly expiration_date: string | null
  /** Keepsake's form: `fact` is one statement, `utterance` what was said. */
  readonly memory_type: string
}

/** The scope that a memory stands in. */
export interface Place {
  readonly user: string
  readonly agent: string | null
  readonly app: string | null
}

/** A memory in Mem0's form. */
export function presentMemory(memory: Memory, place: Place, notes: PersonNotes): Mem0Memory {
  const id = notes.publicId(memory.id)
  const { user, agent, app } = entitiesOf(place)
  return {
    id,
    memory: memory.text,
    user_id: user,
    agent_id: agent,
    app_id: app,
    run_id: runOf(memory.session, notes),
    hash: createHash('md5').update(memory.text).digest('hex'),
    metadata: metadataOf(memory, id, notes),
    categories: [],
    created_at: isoTime(memory.learnedAt),
    updated_at: isoTime(updatedAt(memory)),
    expiration_date: memory.validUntil === null ? null : isoTime(memory.validUntil),
    memory_type: memory.form,
  }
}

/** What was set by an update, else what came with the messages that it was made from, the latest winning. */
function metadataOf(memory: Memory, id: string, notes: PersonNotes): Metadata | null {
  const own = notes.memory(id)?.metadata ?? null
  if (own !== null) return own
  const came = memory.evidence.flatMap(({ turn }) => notes.turn(turn) ?? [])
  return came.length === 0 ? null : Object.assign({}, ...came)
}

function updatedAt({ learnedAt, past }: Memory): number {
  return Math.max(learnedAt, ...past.map((version) => version.validUntil))
}

export const isoTime = (at: number): string => new Date(at).toISOString()

/** Whether it is no longer so: another statement took its place, or its time is over. */
export function isOver({ validUntil }: Memory, now: number): boolean {
  return validUntil !== null && validUntil <= now
}

/** Everything that a filter can ask of a memory, looked up when it asks: most filters ask for little, of many memories. */
export function filterable(memory: Memory, place: Place, notes: PersonNotes): Filterable {
  const { user, agent, app } = entitiesOf(place)
  const id = notes.publicId(memory.id)
  return {
    fields: {
      user_id: user,
      agent_id: agent,
      app_id: app,
      get run_id() {
        return runOf(memory.session, notes)
      },
      get created_at() {
        return isoTime(memory.learnedAt)
      },
      get updated_at() {
        return isoTime(updatedAt(memory))
      },
      categories: [],
      keywords: memory.text,
      memory_ids: id,
      memory_type: memory.form,
      get feedback() {
        return notes.memory(id)?.feedback ?? null
      },
      get feedback_reason() {
        return notes.memory(id)?.feedbackReason ?? null
      },
    },
    get metadata() {
      return metadataOf(memory, id, notes)
    },
  }
}
