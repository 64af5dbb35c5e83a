import type { Memory, MemoryForm } from 'keepsake'
import type { Voucher } from '../examples/example.ts'
import type { Life } from './life.ts'
import { Verdicts } from './verdicts.ts'

/** A text that a model wrote and that is stored as a memory: a summary of a session, or a portrait. */
export interface Written {
  /** The memory in its current state. */
  readonly memory: Memory
  /** The model's text if a person corrected it later, otherwise `null`. */
  readonly before: string | null
  readonly by: Voucher
}

/** Returns the memories of a form that a prompt wrote, with users' corrections and without undone ones. */
export function writtenBy(life: Life, form: MemoryForm, prompt: string): Written[] {
  const verdicts = new Verdicts(life.operations)
  return [...life.memories.values()].flatMap((memory): Written[] => {
    if (memory.form !== form || memory.origin.promptVersion?.startsWith(prompt) !== true) return []
    const writing = life.operations.findLast(
      ({ memory: changed, origin, payload }) =>
        changed === memory.id && origin.step !== 'api' && payload?.after.text !== undefined,
    )
    const verdict = writing === undefined ? null : verdicts.of(writing)
    if (verdict === null || verdict.right === null) return []
    const { right, before, byPerson } = verdict
    return [
      {
        memory: { ...memory, text: right.text },
        before: byPerson ? (before?.text ?? null) : null,
        by: byPerson ? 'person' : 'model',
      },
    ]
  })
}
