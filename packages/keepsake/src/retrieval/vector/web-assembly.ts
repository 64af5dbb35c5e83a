/** As much of the WebAssembly API as is used here; neither `lib: es2024` nor Node's types declare it. */
export interface WebAssemblyApi {
  readonly Memory: new (descriptor: { initial: number; maximum: number }) => WebAssemblyMemory
  readonly Module: new (bytes: Uint8Array) => WebAssemblyModule
  readonly Instance: new (
    module: WebAssemblyModule,
    imports: Record<string, Record<string, WebAssemblyMemory>>,
  ) => { readonly exports: Record<string, (...args: number[]) => number> }
  validate(bytes: Uint8Array): boolean
}

export interface WebAssemblyMemory {
  readonly buffer: ArrayBuffer
  /** Adds pages of 64 KiB and detaches the buffer. Throws a RangeError when it cannot. */
  grow(pages: number): number
}

/** A compiled module; opaque. */
export type WebAssemblyModule = object

/** The runtime's WebAssembly, `undefined` where there is none (Node with --jitless, for one). */
export function findWebAssembly(): WebAssemblyApi | undefined {
  return (globalThis as { WebAssembly?: WebAssemblyApi }).WebAssembly
}

/** The runtime's WebAssembly. Called only after a kernel was found to compile. */
export function webAssembly(): WebAssemblyApi {
  const api = findWebAssembly()
  if (api === undefined) throw new TypeError('This runtime has no WebAssembly.')
  return api
}
