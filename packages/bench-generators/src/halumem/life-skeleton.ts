import type { Draw } from '../draw.ts'
import type { Career, CareerStage } from '../material/fact-kind.ts'
import type { Material } from '../material/read-material.ts'
import type { Persona } from './persona.ts'

/** How a taste develops at one step (HaluMem, stage 2: tastes evolve apart from the career, by chance). */
export interface TasteStep {
  readonly category: string
  readonly direction: 'Add' | 'Modify' | 'Delete'
}

/** The trajectory of a life: career events with their stages, and the steps of its tastes. */
export interface LifeSkeleton {
  readonly careerStages: readonly { readonly career: Career; readonly stage: CareerStage }[]
  readonly tasteSteps: readonly TasteStep[]
}

/** Career events are the backbone: over half of what comes after the first three sessions. */
const SHARE_OF_CAREER = 0.55
const DIRECTIONS = ['Modify', 'Modify', 'Modify', 'Delete', 'Add'] as const

/**
 * Stage 2 without a language model.
 *
 * @param events how many events are wanted after the initial ones
 */
export function makeSkeleton(
  draw: Draw,
  { careers }: Material,
  { preferences }: Persona,
  events: number,
): LifeSkeleton {
  const whole = draw.shuffled(careers).flatMap((career) => career.stages.map((stage) => ({ career, stage })))
  const careerStages = whole.slice(0, Math.round(events * SHARE_OF_CAREER))
  const tasteSteps = Array.from({ length: events - careerStages.length }, () => ({
    category: draw.pick(preferences).id,
    direction: draw.pick(DIRECTIONS),
  }))
  return { careerStages, tasteSteps }
}
