import { setTimeout as sleep } from 'node:timers/promises'
import { readJournal } from './read-journal.ts'

/** A writer at work may be seen in the middle of a page; a torn end stays as it is. */
const LOOK_AGAIN_MS = 50

/**
 * Tells, as a warning of the process, when the journal beside a file ends in the middle of a write. SQLite takes what is whole and says
 * nothing; what is missing may have been acknowledged, if the disk lost it.
 */
export async function tellTornJournal(path: string): Promise<void> {
  const seen = await readJournal(`${path}-wal`)
  if (seen?.isTorn !== true) return
  await sleep(LOOK_AGAIN_MS)
  const still = await readJournal(`${path}-wal`)
  if (still?.isTorn !== true || still.frames !== seen.frames) return
  process.emitWarning(
    `The journal "${path}-wal" ends in the middle of a write, after ${still.frames} whole pages. What was whole is there. Where the disk failed or the file was cut, later writes may be missing: compare with a backup, and run "keepsake doctor".`,
    { code: 'KEEPSAKE_TORN_JOURNAL' },
  )
}
