import { seededDraw } from '@keepsake/bench/parts'
import { GenerateError } from '../generate-error.ts'
import type { Split, TalkLanguage } from '../material/fact-kinds.ts'
import { readMaterial } from '../material/read-material.ts'
import { Voice } from '../material/voice.ts'
import { makeLife, type LifeEvent } from './make-life.ts'
import { PersonFacts } from './person-facts.ts'
import { describePersona, makePersona } from './persona.ts'
import { halumemUserSchema, type HalumemUser } from './published-form.ts'
import { makeSessionPoints } from './session-points.ts'
import { writeSessions } from './write-sessions.ts'

export interface HalumemOptions {
  /** A whole number from 0: the same seed gives the same users. */
  readonly seed: number
  /** Default 5. */
  readonly users?: number | undefined
  /** Sessions of each user without inserted ones, from 5 to 70. The published set HaluMem-Medium has 70. Default 20. */
  readonly sessions?: number | undefined
  readonly language: TalkLanguage
  /** Whether irrelevant talk is inserted into sessions and between them, as in HaluMem-Long. Default false. */
  readonly isLong?: boolean
  /** Which sentences the templates may use. Default `test`. */
  readonly split?: Split
}

export interface GeneratedHalumem {
  readonly users: readonly HalumemUser[]
  /** Ids of the templates that were used. */
  readonly templates: readonly string[]
}

const SESSIONS = { least: 5, most: 70 } as const
const DEFAULT_USERS = 5
const DEFAULT_SESSIONS = 20

/** Makes a set in HaluMem's published form by its six stages: persona, life, events, memory points, dialogues, questions (section 4). */
export function generateHalumem(options: HalumemOptions): GeneratedHalumem {
  const { users: count = DEFAULT_USERS, sessions = DEFAULT_SESSIONS } = options
  if (!Number.isInteger(sessions) || sessions < SESSIONS.least || sessions > SESSIONS.most)
    throw new GenerateError(
      `${sessions} sessions cannot be made: ask for ${SESSIONS.least} to ${SESSIONS.most}.`,
    )
  if (count < 1) throw new GenerateError(`${count} users cannot be made: ask for 1 or more.`)
  const generated = Array.from({ length: count }, (_, userIndex) => makeUser(options, sessions, userIndex))
  return {
    users: generated.map(({ user }) => user),
    templates: [...new Set(generated.flatMap(({ templates }) => templates))].sort(),
  }
}

/** Makes one user in all six stages. The index varies the seed. */
function makeUser(
  { seed, language, isLong = false, split = 'test' }: HalumemOptions,
  sessionCount: number,
  userIndex: number,
) {
  const material = readMaterial(language)
  const draw = seededDraw(seed, userIndex)
  const persona = makePersona(draw, material)
  const events = makeLife(draw, material, persona, sessionCount)
  const slots = { who: persona.name, first: persona.firstName }
  const voice = new Voice({ draw, material, split, slots })
  const facts = new PersonFacts(voice, persona.preferences)
  const proposals = draw.shuffled(material.words.proposalValues)
  const context = { voice, persona, facts, proposals }
  const makePoints = (event: LifeEvent) => makeSessionPoints(context, event)
  const sessions = writeSessions({ voice, isLong, makePoints }, events)
  const user = halumemUserSchema.parse({
    uuid: persona.uuid,
    language,
    persona_info: describePersona(persona),
    sessions,
  })
  return { user, templates: [...voice.used] }
}
