// Parses the names of models.
import { InvalidInputError } from 'keepsake'

/** All forms of a model's name: `PROVIDER:NAME`, with the URL of the server if it has no fixed one. */
export const FORMS = {
  openai: 'openai:NAME',
  anthropic: 'anthropic:NAME',
  google: 'google:NAME',
  cohere: 'cohere:NAME',
  ollama: 'ollama:NAME[@URL]',
  'openai-compatible': 'openai-compatible:URL#NAME',
  transformers: 'transformers:NAME',
  'sentence-encoder': 'sentence-encoder:en',
  language: 'language:MODEL',
} as const

export type ProviderName = keyof typeof FORMS

export interface ModelSpec<Provider extends ProviderName = ProviderName> {
  readonly provider: Provider
  readonly name: string
  /** The URL of the model's server; `null` for the provider's own. */
  readonly url: string | null
}

/** The default URL of Ollama, with the path of its OpenAI-compatible interface. */
const OLLAMA_URL = 'http://127.0.0.1:11434/v1'

/** Parses a model's name. @throws InvalidInputError with the possible forms if the name fits none of them */
export function parseModelSpec<Provider extends ProviderName>(
  spec: string,
  kind: string,
  providers: readonly Provider[],
): ModelSpec<Provider> {
  if (typeof spec !== 'string')
    throw new InvalidInputError(
      `A ${kind} is named by a text such as "openai:gpt-5", but it is ${String(spec)}.`,
    )
  const colon = spec.indexOf(':')
  const provider = providers.find((name) => name === spec.slice(0, colon))
  const rest = spec.slice(colon + 1).trim()
  const parsed = provider === undefined ? null : parseNameAndUrl(provider, rest)
  if (provider === undefined || parsed === null) {
    const forms = providers.map((name) => FORMS[name]).join(', ')
    throw new InvalidInputError(`"${spec}" names no ${kind}. Write it as one of: ${forms}.`, { spec })
  }
  return { provider, ...parsed }
}

/** Parses the part after `PROVIDER:`; `null` if it does not fit the provider. */
function parseNameAndUrl(provider: ProviderName, rest: string): Pick<ModelSpec, 'name' | 'url'> | null {
  if (rest === '') return null
  switch (provider) {
    case 'ollama': {
      const [, name, url] = /^(.+?)(?:@(https?:\/\/.*))?$/.exec(rest) ?? []
      if (name === undefined || name.includes('@')) return null
      if (url === undefined) return { name, url: OLLAMA_URL }
      const server = readUrl(url)
      if (server === null) return null
      // Users give only Ollama's host, so the path of its OpenAI-compatible interface is added.
      return { name, url: server.pathname === '/' ? `${server.origin}/v1` : server.href }
    }
    case 'openai-compatible': {
      const hash = rest.indexOf('#')
      const server = hash === -1 ? null : readUrl(rest.slice(0, hash))
      const name = rest.slice(hash + 1).trim()
      return server !== null && name !== '' ? { name, url: server.href } : null
    }
    case 'sentence-encoder':
      return rest === 'en' ? { name: rest, url: null } : null
    case 'openai':
    case 'anthropic':
    case 'google':
    case 'cohere':
    case 'transformers':
    case 'language':
      return { name: rest, url: null }
  }
}

function readUrl(text: string): URL | null {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) ? url : null
}
