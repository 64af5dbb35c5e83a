/** A JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

/**
 * JSON that the application stores with a turn or memory. No fact is extracted from it and no model sees it. It can
 * be filtered, is exported, and is erased with its turn or memory.
 */
export type Metadata = { readonly [key: string]: Json }

/** Checks whether a value has fields. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
