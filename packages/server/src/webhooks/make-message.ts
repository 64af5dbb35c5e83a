import { createHash } from 'node:crypto'
import type { Change } from 'keepsake'
import { presentEvent } from '../rest/schemas/event.ts'
import type { EngineEvent } from '../server-context.ts'
import type { Message } from './send-message.ts'
import type { Webhook } from './webhook.ts'

/**
 * A change as it is told: `type`, `timestamp` and `data`, which is what the stream of events tells of it. Made of what is kept when it
 * is sent, so that nothing is told that was erased. The id is the same at every try, and says nothing.
 */
export function makeMessage({ id, texts }: Webhook, owner: number, change: Change): Message {
  const { event: type, data } = presentEvent(asEvent(change), texts)
  const timestamp = new Date(change.at).toISOString()
  return {
    id: `msg_${createHash('sha256').update(`${id}/${owner}/${change.id}`).digest('hex').slice(0, 32)}`,
    body: JSON.stringify({ type, timestamp, data }),
  }
}

/** What the log tells of it: not how long it took, and no words that were erased since. */
function asEvent({ event, told }: Change): EngineEvent {
  return { event, told } as EngineEvent
}
