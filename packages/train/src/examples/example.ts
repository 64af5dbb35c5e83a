import type { EngineQuestion } from './ask-engine.ts'

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

/** Who vouches for an answer: a person who corrected it, the model that gave it, or rules. */
export type Voucher = 'person' | 'model' | 'rules'

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
  /** Ids of the turns and memories that the example contains. If one is withheld from training, so is the example. */
  readonly basis: { readonly turns: readonly string[]; readonly memories: readonly string[] }
}

/** An example without its person, with the problems that the engine finds in its answer. */
export interface CheckedExample extends Omit<Example, 'person'> {
  /** The list is empty if the engine would accept the answer. */
  readonly problems: readonly string[]
}

interface ExampleAnswer extends Pick<Example, 'by' | 'isEmpty' | 'basis'> {
  /** The answer in the shape that the prompt asks for, or as a text. */
  readonly answer: unknown
  /** A worse answer, or `null`. */
  readonly worse: unknown
}

/** Combines a question that the engine asks with the answer that a model should learn to write. */
export function makeExample(
  task: Task,
  question: EngineQuestion,
  { answer, worse, ...rest }: ExampleAnswer,
): CheckedExample {
  const { prompt, system, user, problemsOf } = question
  const text = writeAnswer(answer)
  const rejected = worse === null ? null : writeAnswer(worse)
  return {
    task,
    prompt,
    system,
    user,
    answer: text,
    rejected: rejected === text ? null : rejected,
    ...rest,
    problems: problemsOf(text),
  }
}

function writeAnswer(answer: unknown): string {
  return typeof answer === 'string' ? answer : JSON.stringify(answer)
}
