import type { Draw } from '@keepsake/bench/parts'
import { fillTemplate } from '../material/fill-template.ts'
import type { Material } from '../material/read-material.ts'
import type { Career, CareerStage } from '../material/fact-kinds.ts'
import type { Persona } from './persona.ts'
import type { LifeEvent } from './point.ts'

/** A random change of the tastes of one category (HaluMem, stage 2). */
export interface TasteStep {
  readonly category: string
  readonly direction: 'Add' | 'Modify' | 'Delete'
}

/** An event of a life made from templates. `about` says which points it leads to. */
export type TemplateEvent = LifeEvent &
  (
    | { readonly about: 'fixed' | 'dynamic' | 'preferences' }
    | { readonly about: 'career'; readonly stage: CareerStage; readonly career: string }
    | { readonly about: 'taste'; readonly step: TasteStep }
  )

/** The first three sessions introduce the person. */
const INTRODUCTIONS = ['fixed', 'dynamic', 'preferences'] as const
/** Share of career events among the events after the introductions. The others change tastes. */
export const SHARE_OF_CAREER = 0.55
/** One is drawn, so that changes are three times as frequent as ends or additions. */
const DIRECTIONS = ['Modify', 'Modify', 'Modify', 'Delete', 'Add'] as const
/** Average distance. HaluMem's lives have about 70 sessions in ten to twenty years, and 70 × 72 days are 14 years. */
export const DAYS_PER_SESSION = 72
export const DAY_MS = 86_400_000
export const HOUR_MS = 3_600_000

/** Makes a life without a model (stages 2 and 3): three introductions, then career stages in order, mixed with changes of taste. */
export function makeLife(draw: Draw, material: Material, persona: Persona, count: number): TemplateEvent[] {
  const { careerSteps, tasteSteps } = planSteps(draw, material, persona, count - INTRODUCTIONS.length)
  const clock = makeClock(draw, persona.startsAt)
  const events = INTRODUCTIONS.map((about): TemplateEvent => {
    const name = material.words.eventNames[about]
    return { kind: 'init', name, at: clock(1), description: name, about }
  })
  while (careerSteps.length + tasteSteps.length > 0) {
    const isCareer = draw.whole(1, careerSteps.length + tasteSteps.length) <= careerSteps.length
    const days = draw.whole(DAYS_PER_SESSION / 2, (DAYS_PER_SESSION * 3) / 2)
    const careerStep = isCareer ? careerSteps.shift() : undefined
    const tasteStep = careerStep === undefined ? tasteSteps.shift() : undefined
    if (careerStep !== undefined) events.push(careerEvent(persona, careerStep, clock(days)))
    else if (tasteStep !== undefined) events.push(tasteEvent(material, tasteStep, clock(days)))
  }
  return events
}

type CareerStep = { readonly career: Career; readonly stage: CareerStage }

function planSteps(draw: Draw, { careers }: Material, { preferences }: Persona, count: number) {
  const careerSteps = draw
    .shuffled(careers)
    .flatMap((career) => career.stages.map((stage): CareerStep => ({ career, stage })))
    .slice(0, Math.round(count * SHARE_OF_CAREER))
  const tasteSteps = Array.from({ length: count - careerSteps.length }, (): TasteStep => ({
    category: draw.pick(preferences).id,
    direction: draw.pick(DIRECTIONS),
  }))
  return { careerSteps, tasteSteps }
}

/** Returns a clock: a function that goes forward by some days and returns a random time of the new day. */
function makeClock(draw: Draw, startsAt: number): (days: number) => number {
  let day = startsAt
  return (days) => {
    day += days * DAY_MS
    return day + draw.whole(7, 20) * HOUR_MS + draw.whole(0, 3_599) * 1_000
  }
}

function careerEvent(persona: Persona, { career, stage }: CareerStep, at: number): TemplateEvent {
  const { id, name: unit } = career
  const description = fillTemplate(stage.memory, { who: persona.name })
  const name = `${unit}: ${stage.name}`
  return { kind: 'career', name, at, description, unit, about: 'career', stage, career: id }
}

function tasteEvent({ words, preferences }: Material, step: TasteStep, at: number): TemplateEvent {
  const label = preferences.categories.find(({ id }) => id === step.category)?.label ?? step.category
  const name = fillTemplate(words.eventNames.modify, { label })
  return { kind: 'daily', name, at, description: name, about: 'taste', step }
}
