import type { Json, Metadata } from '@keepsake/text/names'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'

export type MaskText = (text: string) => Promise<string>

/** Masks every text in metadata, values and field names. Field names precede values, since they mark passwords. */
export async function maskMetadata(metadata: Metadata, mask: MaskText): Promise<Metadata> {
  const fields: [string, Json][] = []
  for (const [key, value] of Object.entries(metadata)) {
    await yieldToEventLoop()
    fields.push([await mask(key), await maskValue(key, value, mask)])
  }
  return Object.fromEntries(fields)
}

async function maskValue(key: string, value: Json, mask: MaskText): Promise<Json> {
  if (typeof value === 'string') return maskNamed(key, value, mask)
  if (Array.isArray(value)) {
    const masked: Json[] = []
    for (const one of value as readonly Json[]) {
      await yieldToEventLoop()
      masked.push(await maskValue(key, one, mask))
    }
    return masked
  }
  return typeof value === 'object' && value !== null ? maskMetadata(value as Metadata, mask) : value
}

async function maskNamed(key: string, value: string, mask: MaskText): Promise<string> {
  const before = `${key}: `
  const masked = await mask(before + value)
  return masked.startsWith(before) ? masked.slice(before.length) : mask(value)
}
