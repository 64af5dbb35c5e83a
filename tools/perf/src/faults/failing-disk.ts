// Faults of the disk on which a memory is: full, read-only, frozen or slow.
import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { openMemory } from 'keepsake'
import { checkNotes, rememberAndErase } from './erasing.ts'
import type { Fault, Outcome, Trial } from './trial.ts'

const DISK_KILOBYTES = 6_000
const MAX_ROUNDS = 25

interface Failure<Mounted extends Disk> {
  readonly mount: (parent: string, kilobytes: number) => Mounted
  readonly fail: (disk: Mounted) => void
  readonly repair: (disk: Mounted) => void
  /** Whether the memory is closed during the repair. By default it is chosen at random. */
  readonly isClosedMeanwhile?: boolean
}

async function whileDiskFails<Mounted extends Disk>(
  { folder, draw, seed }: Trial,
  { mount, fail, repair, ...failure }: Failure<Mounted>,
): Promise<Outcome> {
  const disk = mount(folder, DISK_KILOBYTES)
  try {
    const path = join(disk.folder, 'memory.db')
    const notes = join(folder, 'notes.jsonl')
    const keepsake = await openMemory({ path })
    const work = (user: string, rounds: number) =>
      rememberAndErase(keepsake, { notes, user, rounds, seed: seed + rounds })
    await work('ana', draw.whole(1, MAX_ROUNDS))
    fail(disk)
    const refused = await work('bea', draw.whole(5, MAX_ROUNDS))
    const isClosedMeanwhile = failure.isClosedMeanwhile ?? draw.chance(0.5)
    if (isClosedMeanwhile) await keepsake.close().catch(() => undefined)
    repair(disk)
    if (!isClosedMeanwhile) {
      await work('cleo', draw.whole(1, MAX_ROUNDS))
      await keepsake.close()
    }
    const { tried, broken } = await checkNotes(notes, { folder: disk.folder, path })
    return { tried: { refused_writes: refused, ...tried }, broken }
  } finally {
    disk.unmount()
  }
}

function fillUp({ folder }: Disk): void {
  const file = fs.openSync(join(folder, 'filler'), 'w')
  const block = Buffer.alloc(16_384)
  try {
    for (;;) fs.writeSync(file, block)
  } catch {
    // The disk is full, as intended.
  } finally {
    fs.closeSync(file)
  }
}

export const fullDisk: Fault = {
  name: 'full-disk',
  about: 'The disk is full for a while: turns and erasures are refused, and go on afterwards.',
  obstacle: whyNoSmallDisk,
  try: (trial) =>
    whileDiskFails(trial, {
      mount: mountSmallDisk,
      fail: fillUp,
      repair: ({ folder }) => fs.rmSync(join(folder, 'filler')),
    }),
}

/** The disk's file system has an error and refuses writes (ext4, `errors=remount-ro`) until it is repaired. */
export const readOnlyDisk: Fault = {
  name: 'read-only-disk',
  about: 'The file system meets an error and takes no more writes, until it is repaired and mounted again.',
  obstacle: whyNoLoopDisk,
  try: (trial) =>
    whileDiskFails(trial, {
      mount: mountLoopDisk,
      fail: (disk) => disk.fail(),
      repair: (disk) => disk.repair(),
      isClosedMeanwhile: true,
    }),
}

/** Writes to the open files of the memory are refused (`chattr +i`). */
export const frozenFiles: Fault = {
  name: 'frozen-files',
  about: 'The memory’s files may not be written to for a while, though they are open.',
  obstacle: whyNoLoopDisk,
  try: (trial) =>
    whileDiskFails(trial, {
      mount: mountLoopDisk,
      fail: ({ folder }) => setFrozen(folder, true),
      repair: ({ folder }) => setFrozen(folder, false),
    }),
}

export const slowDisk: Fault = {
  name: 'slow-disk',
  about: 'The disk writes only a few dozen blocks a second for a while.',
  obstacle: whyNoSlowDisk,
  try: (trial) => {
    const writesPerSecond = trial.draw.whole(40, 200)
    return whileDiskFails(trial, {
      mount: mountLoopDisk,
      fail: (disk) => disk.slow(writesPerSecond),
      repair: (disk) => disk.slow(null),
    })
  },
}

