/** What JSON can hold. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

/**
 * What the application keeps with a turn or a memory, as JSON: a topic, a source, an id of its own. Nothing is drawn from it and no model
 * is shown it; it is given back as it was, filtered by, exported, and erased with what it belongs to.
 */
export type Metadata = { readonly [key: string]: Json }

/** Whether a value has fields, as opposed to one that stands for itself. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
