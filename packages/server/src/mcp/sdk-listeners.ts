/* oxlint-disable unicorn/prefer-add-event-listener -- the SDK's objects take one function each and are no event targets */
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'

/** Calls `listener` when a server or transport of the SDK closes, after earlier listeners. */
export function onClose(target: { onclose?: (() => void) | undefined }, listener: () => void): void {
  const before = target.onclose
  target.onclose = () => {
    before?.()
    listener()
  }
}

/** Calls `listener` with errors of a server of the SDK outside its calls. */
export function onError(
  target: { onerror?: ((error: Error) => void) | undefined },
  listener: (error: Error) => void,
): void {
  target.onerror = listener
}

/** Calls `listener` with each message that a connected transport receives, before the server gets it. */
export function onMessage(transport: Transport, listener: NonNullable<Transport['onmessage']>): void {
  const next = transport.onmessage
  transport.onmessage = (message, extra) => {
    listener(message, extra)
    next?.(message, extra)
  }
}
