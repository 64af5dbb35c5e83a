import { appendFileSync, copyFileSync, existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { openMemory, type Keepsake, type UnappliedErasure } from 'keepsake'
import { run } from '../testing/run-command.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

let folder = ''
let db = ''
let ledger = ''
beforeEach(async () => {
  folder = temporaryFolder()
  db = join(folder, 'memory.db')
  ledger = `${db}-erasures`
  await withMemory(async (memory) => {
    for (const user of ['ana-quixotica', 'ben', 'cleo'])
      await memory.scope({ user }).remember([
        { role: 'user', text: 'I live in Porto.', id: `${user}-porto` },
        { role: 'user', text: 'I am allergic to peanuts.', id: `${user}-peanuts` },
        { role: 'user', text: 'My sister is called Zephyrina.', id: `${user}-sister` },
      ])
    await memory.scope({ user: 'cleo' }).note('Likes the window seat.', { name: 'seat' })
    await memory.drain()
  })
})

async function withMemory<Result>(
  work: (memory: Keepsake) => Promise<Result>,
  path = db,
  erasureLog?: string,
): Promise<Result> {
  await using memory = await openMemory({ path, ...(erasureLog === undefined ? {} : { erasureLog }) })
  return await work(memory)
}

const cli = (...argv: string[]) => run([...argv, '--db', db])

/** A person, a turn and a note are erased, after a backup was made. */
async function eraseThree(): Promise<void> {
  expect((await cli('backup', join(folder, 'backup.db'))).code).toBe(0)
  expect((await cli('erase', '--user', 'ana-quixotica', '--yes')).code).toBe(0)
  expect((await cli('erase', '--user', 'ben', '--turn', 'ben-sister', '--yes')).code).toBe(0)
  const seat = await withMemory(async (memory) => {
    const notes = await memory.scope({ user: 'cleo' }).memories({ forms: ['note'] })
    return notes[0]?.id ?? ''
  })
  expect((await cli('erase', '--user', 'cleo', '--memory', seat, '--yes')).code).toBe(0)
}

/** As one does who has lost the file. */
function putBackupBack(): void {
  for (const end of ['', '-wal', '-shm']) rmSync(`${db}${end}`, { force: true })
  copyFileSync(join(folder, 'backup.db'), db)
}

async function missed(): Promise<UnappliedErasure[]> {
  const [shown] = (await cli('erasures', '--json')).json() as { missed: UnappliedErasure[] }[]
  return shown?.missed ?? []
}

function warnings(): Error[] {
  const told: Error[] = []
  const listen = (warning: Error): void => void told.push(warning)
  process.on('warning', listen)
  onTestFinished(() => void process.off('warning', listen))
  return told
}

const everything = (memory: Keepsake, user: string) =>
  Array.fromAsync(memory.scope({ user }).export()).then((lines) => lines.join('\n'))

describe('a backup that is put back', () => {
  it('tells when it is opened and by command what was erased since, and erases it again', async () => {
    await eraseThree()
    expect(await missed()).toEqual([])
    putBackupBack()
    const told = warnings()
    expect(await missed()).toEqual([
      expect.objectContaining({ of: 'person', user: 'ana-quixotica', turns: 3 }),
      expect.objectContaining({ of: 'part', user: 'ben', turns: 1 }),
      expect.objectContaining({ of: 'part', user: 'cleo', turns: 0, memories: 1 }),
    ])
    await new Promise(setImmediate)
    expect(told.map(({ message }) => message).join()).toContain('3 erasures were made after')
    expect((await cli('erasures')).out).toContain('ana-quixotica')

    expect((await cli('erasures', '--repeat')).out).toContain('by 3 erasures')
    expect(await missed()).toEqual([])
    await withMemory(async (memory) => {
      expect((await memory.scopes()).map(({ user }) => user)).toEqual(['ben', 'cleo'])
      expect(await everything(memory, 'ben')).not.toContain('Zephyrina')
      expect(await everything(memory, 'ben')).toContain('peanuts')
      expect(await everything(memory, 'cleo')).not.toContain('window seat')
      expect(await everything(memory, 'cleo')).toContain('Zephyrina')
    })
    putBackupBack()
    expect(await missed()).toHaveLength(6)
    expect(await cli('erasures', '--repeat')).toMatchObject({ code: 0 })
    expect(await missed()).toEqual([])
  })

  it('keeps what an erased person said after the erasure', async () => {
    await eraseThree()
    putBackupBack()
    await withMemory(async (memory) => {
      const ana = memory.scope({ user: 'ana-quixotica' })
      await ana.remember({ role: 'user', text: 'I moved to Lyon.', at: Date.now() + 1_000 })
      await memory.drain()
      await memory.reapplyErasures()
      expect(await everything(memory, 'ana-quixotica')).toContain('Lyon')
      expect(await everything(memory, 'ana-quixotica')).not.toMatch(/Porto|peanuts|Zephyrina/)
    })
  })

  it('says the same where the ledger lies elsewhere, and in a store that is no copy', async () => {
    const elsewhere = join(folder, 'elsewhere.jsonl')
    const env = { KEEPSAKE_ERASURE_LOG: elsewhere }
    await run(['backup', join(folder, 'backup.db'), '--db', db])
    await run(['erase', '--user', 'ben', '--yes', '--db', db], { env })
    expect([existsSync(ledger), existsSync(elsewhere)]).toEqual([false, true])
    const exported = await withMemory((memory) => everything(memory, 'cleo'), join(folder, 'backup.db'))
    const lines = await withMemory((memory) => everything(memory, 'ben'), join(folder, 'backup.db'))
    const other = join(folder, 'other.db')
    await withMemory(
      async (memory) => {
        await memory.import(exported.split('\n'))
        await memory.import(lines.split('\n'))
      },
      other,
      join(folder, 'another.jsonl'),
    )
    const shown = await run(['erasures', '--db', other, '--erasure-log', elsewhere, '--json'])
    expect(shown.json()).toEqual([{ missed: [expect.objectContaining({ user: 'ben', turns: 3 })] }])
  })
})

describe('an export that is read back', () => {
  it('tells of erasures since it was made, until they are made again', async () => {
    const file = join(folder, 'ben.jsonl')
    await cli('export', '--user', 'ben', '--out', file)
    await cli('erase', '--user', 'ben', '--turn', 'ben-sister', '--yes')
    await cli('erase', '--user', 'ben', '--yes')
    const read = await cli('import', file)
    expect([read.code, read.out]).toEqual([0, expect.stringContaining('2 erasures happened after')])
    expect(await missed()).toMatchObject([
      { of: 'part', turns: 1 },
      { of: 'person', turns: 3 },
    ])
    await cli('erasures', '--repeat')
    expect(await missed()).toEqual([])
    await withMemory(async (memory) =>
      expect((await memory.scopes()).map(({ user }) => user)).toEqual(['ana-quixotica', 'cleo']),
    )
  })
})

describe('the ledger', () => {
  it('holds no name, no id and no word, and is its owner’s alone', async () => {
    await eraseThree()
    const text = readFileSync(ledger, 'utf8')
    expect(text.split('\n').filter((line) => line !== '')).toHaveLength(3)
    // Salt and digests are of letters and digits, which spell a short name by chance: looked for are whole values and long words.
    expect(text).not.toMatch(/quixotica|"(?:ben|cleo|seat)"|\b(?:porto|peanuts|sister|zephyrina)\b/i)
    expect(statSync(ledger).mode & 0o777).toBe(0o600)
  })

  it('is made whole again from the store, and a line that was cut off does no harm', async () => {
    await eraseThree()
    const whole = readFileSync(ledger, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
    rmSync(ledger)
    appendFileSync(ledger, whole[0]?.slice(0, 40) ?? '')
    await withMemory(async () => {})
    putBackupBack()
    expect((await missed()).map(({ user }) => user)).toEqual(['ana-quixotica', 'ben', 'cleo'])
  })

  it('says nothing to a new memory in the place of one that was thrown away', async () => {
    await eraseThree()
    for (const end of ['', '-wal', '-shm']) rmSync(`${db}${end}`, { force: true })
    const told = warnings()
    await withMemory(async () => {})
    await withMemory(
      async (memory) =>
        void (await memory.scope({ user: 'ben' }).remember({ role: 'user', text: 'I live in Lyon.' })),
    )
    expect(await missed()).toEqual([])
    expect(told).toEqual([])
  })
})
