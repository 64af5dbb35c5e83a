// Reads the probabilities of a prompt's tokens from a server's answer.
import { z } from 'zod'

/** The prompt's tokens in a server's answer, without the generated ones. */
export interface PromptTokens {
  /** `null` for a hidden token. */
  readonly tokens: readonly (string | null)[]
  /** ln p of each token. The first has none. */
  readonly logProbabilities: readonly (number | null)[]
  readonly offsets?: readonly number[]
}

const logprobsSchema = z.object({
  tokens: z.array(z.string()),
  token_logprobs: z.array(z.number().nullable()),
  // Servers that do not compute offsets send −1 for each token.
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

/** Reads the prompt that OpenAI's interface echoes; `null` if the answer has only generated text. */
export function readEcho(body: unknown, prompt: string): PromptTokens | null {
  const parsed = echoSchema.safeParse(body)
  if (!parsed.success) return null
  const { choices, usage } = parsed.data
  const { text, logprobs } = choices[0]
  // Without a count of generated tokens, an echo longer than the prompt ends in one generated token.
  const generated = usage?.completion_tokens ?? (text === prompt ? 0 : 1)
  const count = logprobs.tokens.length - generated
  if (count <= 0 || logprobs.token_logprobs.length !== logprobs.tokens.length) return null
  return {
    tokens: logprobs.tokens.slice(0, count),
    logProbabilities: logprobs.token_logprobs.slice(0, count),
    ...(logprobs.text_offset && { offsets: logprobs.text_offset.slice(0, count) }),
  }
}

/** Reads vLLM's `prompt_logprobs`, which has no probability for the first token; `null` if it lists alternatives of tokens. */
export function readPromptProbabilities(body: unknown): PromptTokens | null {
  const parsed = promptSchema.safeParse(body)
  if (!parsed.success) return null
  const tokens: (string | null)[] = []
  const logProbabilities: (number | null)[] = []
  for (const entry of parsed.data.choices[0].prompt_logprobs) {
    const alternatives = Object.values(entry ?? {})
    if (alternatives.length > 1) return null
    tokens.push(alternatives[0]?.decoded_token ?? null)
    logProbabilities.push(alternatives[0]?.logprob ?? null)
  }
  return tokens.length === 0 ? null : { tokens, logProbabilities }
}
