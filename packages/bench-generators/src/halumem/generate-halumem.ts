import { seededDraw } from '@keepsake/bench/parts'
import type { LanguageModel } from 'keepsake'
import { GenerateError } from '../generate-error.ts'
import { readMaterial } from '../material/read-material.ts'
import type { Split, TalkLanguage } from '../material/fact-kinds.ts'
import { Voice } from '../material/voice.ts'
import { makeLife } from './make-life.ts'
import { modelUser, type Failure, type ModelUserOutcome } from './model-user.ts'
import { PersonFacts } from './person-facts.ts'
import { describePersona, makePersona } from './persona.ts'
import { halumemUserSchema, type HalumemUser } from './published-form.ts'
import { makeSessionPoints } from './session-points.ts'
import type { HalumemVariant, GeneratedUser, PointValue, UserOptions } from './user-options.ts'
import { writeUser } from './write-user.ts'

export interface HalumemOptions {
  /** A whole number from 0: the same seed gives the same users. */
  readonly seed: number
  /** Default 5. */
  readonly users?: number | undefined
  /** Sessions of each user, from 5 to 70; the published Medium variant has about 70. The Long variant adds more. Default 65 with a model, 20 without. */
  readonly sessions?: number | undefined
  readonly language: TalkLanguage
  /** `long` inserts irrelevant talk into sessions and between them. Default `medium`. */
  readonly variant?: HalumemVariant
  /** The model that writes the set. Absent: it is written from templates. */
  readonly model?: LanguageModel | undefined
  /** The sentences that templates use. Default `test`. */
  readonly split?: Split
  readonly onProgress?: (done: number, of: number) => void
}

export interface GeneratedHalumem {
  readonly users: readonly HalumemUser[]
  /** Ids of the templates that were used; empty with a model. */
  readonly templates: readonly string[]
  /** The values of each point; empty with a model. */
  readonly values: readonly PointValue[]
  /** The parts that a model could not make, and why. */
  readonly failures: readonly Failure[]
}

const SESSIONS = { min: 5, max: 70 } as const
const DEFAULT_USERS = 5
const DEFAULT_SESSIONS = { byModel: 65, byTemplates: 20 } as const

/** Makes a set in HaluMem's published form by its six stages: persona, life, events, memory points, dialogues, questions (section 4). */
export async function generateHalumem(options: HalumemOptions): Promise<GeneratedHalumem> {
  const { seed, language, split = 'test', variant = 'medium' } = options
  const { users: count = DEFAULT_USERS, model } = options
  const { sessions = DEFAULT_SESSIONS[model === undefined ? 'byTemplates' : 'byModel'] } = options
  if (!Number.isInteger(sessions) || sessions < SESSIONS.min || sessions > SESSIONS.max)
    throw new GenerateError(
      `${sessions} sessions cannot be made: ask for ${SESSIONS.min} to ${SESSIONS.max}.`,
    )
  if (count < 1) throw new GenerateError(`${count} users cannot be made: ask for 1 or more.`)
  const common = { seed, sessions, split, variant, material: readMaterial(language) }
  const outcomes: ModelUserOutcome[] = []
  for (let userIndex = 0; userIndex < count; userIndex += 1) {
    outcomes.push(await makeUser(options, { ...common, userIndex }))
    options.onProgress?.(userIndex + 1, count)
  }
  const generated = outcomes.flatMap(({ user }) => user ?? [])
  return {
    users: generated.map(({ user: { uuid, ...rest } }) =>
      halumemUserSchema.parse({ uuid, language, ...rest }),
    ),
    templates: [...new Set(generated.flatMap(({ templates }) => templates))].sort(),
    values: generated.flatMap(({ values }) => values),
    failures: outcomes.flatMap(({ failures }) => failures),
  }
}

function makeUser({ model }: HalumemOptions, common: UserOptions): Promise<ModelUserOutcome> {
  return model === undefined
    ? Promise.resolve({ user: templateUser(common), failures: [] })
    : modelUser(common, model)
}

/** Makes one user without a language model, in all six stages. */
function templateUser({ seed, userIndex, sessions, split, variant, material }: UserOptions): GeneratedUser {
  const draw = seededDraw(seed, userIndex)
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
    events.map((event) => ({ event, makePoints: () => makeSessionPoints(context, event) })),
  )
}
