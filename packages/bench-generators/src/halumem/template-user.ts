import { seededDraw } from '@keepsake/bench/parts'
import { Voice } from '../material/voice.ts'
import { makeLife } from './make-life.ts'
import { PersonFacts } from './person-facts.ts'
import { describePersona, makePersona } from './persona.ts'
import { makeSessionPoints } from './session-points.ts'
import type { MadeUser, UserOptions } from './user-options.ts'
import { writeUser } from './write-user.ts'

/** All six stages for one person, without a language model. */
export function templateUser({ seed, place, sessions, split, variant, material }: UserOptions): MadeUser {
  const draw = seededDraw(seed, place)
  const persona = makePersona(draw, material)
  const events = makeLife(draw, material, persona, sessions)
  const slots = { who: persona.name, first: persona.firstName }
  const voice = new Voice({ draw, material, split, slots })
  const facts = new PersonFacts(voice, persona.preferences)
  const proposals = draw.shuffled(material.words.proposalValues)
  const context = { voice, persona, facts, proposals }
  return writeUser(
    voice,
    { uuid: persona.uuid, personaInfo: describePersona(persona), variant },
    events.map((event) => ({ event, points: () => makeSessionPoints(context, event) })),
  )
}
