import type { Operation } from '../memories/operation.ts'
import type { Metadata } from '../metadata/metadata.ts'
import type { Turn } from '../turns/turn.ts'
import type { JobRow } from './jobs.ts'
import type { SessionRow, UsageCount } from './store.ts'

/** A line of an export. Scopes are numbered from 1. */
export type ExportRow =
  | { readonly row: 'keepsake-export'; readonly format: 1; readonly tenant: string; readonly user: string }
  | {
      readonly row: 'scope'
      readonly scope: number
      readonly agent: string | null
      readonly app: string | null
    }
  | ({ readonly row: 'session' } & SessionRow)
  | ({ readonly row: 'turn'; readonly metadata?: Metadata } & Omit<Turn, 'metadata'>)
  | ({ readonly row: 'erased-turn' } & Pick<Turn, 'id' | 'scope' | 'session' | 'position' | 'role' | 'at'>)
  | ({ readonly row: 'operation' } & Operation)
  | { readonly row: 'progress'; readonly scope: number; readonly branch: string; readonly position: number }
  | ({ readonly row: 'usage' } & UsageCount)
  | ({ readonly row: 'job' } & Omit<JobRow, 'owner'>)
