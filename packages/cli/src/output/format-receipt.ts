import type { EraseReceipt } from 'keepsake'
import { formatCount } from './format-quantity.ts'

/** What an erasure removed, in a sentence. */
export function formatReceipt({ turns, memories, payloads, documents, scrubbedAt }: EraseReceipt): string {
  const scrubbed =
    scrubbedAt === null
      ? 'nothing of it can be read; its bytes leave the file when it is next open'
      : 'the file was scrubbed'
  return `Erased ${formatCount(turns, 'turn')}, ${formatCount(memories, 'memory', 'memories')}, ${formatCount(payloads, 'log payload')} and ${formatCount(documents, 'index entry', 'index entries')}; ${scrubbed}.`
}
