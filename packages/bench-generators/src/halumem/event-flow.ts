import type { Draw } from '../draw.ts'
import type { CareerStage } from '../material/fact-kind.ts'
import { fillTemplate } from '../material/fill-template.ts'
import type { Material } from '../material/read-material.ts'
import type { LifeSkeleton, TasteStep } from './life-skeleton.ts'
import type { Persona } from './persona.ts'
import type { LifeEvent } from './point.ts'

/** An event of a life made from templates, with what it is about. */
export type TemplateEvent = LifeEvent &
  (
    | { readonly about: 'fixed' | 'dynamic' | 'preferences' }
    | { readonly about: 'career'; readonly stage: CareerStage; readonly career: string }
    | { readonly about: 'taste'; readonly step: TasteStep }
  )

const DAY = 86_400_000
const HOUR = 3_600_000

/**
 * Stage 3 without a language model: three initial events, then the career's stages in their order with changes of
 * taste in between, some days apart.
 */
export function makeEventFlow(
  draw: Draw,
  { words, preferences }: Material,
  persona: Persona,
  { careerStages, tasteSteps }: LifeSkeleton,
): TemplateEvent[] {
  let at = persona.startsAt
  const next = (days: number): number => {
    at += days * DAY
    return at + draw.whole(7, 20) * HOUR + draw.whole(0, 3_599) * 1_000
  }
  const init = (['fixed', 'dynamic', 'preferences'] as const).map((about): TemplateEvent => {
    const name = words.eventNames[about]
    return { kind: 'init', name, at: next(1), description: name, about }
  })
  const stages = [...careerStages]
  const steps = [...tasteSteps]
  const later: TemplateEvent[] = []
  while (stages.length + steps.length > 0) {
    const isCareer = draw.whole(1, stages.length + steps.length) <= stages.length
    const days = draw.whole(3, 9)
    const career = isCareer ? stages.shift() : undefined
    if (career !== undefined) {
      const { stage, career: arc } = career
      const description = fillTemplate(stage.memory, { who: persona.name })
      const name = `${arc.name}: ${stage.name}`
      later.push({
        kind: 'career',
        name,
        at: next(days),
        description,
        about: 'career',
        stage,
        career: arc.id,
      })
      continue
    }
    const step = steps.shift()
    if (step === undefined) continue
    const label = preferences.categories.find(({ id }) => id === step.category)?.label ?? step.category
    const name = fillTemplate(words.eventNames.modify, { label })
    later.push({ kind: 'daily', name, at: next(days), description: name, about: 'taste', step })
  }
  return [...init, ...later]
}
