import type { Draw } from '@keepsake/bench/parts'
import type { LifeEvent } from './point.ts'
import { QUESTION_TYPES, type QuestionType } from './published-form.ts'

/** The question types of each kind of event: changes of taste and introductions allow fewer than careers. */
const TYPES: Readonly<Record<LifeEvent['kind'], readonly QuestionType[]>> = {
  init: ['Basic Fact Recall', 'Memory Boundary', 'Memory Conflict'],
  daily: ['Basic Fact Recall', 'Memory Boundary', 'Generalization & Application', 'Memory Conflict'],
  career: QUESTION_TYPES,
}

/** Questions of a one-stage event, and the increase for each further stage: defaults of the published script. */
const LEAST = 3
const A_STAGE = { least: 1, most: 3 } as const
const KINDS = { least: 2, most: 4 } as const
const WEIGHTS = { least: 1, most: 3 } as const

/**
 * How many questions of which types an event gets (HaluMem, stage 6: “programmatically allocated according to event type and
 * complexity”; the paper gives no numbers, so they are those of its published script): three and, for each further stage of a career
 * event, one to three more, over two to four types, each at least once.
 *
 * @param stages how many sub-stages are asked about as one
 * @param possible types that can be asked here at all. Default: all that the kind of event allows
 * @example
 * allocateQuestions(seededDraw(1), { kind: 'career', stages: 3 }) // Map { 'Dynamic Update' => 3, 'Memory Conflict' => 4 }
 */
export function allocateQuestions(
  draw: Draw,
  { kind, stages, possible }: { kind: LifeEvent['kind']; stages: number; possible?: readonly QuestionType[] },
): Map<QuestionType, number> {
  const types = TYPES[kind].filter((type) => possible?.includes(type) ?? true)
  if (types.length === 0) return new Map()
  const wanted = Math.round(LEAST + draw.real(A_STAGE.least, A_STAGE.most) * (stages - 1))
  const count = Math.min(draw.whole(KINDS.least, KINDS.most), wanted, types.length)
  const chosen = draw.shuffled(types).slice(0, count)
  const weights = chosen.map(() => draw.real(WEIGHTS.least, WEIGHTS.most))
  const whole = weights.reduce((sum, weight) => sum + weight, 0)
  const counts = weights.map((weight) => 1 + Math.round(((wanted - count) * weight) / whole))
  for (let over = sum(counts) - wanted; over !== 0; over = sum(counts) - wanted) {
    const place = draw.pick(counts.flatMap((of, at) => (over < 0 || of > 1 ? [at] : [])))
    counts[place] = (counts[place] ?? 0) - Math.sign(over)
  }
  return new Map(chosen.map((type, at) => [type, counts[at] ?? 1]))
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0)
}
