import { copyFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openMemory, type EraseReceipt } from 'keepsake'
import { mountSmallDisk } from './mount-small-disk.ts'
import { filesHolding } from './search-bytes.ts'
import { temporaryFile } from './temporary-file.ts'

const SECRET = 'The zanzibarwedding was on a Tuesday.'

/** Of some 2.7 MB, made where there is room for its journal. */
async function makeMemory(path: string): Promise<void> {
  const roomy = temporaryFile()
  const keepsake = await openMemory({ path: roomy })
  const ana = keepsake.scope({ user: 'ana' })
  await ana.remember({ role: 'user', text: SECRET, id: 'secret' })
  const turns = Array.from({ length: 1_100 }, (_, index) => ({
    role: 'assistant' as const,
    text: `Number ${index}: ${'so it goes on and on '.repeat(40)}`,
  }))
  await ana.remember(turns)
  await keepsake.drain()
  await keepsake.close()
  copyFileSync(roomy, path)
}

/** Takes all room that is left but so many kilobytes. */
function takeRoom(folder: string, leftKilobytes: number): string {
  const file = join(folder, 'filler')
  const { bavail, bsize } = statfsSync(folder)
  writeFileSync(file, Buffer.alloc(bavail * bsize - leftKilobytes * 1_024))
  return file
}

const disk = mountSmallDisk(9_000)
/** It takes root on Linux to mount a small disk. */
it.skipIf(disk === null)(
  'erases where there is no room for a second copy, opens and serves again, and takes the bytes out once there is',
  async () => {
    if (disk === null) return
    onTestFinished(disk.unmount)
    const path = join(disk.folder, 'memory.db')
    await makeMemory(path)
    const keepsake = await openMemory({ path })
    // The journal of the erasure takes 610 kB; a second copy would take 3 MB.
    const filler = takeRoom(disk.folder, 800)
    const told: EraseReceipt[] = []
    keepsake.on('scope-erased', ({ receipt }) => told.push(receipt))
    const receipt = await keepsake.scope({ user: 'ana' }).erase({ turns: ['secret'] })
    expect(told.map(({ id }) => id)).toEqual([receipt?.id])
    expect(receipt?.purgedAt).toBeNull()
    await keepsake.close()

    const again = await openMemory({ path })
    const ana = again.scope({ user: 'ana' })
    expect((await ana.recall('When was the zanzibarwedding?')).context.text).not.toContain('Tuesday')
    expect((await ana.recall('What goes on and on?')).memories.length).toBeGreaterThan(0)
    rmSync(filler)
    expect((await again.erasure(receipt?.id ?? '', 30_000))?.purgedAt).toEqual(expect.any(Number))
    expect(filesHolding(disk.folder, ['zanzibarwedding'])).toEqual([])
    await again.close()
  },
)
