import { Agent, setGlobalDispatcher } from 'undici'

/** What Node's own `fetch` waits for an answer to begin, and then for each next piece of it. */
const FETCH_WAITS_MS = 300_000

/**
 * Lets requests of this process wait as long as a model may take. Node's `fetch`, through which models are asked, otherwise
 * gives up after five minutes, whatever time the model was granted.
 */
export function waitForSlowModels(modelTimeoutMs: number): void {
  if (modelTimeoutMs <= FETCH_WAITS_MS) return
  setGlobalDispatcher(new Agent({ headersTimeout: modelTimeoutMs, bodyTimeout: modelTimeoutMs }))
}
