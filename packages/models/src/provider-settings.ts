import { InvalidInputError } from 'keepsake'

/** Variables of the environment, by name. */
export type Environment = Readonly<Record<string, string | undefined>>

export interface ProviderSettings {
  /** Where keys are read. Default `process.env`. */
  env?: Environment
  /** Sends the requests: a proxy, or a test. Default: the global `fetch`. */
  fetch?: typeof globalThis.fetch
}

/** A provider's key. @throws InvalidInputError naming the variable to set. */
export function requireKey(variable: string, spec: string, env: Environment = process.env): string {
  const key = env[variable]?.trim()
  if (key === undefined || key === '') {
    throw new InvalidInputError(`"${spec}" needs a key: set ${variable} in the environment.`, {
      variable,
    })
  }
  return key
}

/** What every provider of the AI SDK takes alike. */
export function fetchSetting({ fetch }: ProviderSettings): { fetch?: typeof globalThis.fetch } {
  return fetch === undefined ? {} : { fetch }
}
