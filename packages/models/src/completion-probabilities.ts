// Reads probabilities of tokens from a server with OpenAI's completions interface.
import { ModelError } from '@keepsake/text'
import { findTextTokens } from './find-text-tokens.ts'
import type { TokenProbabilityModel } from './token-probabilities.ts'
import { readEcho, readPromptProbabilities, type PromptTokens } from './completion-answer.ts'
import { postCompletion, type CompletionTarget } from './post-completion.ts'

/** Options of `completionProbabilities()`. */
export interface CompletionProbabilitiesOptions {
  /** The server's base URL, such as `http://localhost:8000/v1`, or the URL of its `/completions`. */
  readonly url: string
  readonly model: string
  /** Sent as a bearer token. */
  readonly apiKey?: string
  /** Replaces the runtime's `fetch`, for proxies and tests. */
  readonly fetch?: typeof globalThis.fetch
  /** Time limit of one request in milliseconds. Default 60,000. */
  readonly timeoutMs?: number
}

/** The form in which a server returns the probabilities of a prompt. */
type Form = 'echo' | 'prompt'

/** Request fields of each form. */
const REQUEST_FIELDS = { echo: { echo: true, logprobs: 1 }, prompt: { prompt_logprobs: 0 } } as const
const READERS = { echo: readEcho, prompt: readPromptProbabilities } as const

/**
 * Reads token probabilities from a server with OpenAI's `/v1/completions`. The server either echoes the prompt with `logprobs`
 * (vLLM, SGLang, llama-cpp-python's server), or returns vLLM's `prompt_logprobs`. If the first form is refused or empty, the
 * second is tried. The form that works is remembered. llama.cpp's own `llama-server` and hosted chat models support neither
 * and end in a ModelError. llama-cpp-python needs `logits_all`, and is off by one token for models without a start token.
 *
 * Each non-empty text takes one request. A token across the border between `before` and the text belongs to the text if at
 * least half of its characters do (find-text-tokens.ts). Text of the conversation is sent to the server, but is in no error.
 *
 * @throws ModelError from `logProbabilities`. It is retryable after 429, 5xx, a timeout or a network failure, with
 *   `retryAfterMs` if the server sends it.
 * @example
 * completionProbabilities({ url: 'http://localhost:8000/v1', model: 'gpt2-large' })
 */
export function completionProbabilities(options: CompletionProbabilitiesOptions): TokenProbabilityModel {
  const target: CompletionTarget = {
    id: `completions/${options.model}`,
    url: addressOf(options.url),
    apiKey: options.apiKey,
    fetch: options.fetch ?? globalThis.fetch,
    timeoutMs: options.timeoutMs ?? 60_000,
  }
  let workingForm: Form | undefined

  return {
    id: target.id,
    async logProbabilities(text, { before, abortSignal }) {
      if (text === '') return []
      const attempt = (form: Form) =>
        requestTokens(form, { target, model: options.model, prompt: before + text, abortSignal })
      const outcome =
        workingForm === undefined
          ? await tryForms(attempt)
          : { form: workingForm, ...(await attempt(workingForm)) }
      if (outcome.kind === 'refused') throw outcome.error
      workingForm = outcome.form
      return probabilitiesOf(target.id, outcome.tokens, before, text)
    },
  }
}

interface Request {
  readonly target: CompletionTarget
  readonly model: string
  readonly prompt: string
  readonly abortSignal: AbortSignal | undefined
}

type Outcome =
  | { readonly kind: 'tokens'; readonly tokens: PromptTokens }
  | { readonly kind: 'refused'; readonly error: ModelError }

async function requestTokens(form: Form, { target, model, prompt, abortSignal }: Request): Promise<Outcome> {
  // One token is generated and dropped, because some servers refuse or misread `max_tokens: 0`.
  const body = { model, prompt, max_tokens: 1, temperature: 1, stream: false, ...REQUEST_FIELDS[form] }
  const answer = await postCompletion(target, body, abortSignal)
  if (answer.kind === 'refused') return answer
  const tokens = READERS[form](answer.body, prompt)
  return tokens === null ? { kind: 'refused', error: noProbabilities(target.id) } : { kind: 'tokens', tokens }
}

/** Tries the echo first, because more servers support it. If both forms are refused, the first refusal is returned. */
async function tryForms(attempt: (form: Form) => Promise<Outcome>): Promise<Outcome & { form: Form }> {
  const first = await attempt('echo')
  if (first.kind === 'tokens') return { form: 'echo', ...first }
  const second = await attempt('prompt')
  return second.kind === 'tokens' ? { form: 'prompt', ...second } : { form: 'echo', ...first }
}

function probabilitiesOf(id: string, prompt: PromptTokens, before: string, text: string): number[] {
  const { tokens, logProbabilities, offsets } = prompt
  const indices = findTextTokens({ before, text, tokens, ...(offsets && { offsets }) })
  if (indices === null)
    throw new ModelError(`${id} echoed tokens that do not spell the prompt.`, {
      code: 'model-answer',
      details: { model: id },
    })
  return indices.flatMap((index) => {
    const value = logProbabilities[index]
    if (typeof value === 'number') return [value]
    if (index === 0) return []
    throw new ModelError(`${id} left out the probability of a token that is not the first.`, {
      code: 'model-answer',
      details: { model: id },
    })
  })
}

function noProbabilities(id: string): ModelError {
  return new ModelError(
    `${id} answered without probabilities for the prompt. Use a server that echoes prompts with logprobs, such as vLLM.`,
    { code: 'model-answer', details: { model: id } },
  )
}

/** Returns the URL of `/completions` below a base URL. */
function addressOf(url: string): string {
  const base = url.replace(/\/+$/, '')
  return base.endsWith('/completions') ? base : `${base}/completions`
}
