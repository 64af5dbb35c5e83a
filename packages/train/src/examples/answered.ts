import type { Asked } from './ask-engine.ts'
import type { Example, Task } from './example.ts'

/** An example before it is known whose it is, with what the engine's reader finds wrong in it. */
export interface Answered extends Omit<Example, 'person'> {
  /** Empty when the engine would take the answer as it stands. */
  readonly problems: readonly string[]
}

interface Answering extends Pick<Example, 'by' | 'isEmpty' | 'rests'> {
  /** Of the shape that the prompt asks for; a text where it asks for one. */
  readonly answer: unknown
  /** A worse answer; `null` where there is none. */
  readonly worse: unknown
}

/** A question of the engine's with its answer, as the model is to write it. */
export function answered(task: Task, asked: Asked, { answer, worse, ...rest }: Answering): Answered {
  const { prompt, system, user, problemsOf } = asked
  const text = written(answer)
  const rejected = worse === null ? null : written(worse)
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

function written(answer: unknown): string {
  return typeof answer === 'string' ? answer : JSON.stringify(answer)
}
