import { InvalidInputError, type CountTokens, type Recall } from 'keepsake'
import { z } from 'zod'

/** What a memory could not do in a call. */
export type MemoryStep = 'recall' | 'remember'

/** How a model is given memory. */
export interface MemoryOptions {
  /**
   * The session that the talk belongs to. Without one, a silence longer than the preset's gap starts a new one. A call
   * may name its own: `providerOptions: { keepsake: { session: 'chat-42' } }`.
   */
  readonly session?: string
  /** Token budget of what is recalled; 1,000 when absent. */
  readonly tokens?: number
  /** Memories to recall at most; the preset's own number when absent. */
  readonly limit?: number
  /** `false`: the profile (who the user is, what to mind, what goes on now) does not stand ahead of what is recalled. */
  readonly profile?: boolean
  /** `false`: the agent's blocks do not stand ahead of what is recalled. */
  readonly blocks?: boolean
  /** `false`: nothing is recalled. */
  readonly recall?: boolean
  /** `false`: nothing is remembered. A call may say so for itself: `providerOptions: { keepsake: { remember: false } }`. */
  readonly remember?: boolean
  /**
   * Where what is recalled goes. `beside` (the default) is a system message of its own after the caller's, which leaves
   * those as they are for a provider's prompt cache; `within` ends the caller's last one, for models whose template takes
   * a single system message.
   */
  readonly place?: 'beside' | 'within'
  /** The words around what is recalled. `memoryMessage` when absent. */
  readonly message?: (context: string, recall: Recall) => string
  /** What of an answer is remembered, such as one field of structured output; `null`: nothing. The whole text when absent. */
  readonly answer?: (text: string) => string | null
  /** The user's name, kept as the speaker of their turns, when several people talk. */
  readonly speaker?: string
  /** The agent's name, kept as the speaker of its turns. */
  readonly agent?: string
  /** The user's time zone, an IANA name. "Last week" is read in it. */
  readonly timeZone?: string
  /** How long a call waits for recall, in milliseconds; then it goes on without. 5,000 when absent. */
  readonly timeoutMs?: number
  /** Counts tokens for the budget; the memory's own counter when absent. */
  readonly countTokens?: CountTokens
  /**
   * Keys the digests that turns' ids are made of. Ids outlast an erasure: without a secret, who has the file can test a
   * guess of what an erased turn said. Keep it the same, or turns sent again are stored again.
   */
  readonly idSecret?: string
  /** Told when memory failed; the call itself goes on. A warning of the process when absent. */
  readonly onError?: (error: unknown, step: MemoryStep) => void
  /** The clock: milliseconds since 1970. */
  readonly now?: () => number
}

const name = z.string().trim().min(1).max(512)
const anyFunction = z.custom((value) => typeof value === 'function', 'must be a function')
const optionsSchema = z.strictObject({
  session: name.optional(),
  tokens: z.int().min(1).max(1_000_000).optional(),
  limit: z.int().min(1).max(1_000).optional(),
  profile: z.boolean().optional(),
  blocks: z.boolean().optional(),
  recall: z.boolean().optional(),
  remember: z.boolean().optional(),
  place: z.enum(['beside', 'within']).optional(),
  message: anyFunction.optional(),
  answer: anyFunction.optional(),
  speaker: name.optional(),
  agent: name.optional(),
  timeZone: name.optional(),
  timeoutMs: z.int().min(1).max(600_000).optional(),
  countTokens: anyFunction.optional(),
  idSecret: z.string().min(1).optional(),
  onError: anyFunction.optional(),
  now: anyFunction.optional(),
})

/** What one call may say for itself under `providerOptions.keepsake`. */
const callSchema = z.strictObject({ session: name.optional(), remember: z.boolean().optional() })

export type CallSettings = z.infer<typeof callSchema>

function issuesOf(error: z.ZodError): string {
  return error.issues
    .map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`))
    .join('; ')
}

/** Checks options once, where they are given. @throws InvalidInputError naming each that is wrong. */
export function checkOptions(options: MemoryOptions, caller: string): MemoryOptions {
  const parsed = optionsSchema.safeParse(options)
  if (parsed.success) return options
  throw new InvalidInputError(`${caller} got invalid options. ${issuesOf(parsed.error)}.`)
}

/** What a call says for itself. @throws InvalidInputError */
export function readCallSettings(providerOptions: unknown): CallSettings {
  if (typeof providerOptions !== 'object' || providerOptions === null) return {}
  const given: unknown = Reflect.get(providerOptions, 'keepsake')
  if (given === undefined) return {}
  const parsed = callSchema.safeParse(given)
  if (parsed.success) return parsed.data
  throw new InvalidInputError(
    `providerOptions.keepsake is invalid. ${issuesOf(parsed.error)}. This call continued without memory.`,
  )
}
