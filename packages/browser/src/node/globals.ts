// Replaces Node's global variables that the engine uses.
import { Buffer as PlainBuffer } from 'buffer/'

// oxlint-disable-next-line typescript/unbound-method -- takes no `this`
const { from } = PlainBuffer
// oxlint-disable-next-line typescript/unbound-method -- called on the buffer below
const { toString } = PlainBuffer.prototype

/** Adds the encoding `base64url`, which the replacement of Node's `Buffer` lacks. */
PlainBuffer.from = ((value: unknown, encoding?: unknown, length?: unknown) =>
  encoding === 'base64url'
    ? from(String(value).replaceAll('-', '+').replaceAll('_', '/'), 'base64')
    : from(value as never, encoding as never, length as never)) as typeof from
PlainBuffer.prototype.toString = function (encoding, ...more) {
  if ((encoding as string) !== 'base64url') return toString.call(this, encoding, ...more)
  return toString.call(this, 'base64').replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

export { PlainBuffer as Buffer }

export const process = {
  /** The engine checks Node's version. Current browsers have the features that it needs. */
  versions: { node: '24.0.0', unicode: 'browser' },
  pid: 1,
  platform: 'browser',
  env: {},
  cpuUsage: () => ({ user: performance.now() * 1_000, system: 0 }),
  // oxlint-disable-next-line no-console -- a page shows its warnings there
  emitWarning: (warning: unknown) => console.warn(warning),
  kill: () => true,
}

const queuedWork: (() => void)[] = []
let channel: MessageChannel | null = null

/** Runs work after the page's pending events. A message of a channel has no minimum delay, unlike a timer. */
export function setImmediate(work: () => void): void {
  if (channel === null) {
    channel = new MessageChannel()
    channel.port1.addEventListener('message', () => queuedWork.shift()?.())
    channel.port1.start()
  }
  queuedWork.push(work)
  channel.port2.postMessage(null)
}

/** Adds Node's `unref` to a timer. It has no effect, since timers do not keep a page open. */
const asNodeTimer = (id: unknown) => ({
  unref() {
    return this
  },
  [Symbol.toPrimitive]: () => id,
})

export const setTimeout = (work: () => void, ms?: number) => asNodeTimer(globalThis.setTimeout(work, ms))
export const setInterval = (work: () => void, ms?: number) => asNodeTimer(globalThis.setInterval(work, ms))
