import type { LanguageModel } from 'keepsake'
import { requireModel } from '../ask-checked.ts'
import { GenerateError } from '../generate-error.ts'
import { readMaterial } from '../material/read-material.ts'
import type { Split, TalkLanguage } from '../material/told-kind.ts'
import { modelUser, type Failure, type ModelUserOutcome } from './model-user.ts'
import { halumemUserSchema, type HalumemUser } from './published-form.ts'
import { publishedStory, publishedUser } from './published/published-user.ts'
import { readPublishedStages, type PublishedLife } from './published/read-published-stages.ts'
import { templateUser } from './template-user.ts'
import type { HalumemVariant, SaidValue, UserOptions } from './user-options.ts'

export interface HalumemOptions {
  /** A whole number from 0: the same seed gives the same users. */
  readonly seed: number
  /** Default 5; with `from`, as many as its files hold. */
  readonly users?: number
  /** Sessions of each user before the Long variant's are put in, from 5 to 40. Default 20;
   * with `from`, one for each event of its files. */
  readonly sessions?: number
  readonly language: TalkLanguage
  /** `long` puts irrelevant talk into sessions and between them. Default `medium`. */
  readonly variant?: HalumemVariant
  readonly mode: 'template' | 'model'
  /** Needed in the mode `model`. */
  readonly model?: LanguageModel
  /** Which sentences templates draw from. Default `test`. */
  readonly split?: Split
  /** A folder with the published files of stages 1 to 3: only stages 4 to 6 are made then. */
  readonly from?: string
  readonly onProgress?: (done: number, of: number) => void
}

export interface GeneratedHalumem {
  readonly users: readonly HalumemUser[]
  /** Ids of the templates that were used; empty with a model. */
  readonly templates: readonly string[]
  /** What each point was said with; empty with a model. */
  readonly values: readonly SaidValue[]
  /** What a model could not make, and why. */
  readonly failures: readonly Failure[]
}

const SESSIONS = { least: 5, most: 40 } as const
/** Published lives have about seventy events. */
const MOST_PUBLISHED = 500
const DEFAULT_USERS = 5
const DEFAULT_SESSIONS = 20

/**
 * Makes a set in HaluMem's published form by its six stages (HaluMem, section 4): persona, life skeleton, event
 * flow, memory points, dialogues with what the agent falsely claims, and questions of six types.
 *
 * @throws GenerateError for a number of sessions or users that cannot be made, a missing model, files of stages 1 to
 * 3 that cannot be read, or a template session that does not say what it should.
 * @example
 * const { users } = await generateHalumem({ seed: 1, language: 'en', mode: 'template' })
 */
export async function generateHalumem(options: HalumemOptions): Promise<GeneratedHalumem> {
  const { seed, language, from, split = 'test', variant = 'medium' } = options
  const most = from === undefined ? SESSIONS.most : MOST_PUBLISHED
  const sessions = options.sessions ?? (from === undefined ? DEFAULT_SESSIONS : MOST_PUBLISHED)
  if (!Number.isInteger(sessions) || sessions < SESSIONS.least || sessions > most)
    throw new GenerateError(`${sessions} sessions cannot be made: ask for ${SESSIONS.least} to ${most}.`)
  const lives = from === undefined ? null : readPublishedStages(from)
  if (lives !== null && language !== 'en')
    throw new GenerateError(`The files in ${from ?? ''} are in English: generate with the language "en".`)
  const count = options.users ?? lives?.length ?? DEFAULT_USERS
  if (count < 1 || (lives !== null && count > lives.length))
    throw new GenerateError(
      `${count} users cannot be made: ask for 1 to ${lives?.length ?? 'as many as you like'}.`,
    )
  const common = { seed, sessions, split, variant, material: readMaterial(language) }
  const outcomes: ModelUserOutcome[] = []
  for (let place = 0; place < count; place += 1) {
    outcomes.push(await makeUser(options, { ...common, place }, lives?.[place]))
    options.onProgress?.(place + 1, count)
  }
  const made = outcomes.flatMap(({ user }) => user ?? [])
  return {
    users: made.map(({ user: { uuid, ...rest } }) => halumemUserSchema.parse({ uuid, language, ...rest })),
    templates: [...new Set(made.flatMap(({ templates }) => templates))].sort(),
    values: made.flatMap(({ values }) => values),
    failures: outcomes.flatMap(({ failures }) => failures),
  }
}

async function makeUser(
  { mode, model }: HalumemOptions,
  common: UserOptions,
  life: PublishedLife | undefined,
): Promise<ModelUserOutcome> {
  if (mode === 'template') {
    const user = life === undefined ? templateUser(common) : publishedUser(common, life)
    return { user, failures: [] }
  }
  const story = life === undefined ? null : publishedStory(common, life)
  return modelUser({ ...common, model: requireModel(model), story })
}
