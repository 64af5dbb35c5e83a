import type { Draw } from '@keepsake/bench/parts'
import type { LifeEvent } from './point.ts'
import { QUESTION_TYPES, type QuestionType } from './published-form.ts'

const TYPES: Readonly<Record<LifeEvent['kind'], readonly QuestionType[]>> = {
  init: ['Basic Fact Recall', 'Memory Boundary', 'Memory Conflict'],
  daily: ['Basic Fact Recall', 'Memory Boundary', 'Generalization & Application', 'Memory Conflict'],
  career: QUESTION_TYPES,
}

// Defaults of the published script.
/** Questions of an event with one stage. */
const BASE_COUNT = 3
/** Additional questions for each further stage. */
const PER_STAGE = { min: 1, max: 3 } as const
/** Number of question types of an event. */
const TYPE_COUNT = { min: 2, max: 4 } as const
/** Random weights divide the questions among the types. */
const TYPE_WEIGHT = { min: 1, max: 3 } as const

/** Decides how many questions of which types an event gets (HaluMem, stage 6). The numbers are those of the published script. */
export function allocateQuestions(
  draw: Draw,
  { kind, stages, possible }: { kind: LifeEvent['kind']; stages: number; possible?: readonly QuestionType[] },
): Map<QuestionType, number> {
  const allowed = TYPES[kind].filter((type) => possible?.includes(type) ?? true)
  if (allowed.length === 0) return new Map()
  const total = Math.round(BASE_COUNT + draw.real(PER_STAGE.min, PER_STAGE.max) * (stages - 1))
  const typeCount = Math.min(draw.whole(TYPE_COUNT.min, TYPE_COUNT.max), total, allowed.length)
  const chosen = draw.shuffled(allowed).slice(0, typeCount)
  const weights = chosen.map(() => draw.real(TYPE_WEIGHT.min, TYPE_WEIGHT.max))
  const totalWeight = sum(weights)
  const counts = weights.map((weight) => 1 + Math.round(((total - typeCount) * weight) / totalWeight))
  // Rounding may give too many or too few questions: changes random counts by one until the sum is right.
  for (let excess = sum(counts) - total; excess !== 0; excess = sum(counts) - total) {
    const index = draw.pick(counts.flatMap((count, at) => (excess < 0 || count > 1 ? [at] : [])))
    counts[index] = (counts[index] ?? 0) - Math.sign(excess)
  }
  return new Map(chosen.map((type, index) => [type, counts[index] ?? 1]))
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
