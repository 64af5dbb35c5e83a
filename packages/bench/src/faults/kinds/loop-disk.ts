import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SmallDisk } from './small-disk.ts'

/** A disk of its own in a file, with a file system of its own. */
export interface LoopDisk extends SmallDisk {
  /** Has it write so many blocks a second from now on; `null`: as many as it can. */
  readonly slow: (writesPerSecond: number | null) => void
  /** The file system meets an error and takes no more writes, as it does when a disk fails under it. */
  readonly fail: () => void
  /** Mounted anew after its file system was repaired. Nothing of it may be open. */
  readonly repair: () => void
}

/** Where the kernel is told how fast a device may write. */
const THROTTLE = '/sys/fs/cgroup/blkio/blkio.throttle.write_iops_device'

/** Why none can be had, in a sentence; `null`: it can. */
export function lacksLoopDisk(): Promise<string | null> {
  const isAble = process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/dev/loop-control')
  const hasTools = isAble && runs('mkfs.ext4', ['-V']) && runs('losetup', ['--version'])
  return Promise.resolve(hasTools ? null : 'It takes root on Linux, loop devices and ext4, to mount a disk.')
}

/** Why none can be slowed down, in a sentence; `null`: it can. */
export async function lacksSlowDisk(): Promise<string | null> {
  const lacks = await lacksLoopDisk()
  if (lacks !== null) return lacks
  try {
    accessSync(THROTTLE, constants.W_OK)
    return null
  } catch {
    return `It takes a kernel that slows devices down (${THROTTLE}).`
  }
}

/** Mounts one within a folder. */
export function mountLoopDisk(parent: string, kilobytes: number): LoopDisk {
  const image = join(parent, 'image')
  const folder = join(parent, 'disk')
  writeFileSync(image, '')
  truncateSync(image, kilobytes * 1_024)
  mkdirSync(folder)
  must('mkfs.ext4', ['-q', '-F', '-m', '0', image])
  mount(image, folder)
  return {
    folder,
    slow: (writesPerSecond) => writeFileSync(THROTTLE, `${numberOf(image)} ${writesPerSecond ?? 0}\n`),
    fail: () => writeFileSync(`/sys/fs/ext4/${nameOf(image)}/trigger_fs_error`, '1'),
    repair: () => {
      must('umount', [folder])
      // It says by its exit code that there was something to repair.
      spawnSync('e2fsck', ['-f', '-y', image])
      mount(image, folder)
    },
    unmount: () => void spawnSync('umount', ['-l', folder]),
  }
}

function mount(image: string, folder: string): void {
  must('mount', ['-o', 'loop,errors=remount-ro', image, folder])
}

function deviceOf(image: string, column: 'NAME' | 'MAJ:MIN'): string {
  const { stdout } = spawnSync('losetup', ['-j', image, '-n', '-O', column], { encoding: 'utf8' })
  return stdout.trim()
}

function nameOf(image: string): string {
  return deviceOf(image, 'NAME').replace('/dev/', '')
}

function numberOf(image: string): string {
  return deviceOf(image, 'MAJ:MIN')
}

function runs(program: string, options: readonly string[]): boolean {
  return spawnSync(program, options).error === undefined
}

function must(program: string, options: readonly string[]): void {
  const { status, stderr } = spawnSync(program, options, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} failed: ${stderr.trim()}`)
}
