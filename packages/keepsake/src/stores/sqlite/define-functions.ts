import { matchesMetadata, type MetadataFilter } from '../../metadata/metadata-filter.ts'
import type { Metadata } from '../../metadata/metadata.ts'
import { stateOfHolder } from '../process-holder.ts'
import type { Sql } from './sql.ts'

/**
 * What statements ask JavaScript: `is_gone(holder)`, whether the process behind a claim is known to be gone (a file is on one
 * machine, as a rule its processes' own), and `is_meant(filter, metadata)`, so that there is one rule of what a filter means.
 */
export function defineFunctions({ database }: Sql): void {
  database.function('is_gone', (holder: unknown) => Number(stateOfHolder(String(holder)) === 'dead'))
  let last: { readonly text: string; readonly filter: MetadataFilter } | null = null
  database.function('is_meant', (filter: unknown, metadata: unknown) => {
    const text = String(filter)
    // One statement asks it of every row.
    if (last?.text !== text) last = { text, filter: JSON.parse(text) as MetadataFilter }
    return Number(matchesMetadata(last.filter, decodeMetadata(metadata)))
  })
}

export function encodeMetadata(metadata: Metadata | null | undefined): string | null {
  return metadata === null || metadata === undefined ? null : JSON.stringify(metadata)
}

export function decodeMetadata(text: unknown): Metadata | null {
  return typeof text === 'string' ? (JSON.parse(text) as Metadata) : null
}
