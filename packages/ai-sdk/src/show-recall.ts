import type { Recall, RecalledMemory } from 'keepsake'

/** What recall found, as a model reads it. */
export interface ShownRecall {
  /** `maybe`: answer from the memories if they hold the answer. `no`: say that you do not know. `null`: nothing was asked. */
  readonly answerable: Recall['answerable']
  /** Whether `answerable` is `yes`. */
  readonly known: boolean
  /** Best first. */
  readonly memories: readonly ShownMemory[]
}

/** A memory, as a model reads it. Days are ISO 8601. */
export interface ShownMemory {
  /** To correct or forget it by; `null` for what was said a moment ago. */
  readonly memory: string | null
  readonly form: string
  readonly text: string
  /** Its place on the persona sheet, such as "residence". */
  readonly key: string | null
  readonly since: string
  readonly until: string | null
  /** Who said what it rests on. */
  readonly by: readonly string[]
}

function day(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

function showMemory({ memory, evidence, pending }: RecalledMemory): ShownMemory {
  return {
    memory: pending ? null : memory.id,
    form: memory.form,
    text: memory.text,
    key: memory.key,
    since: day(memory.validFrom),
    until: memory.validUntil === null ? null : day(memory.validUntil),
    by: [...new Set(evidence.map(({ speaker, role }) => speaker ?? role))],
  }
}

/** What of a recall a model is shown: no scores, no ids that do not last. */
export function showRecall({ answerable, known, memories }: Recall): ShownRecall {
  return { answerable, known, memories: memories.map(showMemory) }
}
