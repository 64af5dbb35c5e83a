import type { ScriptedPeer } from './scripted-peer.ts'

export interface Sent {
  /** Method, path and parameters as they would be read on the wire, unescaped. */
  readonly request: string
  readonly body?: unknown
}

/** What a service was sent, in order, without headers. */
export function sentBy(service: ScriptedPeer): readonly Sent[] {
  return service.requests.map(({ method, path, query, body }) => {
    const parameters = Object.entries(query).map(([name, value]) => `${name}=${value}`)
    const request = `${method} ${path}${parameters.length === 0 ? '' : `?${parameters.join('&')}`}`
    return body === undefined ? { request } : { request, body }
  })
}
