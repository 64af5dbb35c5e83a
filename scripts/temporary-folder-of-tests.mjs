// What a run of the tests puts into the folder for temporary files goes into one of its own there, which is gone after the run: tests that
// were killed, and the processes that tests kill, clear nothing away.
import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The memory of the machine as a folder, where Linux has one. */
const IN_MEMORY = '/dev/shm'
/** A run of the short tests takes less than one. */
const LEAST_GIBIBYTES = 4

/** Vitest calls it before it starts its workers, which inherit where that is. @returns what clears it away */
export default function setUp(/** @type {import('vitest/node').TestProject} */ { config }) {
  const isLong = 'KEEPSAKE_LONG_TESTS' in config.env
  const folder = mkdtempSync(join(isLong || !hasMemory() ? tmpdir() : IN_MEMORY, 'keepsake-tests-'))
  // Other accounts pass through: Postgres refuses to run as root, and its files stand in here as well.
  chmodSync(folder, 0o711)
  // By these names systems tell where it is.
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = folder
  // Hundreds of tests start a process that imports the engine: compiled once, it starts in three quarters of the CPU time.
  process.env['NODE_COMPILE_CACHE'] ??= join(folder, 'compiled')
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
}

/** Thousands of small stores wait for a disk else, and nothing there has to outlast the machine. A folder that is set counts. */
function hasMemory() {
  if (process.platform !== 'linux' || process.env['TMPDIR'] !== undefined) return false
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY)
    return bavail * bsize > LEAST_GIBIBYTES * 2 ** 30
  } catch {
    return false
  }
}
