import type { MemoryFilter, Memory } from '@keepsake/client'

export const FORMS = ['utterance', 'fact', 'summary', 'story', 'portrait', 'note', 'block'] as const
export const TYPES = ['persona', 'event', 'relationship'] as const
export const STATUSES = ['live', 'quarantined', 'deleted', 'forgotten'] as const
export type Status = (typeof STATUSES)[number]

/** The list's filters in the page's address. */
export interface Filters {
  readonly status: Status
  /** Forms to list; all if empty. */
  readonly forms: readonly Memory['form'][]
  readonly types: readonly Memory['type'][]
  /** A text that the memory must contain. */
  readonly contains: string
  readonly pinned: boolean
  readonly subject: string
  readonly key: string
  readonly category: string
  /** A question to recall, instead of a list. */
  readonly question: string
}

type QueryValues = Readonly<Record<string, readonly string[]>>

/** Reads filters from the address, without invalid ones. */
export function readFilters(values: QueryValues): Filters {
  const firstValue = (name: string): string => values[name]?.[0] ?? ''
  return {
    status: STATUSES.find((one) => one === firstValue('status')) ?? 'live',
    forms: FORMS.filter((one) => values['form']?.includes(one)),
    types: TYPES.filter((one) => values['type']?.includes(one)),
    contains: firstValue('contains'),
    pinned: firstValue('pinned') === 'yes',
    subject: firstValue('subject'),
    key: firstValue('key'),
    category: firstValue('category'),
    question: firstValue('question'),
  }
}

export function writeFilters(filters: Filters): Readonly<Record<string, string | readonly string[]>> {
  const { status, forms, types, contains, pinned, subject, key, category, question } = filters
  return {
    status: status === 'live' ? '' : status,
    form: forms,
    type: types,
    contains,
    pinned: pinned ? 'yes' : '',
    subject,
    key,
    category,
    question,
  }
}

export function isNarrowed({ forms, types, contains, pinned, subject, key, category }: Filters): boolean {
  const isNamed = subject !== '' || key !== '' || category !== ''
  return forms.length > 0 || types.length > 0 || contains !== '' || pinned || isNamed
}

export function toMemoryFilter(filters: Filters): MemoryFilter {
  const { status, forms, types, contains, pinned, subject, key, category } = filters
  return {
    statuses: [status],
    newestFirst: true,
    ...(forms.length === 0 ? {} : { forms: [...forms] }),
    ...(types.length === 0 ? {} : { types: [...types] }),
    ...(contains.trim() === '' ? {} : { contains }),
    ...(pinned ? { pinned: true } : {}),
    ...(subject === '' ? {} : { subject }),
    ...(key === '' ? {} : { key }),
    ...(category === '' ? {} : { categories: [category] }),
  }
}
