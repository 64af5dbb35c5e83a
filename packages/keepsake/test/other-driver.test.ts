import { dirname, join } from 'node:path'
import Connection from 'better-sqlite3'
import { expect, it } from 'vitest'
import { openMemory } from 'keepsake'
import type { ConnectSqlite } from 'keepsake/store'
import { filesHolding } from './search-bytes.ts'
import { temporaryFile } from './temporary-file.ts'

it('opens every file by the driver that it is given, erases to the last byte, and makes no copy that might be plain', async () => {
  const path = temporaryFile()
  const opened: string[] = []
  // Stands in for one that encrypts.
  const connect: ConnectSqlite = (file, options) => {
    opened.push(file)
    return new Connection(file, options)
  }
  const keepsake = await openMemory({ path, connect })
  const ana = keepsake.scope({ user: 'ana' })
  await ana.remember({ role: 'user', text: 'The zanzibarwedding was on a Tuesday.', id: 't1' })
  await ana.remember({ role: 'user', text: 'I have a parrot.' })
  await keepsake.drain()
  const receipt = await ana.erase({ turns: ['t1'] })
  expect((await keepsake.erasure(receipt?.id ?? '', 30_000))?.purgedAt).toEqual(expect.any(Number))
  expect(filesHolding(dirname(path), ['zanzibarwedding'])).toEqual([])
  await expect(keepsake.backup(join(dirname(path), 'copy.db'))).rejects.toMatchObject({
    code: 'not-possible',
  })
  await keepsake.close()
  expect(opened).toEqual([path])
})
