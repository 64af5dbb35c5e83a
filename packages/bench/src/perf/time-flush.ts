import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ALL, type Figure } from '../log/figure.ts'
import { timeCalls, timeFigures } from './time-calls.ts'

/** About what a durable `remember` of one turn adds to the journal. */
const BYTES = 32 * 1024

/**
 * The disk's own part of a durable write: a file is lengthened by 32 kB and flushed, again and again.
 * @throws Error when the folder cannot be written.
 */
export async function timeFlush(folder: string, calls: number): Promise<Figure[]> {
  const path = join(folder, 'flush.bin')
  const file = await open(path, 'w')
  const block = Buffer.alloc(BYTES, 1)
  const flush = async (): Promise<void> => {
    await file.write(block)
    await file.datasync()
  }
  try {
    const times = await timeCalls(flush, { calls, unmeasured: Math.ceil(calls / 10) })
    return timeFigures(ALL, 'disk_flush', times)
  } finally {
    await file.close()
    await rm(path, { force: true })
  }
}
