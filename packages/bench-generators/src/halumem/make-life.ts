import type { Draw } from '@keepsake/bench/parts'
import { fillTemplate } from '../material/fill-template.ts'
import type { Material } from '../material/read-material.ts'
import type { CareerStage } from '../material/fact-kinds.ts'
import type { Persona } from './persona.ts'
import type { LifeEvent } from './point.ts'

/** How a taste develops at one step (HaluMem, stage 2: tastes evolve apart from the career, by chance). */
export interface TasteStep {
  readonly category: string
  readonly direction: 'Add' | 'Modify' | 'Delete'
}

/** An event of a life made from templates, with what it is about. */
export type TemplateEvent = LifeEvent &
  (
    | { readonly about: 'fixed' | 'dynamic' | 'preferences' }
    | { readonly about: 'career'; readonly stage: CareerStage; readonly career: string }
    | { readonly about: 'taste'; readonly step: TasteStep }
  )

/** The first three sessions introduce the person. */
const INTRODUCTIONS = ['fixed', 'dynamic', 'preferences'] as const
/** Career events are the backbone: over half of what comes after the introductions. */
const SHARE_OF_CAREER = 0.55
const DIRECTIONS = ['Modify', 'Modify', 'Modify', 'Delete', 'Add'] as const
/** HaluMem: some seventy sessions over ten to twenty years. */
export const DAYS_A_SESSION = 72
const DAY = 86_400_000
const HOUR = 3_600_000

/**
 * Stages 2 and 3 without a language model: the introductions, then the stages of careers in their order with changes of taste in between,
 * some months apart.
 *
 * @param count how many events are wanted
 */
export function makeLife(draw: Draw, material: Material, persona: Persona, count: number): TemplateEvent[] {
  const { words, preferences, careers } = material
  const later = count - INTRODUCTIONS.length
  const stages = draw
    .shuffled(careers)
    .flatMap((career) => career.stages.map((stage) => ({ career, stage })))
    .slice(0, Math.round(later * SHARE_OF_CAREER))
  const steps = Array.from({ length: later - stages.length }, (): TasteStep => ({
    category: draw.pick(persona.preferences).id,
    direction: draw.pick(DIRECTIONS),
  }))
  let day = persona.startsAt
  const after = (days: number): number => {
    day += days * DAY
    return day + draw.whole(7, 20) * HOUR + draw.whole(0, 3_599) * 1_000
  }
  const events = INTRODUCTIONS.map((about): TemplateEvent => {
    const name = words.eventNames[about]
    return { kind: 'init', name, at: after(1), description: name, about }
  })
  while (stages.length + steps.length > 0) {
    const isCareer = draw.whole(1, stages.length + steps.length) <= stages.length
    const days = draw.whole(DAYS_A_SESSION / 2, (DAYS_A_SESSION * 3) / 2)
    const next = isCareer ? stages.shift() : undefined
    const step = next === undefined ? steps.shift() : undefined
    if (next !== undefined) {
      const { career, stage } = next
      const name = `${career.name}: ${stage.name}`
      const description = fillTemplate(stage.memory, { who: persona.name })
      const about = { about: 'career', stage, career: career.id } as const
      const unit = career.name
      events.push({ kind: 'career', name, at: after(days), description, unit, ...about })
    } else if (step !== undefined) {
      const label = preferences.categories.find(({ id }) => id === step.category)?.label ?? step.category
      const name = fillTemplate(words.eventNames.modify, { label })
      events.push({ kind: 'daily', name, at: after(days), description: name, about: 'taste', step })
    }
  }
  return events
}
