import type { Draw } from '@keepsake/bench/parts'
import type { LifeEvent } from './point.ts'
import { QUESTION_TYPES, type QuestionType } from './published-form.ts'

const TYPES: Readonly<Record<LifeEvent['kind'], readonly QuestionType[]>> = {
  init: ['Basic Fact Recall', 'Memory Boundary', 'Memory Conflict'],
  daily: ['Basic Fact Recall', 'Memory Boundary', 'Generalization & Application', 'Memory Conflict'],
  career: QUESTION_TYPES,
}

/** Defaults of the published script: questions of a one-stage event, more for each further stage, types, weights of types. */
const BASE_COUNT = 3
const PER_STAGE = { least: 1, most: 3 } as const
const TYPE_COUNT = { least: 2, most: 4 } as const
const TYPE_WEIGHT = { least: 1, most: 3 } as const

/** Decides how many questions of which types an event gets (HaluMem, stage 6). The numbers are those of the published script. */
export function allocateQuestions(
  draw: Draw,
  { kind, stages, possible }: { kind: LifeEvent['kind']; stages: number; possible?: readonly QuestionType[] },
): Map<QuestionType, number> {
  const allowed = TYPES[kind].filter((type) => possible?.includes(type) ?? true)
  if (allowed.length === 0) return new Map()
  const wanted = Math.round(BASE_COUNT + draw.real(PER_STAGE.least, PER_STAGE.most) * (stages - 1))
  const typeCount = Math.min(draw.whole(TYPE_COUNT.least, TYPE_COUNT.most), wanted, allowed.length)
  const chosen = draw.shuffled(allowed).slice(0, typeCount)
  const weights = chosen.map(() => draw.real(TYPE_WEIGHT.least, TYPE_WEIGHT.most))
  const totalWeight = weights.reduce((sum, weight) => sum + weight, 0)
  const counts = weights.map((weight) => 1 + Math.round(((wanted - typeCount) * weight) / totalWeight))
  // Rounding may give too many or too few: changes random counts by one until the sum is right.
  for (let excess = sum(counts) - wanted; excess !== 0; excess = sum(counts) - wanted) {
    const index = draw.pick(counts.flatMap((count, at) => (excess < 0 || count > 1 ? [at] : [])))
    counts[index] = (counts[index] ?? 0) - Math.sign(excess)
  }
  return new Map(chosen.map((type, index) => [type, counts[index] ?? 1]))
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
