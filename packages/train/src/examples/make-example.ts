import type { EngineQuestion } from './ask-engine.ts'
import type { Example, Task } from './example.ts'

/** An example without its person, with the problems that the engine finds in its answer. */
export interface CheckedExample extends Omit<Example, 'person'> {
  /** Empty when the engine would accept the answer. */
  readonly problems: readonly string[]
}

interface ExampleAnswer extends Pick<Example, 'by' | 'isEmpty' | 'basis'> {
  /** In the shape that the prompt asks for, or a text. */
  readonly answer: unknown
  /** A worse answer; `null` where there is none. */
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
