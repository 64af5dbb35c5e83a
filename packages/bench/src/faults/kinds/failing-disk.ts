import { spawnSync } from 'node:child_process'
import { closeSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { openMemory } from 'keepsake'
import type { Fault, Outcome, Trial } from '../fault.ts'
import { findBroken } from '../find-broken.ts'
import { eraseOn, findErased, readErasing } from './eraser.ts'
import { lacksLoopDisk, lacksSlowDisk, mountLoopDisk } from './loop-disk.ts'
import { lacksSmallDisk, mountSmallDisk, type SmallDisk } from './small-disk.ts'

const KILOBYTES = 6_000
const ROUNDS = 25
/** Writes a second of a slow disk. */
const [SLOWEST, LEAST_SLOW] = [40, 200]
const BLOCK = Buffer.alloc(16_384)

/** How a disk is had, what goes wrong with it, and how that is mended. */
interface Failure<Disk extends SmallDisk> {
  readonly mount: (parent: string, kilobytes: number) => Disk
  readonly fail: (disk: Disk) => void
  readonly mend: (disk: Disk) => void
  /** Whether it can be mended only while nothing of it is open. By chance when absent. */
  readonly isClosedMeanwhile?: boolean
}

/** Remembers and erases before, while and after something is wrong with a disk. */
async function whileDiskFails<Disk extends SmallDisk>(
  { folder, draw, seed }: Trial,
  { mount, fail, mend, ...failure }: Failure<Disk>,
): Promise<Outcome> {
  const disk = mount(folder, KILOBYTES)
  try {
    const path = join(disk.folder, 'memory.db')
    const notes = join(folder, 'notes.jsonl')
    const keepsake = await openMemory({ path })
    const round = (user: string, rounds: number) =>
      eraseOn(keepsake, { notes, user, rounds, seed: seed + rounds })
    await round('ana', draw.whole(1, ROUNDS))
    fail(disk)
    const refused = await round('bea', draw.whole(5, ROUNDS))
    const isClosedMeanwhile = failure.isClosedMeanwhile ?? draw.chance(0.5)
    if (isClosedMeanwhile) await keepsake.close().catch(() => undefined)
    mend(disk)
    if (!isClosedMeanwhile) {
      await round('cleo', draw.whole(1, ROUNDS))
      await keepsake.close()
    }
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
    whileDiskFails(trial, {
      mount: mountSmallDisk,
      fail: fillUp,
      mend: ({ folder }) => rmSync(join(folder, 'filler')),
    }),
}

/** A disk's file system meets an error and takes no more writes (ext4, `errors=remount-ro`), until it is repaired. */
export const readOnlyDisk: Fault = {
  name: 'read-only-disk',
  about: 'The file system meets an error and takes no more writes, until it is repaired and mounted anew.',
  lacks: lacksLoopDisk,
  try: (trial) =>
    whileDiskFails(trial, {
      mount: mountLoopDisk,
      fail: (disk) => disk.fail(),
      mend: (disk) => disk.repair(),
      isClosedMeanwhile: true,
    }),
}

/** Files that may not be written to, though they are open for it (`chattr +i`). */
export const frozenFiles: Fault = {
  name: 'frozen-files',
  about: 'The memory’s files may not be written to for a while, though they are open.',
  lacks: lacksLoopDisk,
  try: (trial) =>
    whileDiskFails(trial, {
      mount: mountLoopDisk,
      fail: ({ folder }) => setFrozen(folder, true),
      mend: ({ folder }) => setFrozen(folder, false),
    }),
}

/** A disk that writes a few blocks a second for a while, each of which the writer waits for. */
export const slowDisk: Fault = {
  name: 'slow-disk',
  about: 'The disk writes only a few dozen blocks a second for a while.',
  lacks: lacksSlowDisk,
  async try(trial) {
    const writesPerSecond = trial.draw.whole(SLOWEST, LEAST_SLOW)
    const { tried, broken } = await whileDiskFails(trial, {
      mount: mountLoopDisk,
      fail: (disk) => disk.slow(writesPerSecond),
      mend: (disk) => disk.slow(null),
    })
    return { tried: { slow_disks: 1, ...tried }, broken }
  },
}

function setFrozen(folder: string, isFrozen: boolean): void {
  // Not what SQLite maps into memory (`-shm`): the kernel kills whoever writes to that, which is a fault of its own.
  for (const file of readdirSync(folder).filter((name) => /^memory\.db(?:-wal)?$/.test(name)))
    spawnSync('chattr', [isFrozen ? '+i' : '-i', join(folder, file)])
}
