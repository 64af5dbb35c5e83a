/* oxlint-disable unicorn/prefer-add-event-listener -- the SDK's objects take one function each and are no event targets */
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'

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

/** Passes each message that a connected transport receives through `read` before the server gets it. */
export function onMessage(transport: Transport, read: (message: JSONRPCMessage) => JSONRPCMessage): void {
  const next = transport.onmessage
  transport.onmessage = (message, extra) => next?.(read(message), extra)
}
