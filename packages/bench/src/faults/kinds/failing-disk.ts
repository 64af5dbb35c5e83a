import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { openMemory } from 'keepsake'
import type { Fault, Outcome, Trial } from '../fault.ts'
import { findBroken } from '../find-broken.ts'
import { eraseOn, findErased, readErasing } from './eraser.ts'
import { lacksSmallDisk, mountSmallDisk, type SmallDisk } from './small-disk.ts'

const KILOBYTES = 6_000
const ROUNDS = 25
const BLOCK = Buffer.alloc(16_384)

/** Remembers and erases before, while and after a disk takes no more writes. */
async function whileDiskFails(
  { folder, draw, seed }: Trial,
  { fail, mend }: { readonly fail: (disk: SmallDisk) => void; readonly mend: (disk: SmallDisk) => void },
): Promise<Outcome> {
  const disk = mountSmallDisk(folder, KILOBYTES)
  try {
    const path = join(disk.folder, 'memory.db')
    const notes = join(folder, 'notes.jsonl')
    const keepsake = await openMemory({ path })
    const round = (user: string, rounds: number) =>
      eraseOn(keepsake, { notes, user, rounds, seed: seed + rounds })
    await round('ana', draw.whole(1, ROUNDS))
    fail(disk)
    const refused = await round('bea', draw.whole(5, ROUNDS))
    const isClosedMeanwhile = draw.chance(0.5)
    if (isClosedMeanwhile) await keepsake.close()
    mend(disk)
    if (!isClosedMeanwhile) await round('cleo', draw.whole(1, ROUNDS))
    await keepsake.close()
    const { promised, erased } = readErasing(notes)
    const broken = [
      ...(await findErased(disk.folder, path, erased)),
      ...(await findBroken({ path, promised })),
    ]
    return {
      tried: { refused_writes: refused, acknowledged: promised.size, erasures: erased.length },
      broken,
    }
  } finally {
    disk.unmount()
  }
}

/** Takes all the room that is left. */
function fillUp({ folder }: SmallDisk): void {
  const file = openSync(join(folder, 'filler'), 'w')
  try {
    for (;;) writeSync(file, BLOCK)
  } catch {
    // There is none left: that is the point.
  } finally {
    closeSync(file)
  }
}

/** The disk is full for a while. */
export const fullDisk: Fault = {
  name: 'full-disk',
  about: 'The disk is full for a while: turns and erasures are refused, and go on afterwards.',
  lacks: lacksSmallDisk,
  try: (trial) =>
    whileDiskFails(trial, { fail: fillUp, mend: ({ folder }) => rmSync(join(folder, 'filler')) }),
}
