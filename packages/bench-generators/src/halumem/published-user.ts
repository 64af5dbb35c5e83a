import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { seededDraw } from '../draw.ts'
import { DATA_FOLDER } from '../material/data-folder.ts'
import type { Split } from '../material/fact-kind.ts'
import { says, speaker } from '../material/fill-template.ts'
import type { Material } from '../material/read-material.ts'
import { PersonFacts } from './person-facts.ts'
import { personFromFiles, planPublished } from './plan-published.ts'
import type { Point } from './point.ts'
import type { ModelStory } from './model-life.ts'
import { publishedKindsSchema, PublishedSpeech, type PublishedSpeechOptions } from './published-speech.ts'
import type { PublishedLife } from './read-published-stages.ts'
import { writeUser, type HalumemVariant, type MadeUser } from './template-user.ts'

export interface PublishedUserOptions {
  readonly seed: number
  readonly place: number
  /** At most so many sessions, the earliest. */
  readonly sessions: number
  readonly split: Split
  readonly variant: HalumemVariant
  readonly material: Material
}

const KINDS = join(DATA_FOLDER, 'published.en.json')

/**
 * Stages 4 to 6 without a language model, on a life from the published stages 1 to 3. What the agent falsely claims
 * is drawn from our own words, and never something that the files say of the person.
 */
export function publishedUser(options: PublishedUserOptions, life: PublishedLife): MadeUser {
  const { seed, place, sessions, split, material } = options
  const draw = seededDraw(seed, place)
  const person = personFromFiles(life)
  const speak = speaker(draw)
  const speech = new PublishedSpeech({ draw, speak, split, material, kinds: readKinds(), who: person.who })
  const facts = new PersonFacts({ draw, speak, split, material, who: person.who, categories: [] })
  const everything = JSON.stringify(life)
  const planned = planPublished(life, speech).slice(0, sessions)
  return writeUser(
    {
      draw,
      uuid: life.uuid,
      who: person.who,
      personaInfo: person.personaInfo,
      split,
      variant: options.variant,
      material,
    },
    planned.map(({ event, points }) => ({
      event,
      points: () => [...points(), ...claim(facts, everything)],
    })),
  )
}

/**
 * The same life for a language model: events with what they tell, in words. The words are those that template mode
 * would remember, so that both modes start from one reading of the files.
 */
export function publishedStory(
  { seed, place, split, material }: Pick<PublishedUserOptions, 'seed' | 'place' | 'split' | 'material'>,
  life: PublishedLife,
): ModelStory {
  const { who, personaInfo } = personFromFiles(life)
  const draw = seededDraw(seed, place)
  const speech = new PublishedSpeech({ draw, speak: speaker(draw), split, material, kinds: readKinds(), who })
  const events = planPublished(life, speech).map(({ event, points }) => {
    const told = points().map(({ text }) => `- ${text}`)
    return { ...event, description: [event.description, ...told].join('\n') }
  })
  return { uuid: life.uuid, who, personaInfo, persona: personaInfo, events }
}

function readKinds(): PublishedSpeechOptions['kinds'] {
  return z.record(z.string(), publishedKindsSchema).parse(JSON.parse(readFileSync(KINDS, 'utf8')))
}

function claim(facts: PersonFacts, everything: string): Point[] {
  const point = facts.falseClaim()
  return point === null || says(everything, point.value) ? [] : [point]
}
