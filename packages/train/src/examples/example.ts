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

/** An engine's question and answer; with `rejected`, also a worse answer: a preference pair. */
export interface Example {
  readonly task: Task
  /** `operations/2`: the prompt of the question. */
  readonly prompt: string
  readonly system: string
  readonly user: string
  readonly answer: string
  readonly rejected: string | null
  readonly by: Voucher
  /** Pseudonym of its user in this export, such as `p3`. */
  readonly person: string
  /** Whether the answer only says, for example, that there is nothing to do: few of these are kept. */
  readonly isEmpty: boolean
  /** Ids that it contains, to be checked against what is withheld. */
  readonly rests: { readonly turns: readonly string[]; readonly memories: readonly string[] }
}
