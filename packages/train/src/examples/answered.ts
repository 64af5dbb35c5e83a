import type { Asked } from './ask-engine.ts'
import type { Example, Task } from './example.ts'

/** An example without its person, with the problems that the engine's reader finds. */
export interface Answered extends Omit<Example, 'person'> {
  /** Empty when the engine would accept the answer. */
  readonly problems: readonly string[]
}

interface Answering extends Pick<Example, 'by' | 'isEmpty' | 'rests'> {
  /** In the shape that the prompt asks for, or a text. */
  readonly answer: unknown
  /** A worse answer; `null` where there is none. */
  readonly worse: unknown
}

/** Combines an engine's question with the answer that the model should write. */
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
