import type { Operation, NewOperation } from '../memories/operation.ts'
import type { MemoryStatus } from '../memories/memory.ts'
import type { Metadata } from '../metadata/metadata.ts'
import type { ScopeRow } from '../scopes/scope.ts'
import type { Turn } from '../turns/turn.ts'
import type { NewRecord } from './records.ts'
import type { JobRow } from './jobs.ts'
import type { SessionRow } from './rows.ts'

/** What is done to a store rather than with it: erasing, copies, figures, moving people in and out. */
export interface Maintenance {
  /** Shown in messages and stats, e.g. the file's path. */
  readonly name: string

  /**
   * Removes text, vectors, index rows and payloads for good, leaving tombstones without content. Metadata goes with the turn or
   * memory, names and records with the person. Reasons and raw answers of
   * the owner's failed jobs go with it, since they may quote anything, and so do records of theirs that expire. Answers when nothing
   * of it can be read any more, also after a failure of power. Until the bytes are out of the file too, in the background, the receipt's
   * `scrubbedAt` is `null`: a durable job that is finished when the store is next opened, if not before. It holds nobody up, and
   * fails nothing but itself. Backups made before are out of its reach.
   * @throws StoreError `store-busy`, erasing nothing, when a memory that rests (or ever rested) on a named turn is
   * not named: it was made meanwhile. Ask for `evidenceTurns` again.
   */
  erase(request: EraseRequest): Promise<EraseReceipt>
  /** The owner's erasures, oldest first; those whose file is still to be scrubbed too. */
  receipts(owner: number): Promise<EraseReceipt[]>
  /**
   * An erasure's receipt, waiting so many milliseconds until its bytes are out of the file, whoever takes them out; `null` when there
   * is none of that id. Left out by stores whose `erase` does not answer before.
   */
  proven?(id: string, patienceMs: number): Promise<EraseReceipt | null>
  /** Tells of erasures whose bytes are out of the file now, and of tries that failed and will be made again. @returns what ends it. */
  watchErasures?(listener: (news: ErasureNews) => void): () => void

  /** A consistent copy in another file while the store is in use. @throws StoreError when the file exists. */
  backup(path: string): Promise<void>
  /** Backups that were made, oldest first, with how many erasures each has not heard of. Left out by stores that keep no account of them. */
  backups?(): Promise<BackupNote[]>
  /** Rows and bytes, of one owner or of all. */
  stats(owner?: number): Promise<StoreStats>

  /** Every row of an owner, in an order in which it can be read back. */
  exportRows(owner: number): AsyncIterable<ExportRow>
  /** Reads an export back, all or none, under the keys it carries. @throws NotPossibleError when that person has rows already. */
  importRows(rows: AsyncIterable<ExportRow> | Iterable<ExportRow>): Promise<ScopeRow[]>

  /** Finishes what is under way and lets go of the file. */
  close(): Promise<void>
}

export interface EraseRequest {
  readonly id: string
  readonly owner: number
  readonly at: number
  /** `person`: everything, the person's key included. Otherwise the named turns and memories. */
  readonly target: 'person' | { readonly turns: readonly string[]; readonly memories: readonly string[] }
  /** `erase` operations to log, one a memory, for partial erasure. Memories become tombstones. */
  readonly operations: readonly NewOperation[]
  /** Written in the same transaction: it concerns nobody, lasts, and is new. */
  readonly record?: Pick<NewRecord, 'collection' | 'key' | 'value'>
}

/** Says what was removed, and nothing of what it said. */
export interface EraseReceipt {
  readonly id: string
  readonly at: number
  readonly turns: number
  readonly memories: number
  readonly payloads: number
  readonly documents: number
  /** When file and journal were scrubbed; `null` while that is still to do. */
  readonly scrubbedAt: number | null
}

/** A backup that was made from this store. Whether its file is still there is not known here. */
export interface BackupNote {
  readonly path: string
  /** Milliseconds since 1970. */
  readonly at: number
  /** Erasures since: what they took out here may still stand in it. */
  readonly erasedSince: number
}

/** What came of an erasure after it was acknowledged. */
export type ErasureNews = { readonly proven: EraseReceipt } | { readonly failed: Error }

export interface StoreStats {
  readonly owners: number
  readonly scopes: number
  readonly sessions: number
  readonly turns: number
  readonly operations: number
  readonly memories: Readonly<Record<MemoryStatus, number>>
  readonly jobs: number
  /** Size of database and journal files together. */
  readonly bytes: number
  readonly schema: number
}

/** A line of an export. */
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
  | ({ readonly row: 'job' } & Omit<JobRow, 'owner'>)
