import { quotedLines } from 'keepsake/parts'
import type { ReadingInput } from '../readers/reader.ts'
import { fencedList } from './fenced.ts'

/** What a reader reads: the context as the system composed it, or the memories where it composed none. */
export function fencedContext({ context, memories }: ReadingInput): string {
  return context.trim() === ''
    ? fencedList('memories', memories)
    : `<memories>\n${quotedLines(context)}\n</memories>`
}
