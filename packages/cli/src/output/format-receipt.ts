import type { EraseReceipt } from 'keepsake'
import { formatCount } from './format-quantity.ts'

/** What an erasure removed, in a sentence. */
export function formatReceipt({ turns, memories, purgedAt }: EraseReceipt): string {
  const scrubbed =
    purgedAt === null
      ? 'it can no longer be read, and its space is overwritten when the file is next opened'
      : 'the space was overwritten'
  return `Erased ${formatCount(turns, 'turn')} and ${formatCount(memories, 'memory', 'memories')} and every trace of them; ${scrubbed}.`
}
