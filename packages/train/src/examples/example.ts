/** What a tuned model can be taught: each is a question that the engine asks a language model. */
export type Task = (typeof TASKS)[number]
export const TASKS = [
  'persona-snapshot',
  'operations',
  'session-memory',
  'compression',
  'reply',
  'reply-dpo',
] as const

/** Who says that an answer is right: a person who corrected it, the model that gave it, rules, or whoever made a data set. */
export type Voucher = 'person' | 'model' | 'rules' | 'generator'

/** A question of the engine's and its answer; with `rejected`, also a worse one: a preference pair. */
export interface Example {
  readonly task: Task
  /** `operations/2`: the prompt in whose words it is asked. */
  readonly prompt: string
  readonly system: string
  readonly user: string
  readonly answer: string
  readonly rejected: string | null
  readonly by: Voucher
  /** Whose life it is from: a name of this export's own, such as `p3`. */
  readonly person: string
  /** What the answer is worth without the rest, e.g. that nothing is to be done: kept few. */
  readonly isEmpty: boolean
  /** Ids of what it shows and tells, to be held against what may not be told. */
  readonly rests: { readonly turns: readonly string[]; readonly memories: readonly string[] }
}
