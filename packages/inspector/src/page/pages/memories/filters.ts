import type { MemoryFilter, Memory } from '@keepsake/client'

export const FORMS = ['utterance', 'fact', 'summary', 'story', 'portrait', 'note'] as const
export const TYPES = ['persona', 'event', 'relationship'] as const
export const STATUSES = ['live', 'quarantined', 'deleted', 'forgotten'] as const
export type Status = (typeof STATUSES)[number]

/** What the list is narrowed to, as it stands in the page's address. */
export interface Filters {
  readonly status: Status
  /** All when empty. */
  readonly forms: readonly Memory['form'][]
  readonly types: readonly Memory['type'][]
  /** Words that the text holds. */
  readonly contains: string
  readonly pinned: boolean
  readonly subject: string
  readonly key: string
  /** Asked as recall asks, instead of listed. */
  readonly question: string
}

type Given = Readonly<Record<string, readonly string[]>>

/** What an address says. What it cannot say is left out. */
export function readFilters(given: Given): Filters {
  const first = (name: string): string => given[name]?.[0] ?? ''
  return {
    status: STATUSES.find((one) => one === first('status')) ?? 'live',
    forms: FORMS.filter((one) => given['form']?.includes(one)),
    types: TYPES.filter((one) => given['type']?.includes(one)),
    contains: first('contains'),
    pinned: first('pinned') === 'yes',
    subject: first('subject'),
    key: first('key'),
    question: first('question'),
  }
}

/** The same, to be put into an address. */
export function writeFilters(filters: Filters): Readonly<Record<string, string | readonly string[]>> {
  const { status, forms, types, contains, pinned, subject, key, question } = filters
  return {
    status: status === 'live' ? '' : status,
    form: forms,
    type: types,
    contains,
    pinned: pinned ? 'yes' : '',
    subject,
    key,
    question,
  }
}

/** Whether anything is narrowed at all. */
export function isNarrowed({ forms, types, contains, pinned, subject, key }: Filters): boolean {
  return forms.length > 0 || types.length > 0 || contains !== '' || pinned || subject !== '' || key !== ''
}

/** What is asked of the server for a list. */
export function toMemoryFilter(filters: Filters): MemoryFilter {
  const { status, forms, types, contains, pinned, subject, key } = filters
  return {
    statuses: [status],
    newestFirst: true,
    ...(forms.length === 0 ? {} : { forms: [...forms] }),
    ...(types.length === 0 ? {} : { types: [...types] }),
    ...(contains.trim() === '' ? {} : { contains }),
    ...(pinned ? { pinned: true } : {}),
    ...(subject === '' ? {} : { subject }),
    ...(key === '' ? {} : { key }),
  }
}
