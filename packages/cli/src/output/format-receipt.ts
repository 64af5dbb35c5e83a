import type { EraseReceipt } from 'keepsake'
import { formatCount } from './format-quantity.ts'

/** What an erasure removed, in a sentence. */
export function formatReceipt({ turns, memories, payloads, documents, scrubbedAt }: EraseReceipt): string {
  const scrubbed =
    scrubbedAt === null ? 'the file is scrubbed when it is next opened' : 'the file was scrubbed'
  return `Erased ${formatCount(turns, 'turn')}, ${formatCount(memories, 'memory', 'memories')}, ${formatCount(payloads, 'log payload')} and ${formatCount(documents, 'index entry', 'index entries')}; ${scrubbed}.`
}
