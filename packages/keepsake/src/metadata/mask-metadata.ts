import type { Json, Metadata } from './metadata.ts'

/** Masks secrets in one text. */
export type MaskText = (text: string) => Promise<string>

/**
 * Metadata with every text in it masked as what is said is: values, and the names of fields. A value is read with its field's
 * name before it, which tells that a word is a password.
 */
export async function maskMetadata(metadata: Metadata, mask: MaskText): Promise<Metadata> {
  const fields: [string, Json][] = []
  for (const [key, value] of Object.entries(metadata))
    fields.push([await mask(key), await maskValue(key, value, mask)])
  return Object.fromEntries(fields)
}

async function maskValue(key: string, value: Json, mask: MaskText): Promise<Json> {
  if (typeof value === 'string') return maskNamed(key, value, mask)
  if (Array.isArray(value))
    return Promise.all((value as readonly Json[]).map((one) => maskValue(key, one, mask)))
  return typeof value === 'object' && value !== null ? maskMetadata(value as Metadata, mask) : value
}

async function maskNamed(key: string, value: string, mask: MaskText): Promise<string> {
  const before = `${key}: `
  const masked = await mask(before + value)
  return masked.startsWith(before) ? masked.slice(before.length) : mask(value)
}
