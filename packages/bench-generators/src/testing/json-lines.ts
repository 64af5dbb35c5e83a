import { createHash } from 'node:crypto'

export function jsonLines(records: readonly unknown[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('')
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
