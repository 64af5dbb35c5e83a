// Packs tarballs for tests, once for all test files of a run. The processes of a run share a temporary folder.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const PACK = fileURLToPath(new URL('pack.mjs', import.meta.url))
const POLL_INTERVAL_MS = 100

/** @param {string} lock @returns whether this process got the lock */
function acquire(lock) {
  try {
    mkdirSync(lock)
    return true
  } catch {
    return false
  }
}

/** Packs the build, or waits for another process's. The folder is deleted at the end of the run. @returns {string} */
export function packedOnce() {
  const tarballs = join(tmpdir(), 'keepsake-tarballs')
  const lock = `${tarballs}-lock`
  while (!existsSync(tarballs)) {
    if (!acquire(lock)) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_INTERVAL_MS)
      continue
    }
    try {
      // Another process may have packed before this one got the lock.
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
