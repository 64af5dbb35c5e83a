import { readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, it, onTestFinished } from 'vitest'
import { mountSmallDisk } from '../../../test/mount-small-disk.ts'
import { temporaryFile } from '../../../test/temporary-file.ts'
import { fillNew } from './new-database.ts'
import { migrate, openDatabase } from './open-database.ts'

const OPTIONS = { synchronous: 'full', busyTimeoutMs: 1_000, readOnly: false } as const

/** All that a database without rows is. */
function describeSchema(database: Database.Database): unknown {
  return {
    schema: database.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY rowid').all(),
    ...Object.fromEntries(
      ['user_version', 'application_id', 'page_size'].map((name) => [
        name,
        database.pragma(name, { simple: true }),
      ]),
    ),
  }
}

function migrated(): unknown {
  const database: Database.Database = new Database(':memory:')
  database.pragma('page_size = 8192')
  migrate(database, ':memory:')
  const described = describeSchema(database)
  database.close()
  return described
}

it.each([
  ['file', (): string => temporaryFile()],
  ['memory', (): string => ':memory:'],
] as const)('the first and each later new %s is what the migrations make', async (_, place) => {
  const expected = migrated()
  for (let time = 0; time < 3; time += 1) {
    const path = place()
    const database = await openDatabase({ ...OPTIONS, path })
    expect(describeSchema(database)).toEqual(expected)
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok')
    database.close()
    if (path === ':memory:') continue
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(readdirSync(dirname(path))).toEqual(['memory.db'])
  }
})

it('the migrations are gone through once', () => {
  let times = 0
  for (let time = 0; time < 3; time += 1) {
    const database: Database.Database = new Database(':memory:')
    fillNew(database, () => {
      times += 1
      migrate(database, ':memory:')
    })
    database.close()
  }
  expect(times).toBeLessThanOrEqual(1)
})

it('is made by the connection that opens it, where somebody gave one', async () => {
  const opened: string[] = []
  const connect = (path: string, options: object): Database.Database => {
    opened.push(path)
    return new Database(path, options)
  }
  for (let time = 0; time < 2; time += 1) {
    opened.length = 0
    const path = temporaryFile()
    const database = await openDatabase({ ...OPTIONS, path, connect })
    expect(describeSchema(database)).toEqual(migrated())
    database.close()
    expect(opened).toEqual([`${path}.new-${process.pid}`, path])
  }
})

const disk = mountSmallDisk(200)
/** It takes root on Linux to mount a small disk. */
it.skipIf(disk === null)(
  'is not there, and the reason is told, where the disk has no room for it',
  async () => {
    if (disk === null) return
    onTestFinished(disk.unmount)
    const roomy = await openDatabase({ ...OPTIONS, path: temporaryFile() })
    roomy.close()
    await expect(openDatabase({ ...OPTIONS, path: join(disk.folder, 'memory.db') })).rejects.toMatchObject({
      code: 'store-full',
    })
    expect(readdirSync(disk.folder)).toEqual([])
  },
)
