import { ACTIONS, type Action, type Grant } from './access.ts'
import type { KeyVerifier } from './authenticate.ts'
import { hashSecret, isSecret, makeToken, readToken, writeToken } from './key-token.ts'

/** A key that is kept nowhere, and ends with the process. */
export interface PassingKey {
  /** `ks_…`, for whoever started the server. */
  readonly key: string
  readonly keys: KeyVerifier
}

/**
 * Makes a key that stands as long as this process does and is kept in no file: for who starts a server to look through it.
 *
 * @param actions what it may do; everything when absent
 * @example
 * const { key, keys } = makePassingKey()
 * const server = await openServer({ keepsake, keys, port: 0 })
 * console.log(`${server.url}/#key=${key}`)
 */
export function makePassingKey(actions: readonly Action[] = ACTIONS): PassingKey {
  const token = makeToken()
  const hash = hashSecret(token.secret)
  const grant: Grant = {
    id: token.id,
    name: 'of this process',
    tenants: null,
    users: null,
    actions,
    requestsPerMinute: null,
  }
  return {
    key: writeToken(token),
    keys: {
      verify: (key) => {
        const given = readToken(key)
        const isRight = isSecret(given?.secret ?? '', hash)
        return isRight && given?.id === token.id ? grant : null
      },
    },
  }
}