function setFrozen(folder: string, isFrozen: boolean): void {
  // Leaves out the file that SQLite maps into memory (`-shm`), since the kernel would kill a process that writes to it.
  for (const file of fs.readdirSync(folder).filter((name) => /^memory\.db(?:-wal)?$/.test(name)))
    spawnSync('chattr', [isFrozen ? '+i' : '-i', join(folder, file)])
}

interface Disk {
  readonly folder: string
  readonly unmount: () => void
}

/** A disk in a file, with an ext4 file system. */
interface LoopDisk extends Disk {
  /** Limits the writes per second. `null` removes the limit. */
  readonly slow: (writesPerSecond: number | null) => void
  /** Makes the file system fail, after which it refuses writes. */
  readonly fail: () => void
  /** Repairs the file system and mounts it again. No file on it may be open. */
  readonly repair: () => void
}

const TOOLS = ['mkfs.ext4', 'losetup']
/** The kernel's setting for the maximum writes per second of a device. */
const WRITE_LIMIT_FILE = '/sys/fs/cgroup/blkio/blkio.throttle.write_iops_device'

const isRootOnLinux = (): boolean => process.platform === 'linux' && process.getuid?.() === 0

/** Returns a sentence about why a small disk cannot be mounted, or `null` if it can. */
function whyNoSmallDisk(): Promise<string | null> {
  return Promise.resolve(isRootOnLinux() ? null : 'It takes root on Linux, to mount a small disk.')
}

function mountSmallDisk(parent: string, kilobytes: number): Disk {
  const folder = join(parent, 'disk')
  fs.mkdirSync(folder)
  runProgram('mount', ['-t', 'tmpfs', '-o', `size=${kilobytes}k`, 'tmpfs', folder])
  return { folder, unmount: () => void spawnSync('umount', ['-l', folder]) }
}

/** Returns a sentence about why a loop disk cannot be mounted, or `null` if it can. */
function whyNoLoopDisk(): Promise<string | null> {
  const isAble = isRootOnLinux() && fs.existsSync('/dev/loop-control')
  const hasTools = isAble && TOOLS.every((tool) => spawnSync(tool, ['-V']).error === undefined)
  return Promise.resolve(hasTools ? null : 'It takes root on Linux, loop devices and ext4, to mount a disk.')
}

/** Returns a sentence about why a disk cannot be slowed down, or `null` if it can. */
async function whyNoSlowDisk(): Promise<string | null> {
  const lacks = await whyNoLoopDisk()
  if (lacks !== null) return lacks
  try {
    fs.accessSync(WRITE_LIMIT_FILE, fs.constants.W_OK)
    return null
  } catch {
    return `It takes a kernel that limits writes of devices (${WRITE_LIMIT_FILE}).`
  }
}

function mountLoopDisk(parent: string, kilobytes: number): LoopDisk {
  const image = join(parent, 'image')
  const folder = join(parent, 'disk')
  fs.writeFileSync(image, '')
  fs.truncateSync(image, kilobytes * 1_024)
  fs.mkdirSync(folder)
  runProgram('mkfs.ext4', ['-q', '-F', '-m', '0', image])
  const mount = (): void => runProgram('mount', ['-o', 'loop,errors=remount-ro', image, folder])
  mount()
  return {
    folder,
    slow: (writesPerSecond) =>
      fs.writeFileSync(WRITE_LIMIT_FILE, `${deviceOf(image, 'MAJ:MIN')} ${writesPerSecond ?? 0}\n`),
    fail: () =>
      fs.writeFileSync(`/sys/fs/ext4/${deviceOf(image, 'NAME').replace('/dev/', '')}/trigger_fs_error`, '1'),
    repair: () => {
      runProgram('umount', [folder])
      // Ignores the exit code, which is not 0 if e2fsck had something to repair.
      spawnSync('e2fsck', ['-f', '-y', image])
      mount()
    },
    unmount: () => void spawnSync('umount', ['-l', folder]),
  }
}

function deviceOf(image: string, column: 'NAME' | 'MAJ:MIN'): string {
  const { stdout } = spawnSync('losetup', ['-j', image, '-n', '-O', column], { encoding: 'utf8' })
  return stdout.trim()
}

function runProgram(program: string, options: readonly string[]): void {
  const { status, stderr } = spawnSync(program, options, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} failed: ${stderr.trim()}`)
}
