import type { PastOperation } from '@keepsake/client'

type Payload = NonNullable<PastOperation['payload']>

/** A field that an operation set, as text. `null` means that the memory had no value before or has none now. */
export interface ChangedField {
  readonly name: string
  readonly before: string | null
  readonly after: string | null
}

/** The fields that are shown, in order. Internal measures of the engine are not shown. */
const SHOWN_FIELDS = [
  'text',
  'value',
  'key',
  'type',
  'subject',
  'label',
  'status',
  'reason',
  'pinned',
  'validFrom',
  'validUntil',
  'evidence',
  'metadata',
  'name',
  'limit',
] as const

/** An operation's changes by field; for a new memory, its initial fields. */
export function changedFields({ before, after }: Payload): readonly ChangedField[] {
  return SHOWN_FIELDS.flatMap((name): ChangedField[] => {
    if (!(name in after)) return []
    const was = before === null ? null : readable(before[name])
    const is = readable(after[name])
    return was === is ? [] : [{ name, before: was, after: is }]
  })
}

function readable(value: unknown): string | null {
  if (value === null || value === undefined || value === false) return null
  if (value === true) return '✓'
  if (typeof value === 'string') return value.trim() === '' ? null : value
  if (Array.isArray(value)) return value.length === 0 ? null : value.map(readableItem).join('\n')
  return JSON.stringify(value)
}

/** Returns the quotes of the evidence, or the turn's id for evidence without a quote. */
function readableItem(item: unknown): string {
  if (typeof item !== 'object' || item === null) return String(item)
  const { quote, turn } = item as { readonly quote?: unknown; readonly turn?: unknown }
  if (typeof quote === 'string') return `“${quote}”`
  return typeof turn === 'string' ? turn : JSON.stringify(item)
}
