// Tarballs for tests: packed once for all files of a run, whose processes share a folder for temporary files.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const PACK = fileURLToPath(new URL('pack.mjs', import.meta.url))
const LOOK_EVERY_MS = 100

/** @param {string} lock @returns whether it was free, and this process holds it now */
function take(lock) {
  try {
    mkdirSync(lock)
    return true
  } catch {
    return false
  }
}

/**
 * Packs what stands there as it is built, or waits until another process has.
 * @returns {string} the folder of the tarballs, to be read only; it goes with the run's folder
 */
export function packedOnce() {
  const tarballs = join(tmpdir(), 'keepsake-tarballs')
  const lock = `${tarballs}-lock`
  while (!existsSync(tarballs)) {
    if (!take(lock)) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_EVERY_MS)
      continue
    }
    try {
      // Another may have packed between the look and the lock.
      if (!existsSync(tarballs)) {
        const packing = `${tarballs}-packing`
        const done = spawnSync(process.execPath, [PACK, packing, '--as-built'], { encoding: 'utf8' })
        if (done.status !== 0) throw new Error(done.stdout + done.stderr)
        renameSync(packing, tarballs)
      }
    } finally {
      rmdirSync(lock)
    }
  }
  return tarballs
}
