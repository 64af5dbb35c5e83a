// Gives each test run its own temporary folder and deletes it after the run. Killed tests, and processes that tests kill, do not delete their
// files.
import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Linux's file system in memory. */
const IN_MEMORY = '/dev/shm'
/** The free space that is required to use it. A run of the short tests needs less than 1 GiB. */
const MIN_GIBIBYTES = 4

/** Sets the folder before Vitest starts its workers, which inherit the environment. @returns a function that deletes the folder */
export default function setUp(/** @type {import('vitest/node').TestProject} */ { config }) {
  const isLong = 'KEEPSAKE_LONG_TESTS' in config.env
  const folder = mkdtempSync(join(isLong || !hasMemory() ? tmpdir() : IN_MEMORY, 'keepsake-tests-'))
  // Other accounts need access, since Postgres refuses to run as root, and its files are in this folder too.
  chmodSync(folder, 0o711)
  // Operating systems read the temporary folder from these variables.
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = folder
  // Hundreds of tests start a process that imports the engine. With cached code its start needs three quarters of the CPU time.
  process.env['NODE_COMPILE_CACHE'] ??= join(folder, 'compiled')
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
}

/** Reports whether to use memory, which is faster than a disk for thousands of small stores. A folder set by the user takes precedence. */
function hasMemory() {
  if (process.platform !== 'linux' || process.env['TMPDIR'] !== undefined) return false
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY)
    return bavail * bsize > MIN_GIBIBYTES * 2 ** 30
  } catch {
    return false
  }
}
