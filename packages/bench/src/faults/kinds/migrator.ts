import { openSqliteStore } from 'keepsake'
import { migrateStore } from 'keepsake/store-kit'
import { answerParent, isChild } from '../../processes/child.ts'

export interface MigratorRequest {
  readonly from: string
  readonly to: string
}

/** Migrates a file into another. @returns how many people were brought over */
export async function migrateFile({ from, to }: MigratorRequest): Promise<number> {
  const source = await openSqliteStore({ path: from, readOnly: true })
  const target = await openSqliteStore({ path: to })
  try {
    return (await migrateStore({ from: source, to: target, source: from, collections: [] })).people
  } finally {
    await target.close()
    await source.close()
  }
}

/** This module, for whoever starts it as a process. */
export const MIGRATOR = import.meta.url

if (isChild(import.meta.url)) await answerParent(migrateFile)
