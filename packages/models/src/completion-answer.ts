import { z } from 'zod'

/** The prompt's tokens as a server lists them, those it generated left out. */
export interface PromptTokens {
  /** `null` where one is not shown. */
  readonly tokens: readonly (string | null)[]
  /** ln p of each; the first has none. */
  readonly logProbabilities: readonly (number | null)[]
  readonly offsets?: readonly number[]
}

const logprobsSchema = z.object({
  tokens: z.array(z.string()),
  token_logprobs: z.array(z.number().nullable()),
  // −1 throughout where a server does not reckon them.
  text_offset: z.array(z.number()).nullish(),
})
const echoSchema = z.object({
  choices: z.tuple([z.object({ text: z.string().nullish(), logprobs: logprobsSchema })], z.unknown()),
  usage: z.object({ completion_tokens: z.number().int().nonnegative().nullish() }).nullish(),
})

const entrySchema = z
  .record(z.string(), z.object({ logprob: z.number(), decoded_token: z.string() }))
  .nullable()
const promptSchema = z.object({
  choices: z.tuple([z.object({ prompt_logprobs: z.array(entrySchema) })], z.unknown()),
})

/** Reads OpenAI's echoed prompt; `null` where the answer holds none, only what was generated. */
export function readEcho(body: unknown, prompt: string): PromptTokens | null {
  const parsed = echoSchema.safeParse(body)
  if (!parsed.success) return null
  const { choices, usage } = parsed.data
  const { text, logprobs } = choices[0]
  // Where the count is missing, the text tells: an echo longer than the prompt ends in what was generated.
  const generated = usage?.completion_tokens ?? (text === prompt ? 0 : 1)
  const count = logprobs.tokens.length - generated
  if (count <= 0 || logprobs.token_logprobs.length !== logprobs.tokens.length) return null
  return {
    tokens: logprobs.tokens.slice(0, count),
    logProbabilities: logprobs.token_logprobs.slice(0, count),
    ...(logprobs.text_offset && { offsets: logprobs.text_offset.slice(0, count) }),
  }
}

/**
 * Reads vLLM's `prompt_logprobs`: for each token of the prompt its id with its probability, for the first `null`.
 * `null` where the answer has none, or alternatives among them, which say nothing of which is the prompt's.
 */
export function readPromptProbabilities(body: unknown): PromptTokens | null {
  const parsed = promptSchema.safeParse(body)
  if (!parsed.success) return null
  const tokens: (string | null)[] = []
  const logProbabilities: (number | null)[] = []
  for (const entry of parsed.data.choices[0].prompt_logprobs) {
    const [only, ...others] = Object.values(entry ?? {})
    if (others.length > 0) return null
    tokens.push(only?.decoded_token ?? null)
    logProbabilities.push(only?.logprob ?? null)
  }
  return tokens.length === 0 ? null : { tokens, logProbabilities }
}
