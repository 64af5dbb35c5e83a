// Checks metadata from callers, and masks secrets in it as in other text.
import type { TextGate } from '@keepsake/text'
import { type Json, type Metadata, readMetadata } from '@keepsake/text/names'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'

/** Masks the secrets of a text. */
export type MaskText = (text: string) => Promise<string>

/** Masks every text in metadata: values and field names. */
export async function maskMetadata(metadata: Metadata, mask: MaskText): Promise<Metadata> {
  const fields: [string, Json][] = []
  for (const [key, value] of Object.entries(metadata)) {
    await yieldToEventLoop()
    fields.push([await mask(key), await maskValue(key, value, mask)])
  }
  return Object.fromEntries(fields)
}

async function maskValue(key: string, value: Json, mask: MaskText): Promise<Json> {
  if (typeof value === 'string') return maskText(key, value, mask)
  if (Array.isArray(value)) {
    const masked: Json[] = []
    for (const item of value as readonly Json[]) {
      await yieldToEventLoop()
      masked.push(await maskValue(key, item, mask))
    }
    return masked
  }
  return typeof value === 'object' && value !== null ? maskMetadata(value as Metadata, mask) : value
}

/** Masks a value together with its field name, because a name such as "password" marks a secret. */
async function maskText(key: string, value: string, mask: MaskText): Promise<string> {
  const prefix = `${key}: `
  const masked = await mask(prefix + value)
  return masked.startsWith(prefix) ? masked.slice(prefix.length) : mask(value)
}

/** Checks and masks a memory's metadata; `null` for none. @throws InvalidInputError naming the field that cannot be stored */
export async function admitMetadata(
  { textGate }: { readonly textGate: Pick<TextGate, 'admit'> },
  given: unknown,
  name: string,
): Promise<Metadata | null> {
  if (given === undefined || given === null) return null
  return maskMetadata(readMetadata(given, name), (text) => textGate.admit(text))
}
