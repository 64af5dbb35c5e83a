import type { IncomingHttpHeaders } from 'node:http'
import { startService, type Route, type ScriptedService, type ServiceAnswer } from './scripted-service.ts'
import { ScriptedStore } from './scripted-store.ts'

/** A scripted service and what it keeps. */
export interface ScriptedPeer extends ScriptedService {
  readonly baseUrl: string
  readonly store: ScriptedStore
}

export interface Script {
  /** Where the interface begins, as in the default URL. */
  readonly path: string
  readonly authorise: (headers: IncomingHttpHeaders) => ServiceAnswer | null
  readonly routes: (store: ScriptedStore) => readonly Route[]
}

/** Starts a scripted service with an empty store. */
export async function startScripted(script: Script): Promise<ScriptedPeer> {
  const store = new ScriptedStore()
  const service = await startService(script.routes(store), script.authorise)
  return { ...service, baseUrl: `${service.origin}${script.path}`, store }
}
