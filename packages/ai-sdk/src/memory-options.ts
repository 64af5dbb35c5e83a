import { InvalidInputError, type CountTokens, type Recall } from 'keepsake'
import { z } from 'zod'

/** The step of a call in which memory failed. */
export type MemoryStep = 'recall' | 'remember'

/** Options of a model with memory. */
export interface MemoryOptions {
  /** The session. Default: the running one. For one call: `providerOptions: { keepsake: { session: 'chat-42' } }`. */
  readonly session?: string
  /** Token budget of recalled memories. Default: 1,000. */
  readonly tokens?: number
  /** Maximum recalled memories. Default: the preset's number. */
  readonly limit?: number
  /** `false` leaves out the profile (who the user is, what to mind, what goes on now), which precedes recalled memories. */
  readonly profile?: boolean
  /** `false` leaves out the agent's blocks, which precede recalled memories. */
  readonly blocks?: boolean
  /** `false` switches recall off. */
  readonly recall?: boolean
  /** `false` switches remembering off. For one call: `providerOptions: { keepsake: { remember: false } }`. */
  readonly remember?: boolean
  /** `beside` (default): a new system message, which keeps prompt caches valid. `within`: the end of the last one. */
  readonly place?: 'beside' | 'within'
  /** Writes the message that contains the recalled memories. Default: `memoryMessage`. */
  readonly message?: (context: string, recall: Recall) => string
  /** Selects the text of an answer to remember, such as one field of structured output; `null` for none. Default: all. */
  readonly answer?: (text: string) => string | null
  /** The user's name, stored as the speaker of their turns, for conversations of several users. */
  readonly speaker?: string
  /** The agent's name, stored as the speaker of its turns. */
  readonly agent?: string
  /** The user's time zone, an IANA name. It decides which days "last week" means. */
  readonly timeZone?: string
  /** Maximum time of a recall in milliseconds; the call then continues without memory. Default: 5,000. */
  readonly timeoutMs?: number
  /** Counts tokens for the budget. Default: the memory's own counter. */
  readonly countTokens?: CountTokens
  /** Secret key of the digests in turn ids, which outlive erasures: without it, guesses of erased texts can be tested. */
  readonly idSecret?: string
  /** Called when memory fails; the call itself continues. Default: a warning of the process. */
  readonly onError?: (error: unknown, step: MemoryStep) => void
  /** Returns the current time, in milliseconds since 1970. */
  readonly now?: () => number
}

const nameSchema = z.string().trim().min(1).max(512)
const functionSchema = z.custom((value) => typeof value === 'function', 'must be a function')
const optionsSchema = z.strictObject({
  session: nameSchema.optional(),
  tokens: z.int().min(1).max(1_000_000).optional(),
  limit: z.int().min(1).max(1_000).optional(),
  profile: z.boolean().optional(),
  blocks: z.boolean().optional(),
  recall: z.boolean().optional(),
  remember: z.boolean().optional(),
  place: z.enum(['beside', 'within']).optional(),
  message: functionSchema.optional(),
  answer: functionSchema.optional(),
  speaker: nameSchema.optional(),
  agent: nameSchema.optional(),
  timeZone: nameSchema.optional(),
  timeoutMs: z.int().min(1).max(600_000).optional(),
  countTokens: functionSchema.optional(),
  idSecret: z.string().min(1).optional(),
  onError: functionSchema.optional(),
  now: functionSchema.optional(),
})

/** Settings of one call under `providerOptions.keepsake`. */
const callSchema = z.strictObject({ session: nameSchema.optional(), remember: z.boolean().optional() })

export type CallSettings = z.infer<typeof callSchema>

/** Leaves out fields that are `undefined`. The engine's optional fields accept no `undefined`. */
export function withoutUndefined<Fields extends object>(fields: Fields) {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> }
}

function issuesOf(error: z.ZodError): string {
  return error.issues
    .map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`))
    .join('; ')
}

/** Checks options. @throws InvalidInputError that names each invalid option */
export function checkOptions(options: MemoryOptions, caller: string): MemoryOptions {
  const parsed = optionsSchema.safeParse(options)
  if (parsed.success) return options
  throw new InvalidInputError(`${caller} got invalid options. ${issuesOf(parsed.error)}.`)
}

/** Reads the settings of one call. @throws InvalidInputError */
export function readCallSettings(providerOptions: unknown): CallSettings {
  if (typeof providerOptions !== 'object' || providerOptions === null) return {}
  const settings: unknown = Reflect.get(providerOptions, 'keepsake')
  if (settings === undefined) return {}
  const parsed = callSchema.safeParse(settings)
  if (parsed.success) return parsed.data
  throw new InvalidInputError(
    `providerOptions.keepsake is invalid. ${issuesOf(parsed.error)}. This call continued without memory.`,
  )
}
