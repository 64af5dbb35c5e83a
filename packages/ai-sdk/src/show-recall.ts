import type { Recall, RecalledMemory } from 'keepsake'

/** The result of a recall, as a model reads it. */
export interface ShownRecall {
  /** `maybe`: the memories may contain the answer. `no`: they do not. `null`: the input was not a question. */
  readonly answerable: Recall['answerable']
  /** Whether `answerable` is `yes`. */
  readonly known: boolean
  /** Best first. */
  readonly memories: readonly ShownMemory[]
}

/** A memory, as a model reads it. Days are ISO 8601. */
export interface ShownMemory {
  /** The id for `correct` and `forget`; `null` for a message that was not processed yet. */
  readonly memory: string | null
  readonly form: string
  readonly text: string
  /** Its key on the persona sheet, such as "residence". */
  readonly key: string | null
  readonly since: string
  readonly until: string | null
  /** The speakers of its evidence. */
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

/** Selects the fields of a recall for a model, without scores and temporary ids. */
export function showRecall({ answerable, known, memories }: Recall): ShownRecall {
  return { answerable, known, memories: memories.map(showMemory) }
}
