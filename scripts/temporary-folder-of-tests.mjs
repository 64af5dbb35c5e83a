// What a run of the tests puts into the folder for temporary files goes into one of its own there, which is gone after the run: tests that
// were killed, and the processes that tests kill, clear nothing away.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Vitest calls it before it starts its workers, which inherit where that is. @returns what clears it away */
export default function setUp() {
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-tests-'))
  // Other accounts pass through: Postgres refuses to run as root, and its files stand in here as well.
  chmodSync(folder, 0o711)
  // By these names systems tell where it is.
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = folder
  // Hundreds of tests start a process that imports the engine: compiled once, it starts in three quarters of the CPU time.
  process.env['NODE_COMPILE_CACHE'] ??= join(folder, 'compiled')
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
}
