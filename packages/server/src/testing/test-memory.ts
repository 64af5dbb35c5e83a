// Opens a memory without a file for one test.
import { openMemory, type Keepsake, type OpenOptions } from 'keepsake'
import { onTestFinished } from 'vitest'

/** The memory is closed when the test ends. */
export async function testMemory(options: Omit<OpenOptions, 'path'> = {}): Promise<Keepsake> {
  const keepsake = await openMemory({ path: ':memory:', ...options })
  onTestFinished(() => keepsake.close())
  return keepsake
}
