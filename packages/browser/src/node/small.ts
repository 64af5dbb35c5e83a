// Replaces functions of Node's smaller modules that the engine uses: `os`, `path`, `process`, `url`, `util`, `timers/promises` and `zlib`.
import { setImmediate as soon } from './globals.ts'

export const hostname = (): string => 'browser'
/** The memory that a page can use, in bytes: 2 GiB, a cautious guess. */
export const totalmem = (): number => 2 ** 31
export const constrainedMemory = (): number => 0
export const endianness = (): string => 'LE'

export const basename = (path: string): string => path.split('/').at(-1) ?? ''
export const dirname = (path: string): string => path.split('/').slice(0, -1).join('/')
export const join = (...parts: readonly string[]): string => parts.join('/')
export const resolve = (path: string): string => path
export const fileURLToPath = (url: URL | string): string => new URL(url).pathname

/** Compares plain objects, lists and scalars, which are all that the engine compares. */
export function isDeepStrictEqual(left: unknown, right: unknown): boolean {
  if (Object.is(left, right)) return true
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false
  if (Array.isArray(left) !== Array.isArray(right)) return false
  const entries = Object.entries(left)
  return (
    entries.length === Object.keys(right).length &&
    entries.every(
      ([key, value]) =>
        Object.hasOwn(right, key) && isDeepStrictEqual(value, (right as Record<string, unknown>)[key]),
    )
  )
}

export const promisify =
  (call: (...args: unknown[]) => void) =>
  (...args: unknown[]): Promise<unknown> =>
    new Promise((fulfil, reject) =>
      call(...args, (error: Error | null, value: unknown) =>
        error === null ? fulfil(value) : reject(error),
      ),
    )

export const setImmediate = (): Promise<void> => new Promise(soon)
export function setTimeout<Value>(
  ms: number,
  value?: Value,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<Value | undefined> {
  return new Promise((fulfil, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = globalThis.setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      fulfil(value)
    }, ms)
    if (signal?.aborted === true) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}

/** Table of the CRC-32 of each byte, with the polynomial that zlib uses. */
const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit += 1) value = (value & 1) === 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1
  return value
})

export function crc32(bytes: Uint8Array): number {
  let value = 0xffffffff
  for (const byte of bytes) value = (CRC_TABLE[(value ^ byte) & 255] ?? 0) ^ (value >>> 8)
  return (value ^ 0xffffffff) >>> 0
}

export default { basename, dirname, join, resolve }
