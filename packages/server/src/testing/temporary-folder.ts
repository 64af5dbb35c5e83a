// Gives a test a folder of its own, which goes with the folder of the whole run (scripts/temporary-folder-of-tests.mjs).
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const temporaryFolder = (): string => mkdtempSync(join(tmpdir(), 'keepsake-test-'))
