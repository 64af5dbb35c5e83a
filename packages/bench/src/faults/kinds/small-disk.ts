import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

/** A disk of its own in memory, at a folder. */
export interface SmallDisk {
  readonly folder: string
  readonly unmount: () => void
}

/** Why none can be had, in a sentence; `null`: it can. */
export function lacksSmallDisk(): Promise<string | null> {
  const isAble = process.platform === 'linux' && process.getuid?.() === 0
  return Promise.resolve(isAble ? null : 'It takes root on Linux, to mount a small disk.')
}

/** Mounts one within a folder. */
export function mountSmallDisk(parent: string, kilobytes: number): SmallDisk {
  const folder = join(parent, 'disk')
  mkdirSync(folder)
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${kilobytes}k`, 'tmpfs', folder])
  if (status !== 0) throw new Error('The small disk could not be mounted.')
  return {
    folder,
    unmount: () => void spawnSync('umount', ['-l', folder]),
  }
}
