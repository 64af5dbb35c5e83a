import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { openMemory, type Keepsake } from 'keepsake'
import { run } from '../testing/run-command.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

let folder = ''
let db = ''
let backup = ''
beforeEach(async () => {
  folder = temporaryFolder()
  db = join(folder, 'memory.db')
  backup = join(folder, 'monday.db')
  await withMemory(async (memory) => {
    await memory.scope({ user: 'ana' }).remember([
      { role: 'user', text: 'I live in Porto.', id: 'porto' },
      { role: 'user', text: 'My sister is called Zephyrina.', id: 'sister' },
    ])
    await memory.drain()
    await memory.backup(backup)
    await memory.scope({ user: 'ana' }).erase({ turns: ['sister'] })
  })
})

async function withMemory<Result>(work: (memory: Keepsake) => Promise<Result>): Promise<Result> {
  await using memory = await openMemory({ path: db })
  return await work(memory)
}

const turns = () =>
  withMemory(async (memory) => (await memory.scope({ user: 'ana' }).turns()).map(({ id }) => id))
const cli = (...argv: string[]) => run([...argv, '--db', db])

it('puts a backup in place, keeps what stood there, and tells what was erased since', async () => {
  const put = await cli('restore-backup', backup)
  expect([put.code, put.out]).toEqual([0, expect.stringContaining('keepsake erasures --repeat')])
  expect(put.out).toMatch(/kept as .*memory\.db\.replaced-\d{8}T\d{6}/)
  expect(await turns()).toEqual(['porto', 'sister'])
  expect((await cli('erasures', '--repeat')).out).toContain('Erased again: 1 turn')
  expect(await turns()).toEqual(['porto'])
  const file = readFileSync(db).toString('latin1')
  expect([file.includes('Porto'), file.includes('Zephyrina')]).toEqual([true, false])
})

it('is refused while the memory is open', async () => {
  await withMemory(async () => {
    const refused = await cli('restore-backup', backup)
    expect([refused.code, refused.err]).toEqual([4, expect.stringContaining('is open in a process')])
  })
  expect(await turns()).toEqual(['porto'])
  expect(readdirSync(folder).filter((name) => /replaced|restore-backup/.test(name))).toEqual([])
})

it('says where a file is too damaged to tell, and goes on where it is said that nobody has it open', async () => {
  writeFileSync(db, 'Nothing of it is left. '.repeat(100))
  const refused = await cli('restore-backup', backup)
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('--stopped')])
  expect((await cli('restore-backup', backup, '--stopped')).code).toBe(0)
  expect(await turns()).toEqual(['porto', 'sister'])
})

it('puts one where the file was lost, and names what is wrong with others', async () => {
  for (const end of ['', '-wal', '-shm']) rmSync(`${db}${end}`, { force: true })
  expect((await cli('restore-backup', join(folder, 'none.db'))).code).toBe(3)
  expect(existsSync(db)).toBe(false)
  const [shown] = (await cli('restore-backup', backup, '--json')).json() as {
    replaced: null
    missed: unknown[]
  }[]
  expect(shown).toMatchObject({ replaced: null, missed: [{ turns: 1 }] })
  expect((await run(['restore-backup', backup, '--db', 'postgres://localhost/x'])).code).toBe(2)
  copyFileSync(backup, join(folder, 'copy.db'))
  const mistaken = await cli('restore', join(folder, 'copy.db'), '--user', 'ana')
  expect([mistaken.code, mistaken.err]).toEqual([2, expect.stringContaining('keepsake restore-backup')])
})
