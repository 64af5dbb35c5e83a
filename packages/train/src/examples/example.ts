/** One of {@link TASKS}. */
export type Task = (typeof TASKS)[number]
/** Tasks that a model can be tuned for: each is a question that the engine asks a language model. */
export const TASKS = [
  'persona-snapshot',
  'operations',
  'session-memory',
  'compression',
  'reply',
  'reply-dpo',
] as const

/** Who vouches for an answer: a person who corrected it, the model that gave it, rules, or a data set's author. */
export type Voucher = 'person' | 'model' | 'rules' | 'generator'

/** A question of the engine and its answer. With `rejected`, a worse answer, it is a preference pair. */
export interface Example {
  readonly task: Task
  /** Name and version of the question's prompt: `operations/2`. */
  readonly prompt: string
  readonly system: string
  readonly user: string
  readonly answer: string
  readonly rejected: string | null
  readonly by: Voucher
  /** Pseudonym of its user in this export, such as `p3`. */
  readonly person: string
  /** Whether the answer says that there is nothing to do. Only a few such examples are kept. */
  readonly isEmpty: boolean
  /** Ids of the turns and memories that it contains. None of them may be withheld from training. */
  readonly basis: { readonly turns: readonly string[]; readonly memories: readonly string[] }
}
