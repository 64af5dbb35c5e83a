import { seededDraw } from '@keepsake/bench/parts'
import { says } from '../../material/fill-template.ts'
import { Voice } from '../../material/voice.ts'
import type { ModelStory } from '../model-life.ts'
import { PersonFacts } from '../person-facts.ts'
import type { MadeUser, UserOptions } from '../user-options.ts'
import { writeUser } from '../write-user.ts'
import { personFromFiles, planPublished } from './plan-published.ts'
import { PublishedSpeech } from './published-speech.ts'
import type { PublishedLife } from './read-published-stages.ts'

type VoiceSource = Pick<UserOptions, 'seed' | 'place' | 'split' | 'material'>

/**
 * Stages 4 to 6 without a language model, on a life from the published stages 1 to 3. What the agent falsely claims
 * is drawn from our own words, and never something that the files say of the person.
 */
export function publishedUser(options: UserOptions, life: PublishedLife): MadeUser {
  const { personaInfo } = personFromFiles(life)
  const voice = voiceOf(options, life)
  const facts = new PersonFacts(voice, [])
  const everything = JSON.stringify(life)
  const claims = () => {
    const claim = facts.falseClaim()
    return claim === null || says(everything, claim.value) ? [] : [claim]
  }
  const planned = planPublished(life, new PublishedSpeech(voice)).slice(0, options.sessions)
  return writeUser(
    voice,
    { uuid: life.uuid, personaInfo, variant: options.variant },
    planned.map(({ event, points }) => ({ event, points: () => [...points(), ...claims()] })),
  )
}

/**
 * The same life for a language model: events with what they tell, in words. The words are those that template mode
 * would remember, so that both modes start from one reading of the files.
 */
export function publishedStory(source: VoiceSource, life: PublishedLife): ModelStory {
  const { who, personaInfo } = personFromFiles(life)
  const speech = new PublishedSpeech(voiceOf(source, life))
  const events = planPublished(life, speech).map(({ event, points }) => {
    const told = points().map(({ text }) => `- ${text}`)
    return { ...event, description: [event.description, ...told].join('\n') }
  })
  return { uuid: life.uuid, who, personaInfo, persona: personaInfo, events }
}

function voiceOf({ seed, place, split, material }: VoiceSource, life: PublishedLife): Voice {
  const { who } = personFromFiles(life)
  return new Voice({ draw: seededDraw(seed, place), material, split, slots: { who } })
}
