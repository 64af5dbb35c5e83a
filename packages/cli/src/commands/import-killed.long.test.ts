import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openMemory } from 'keepsake'
import { expect, it } from 'vitest'
import { temporaryFile } from '../../../keepsake/test/temporary-file.ts'
import { run } from '../testing/run-command.ts'

const BIN = fileURLToPath(new URL('../../bin/keepsake.mjs', import.meta.url))
const TURNS = 6_000

async function turnCount(db: string): Promise<number> {
  await using memory = await openMemory({ path: db })
  return (await memory.stats()).turns
}

it(
  'an import that was killed is gone on with, and nothing is imported twice',
  { timeout: 300_000 },
  async () => {
    const db = temporaryFile()
    const chat = temporaryFile('chat.txt')
    const lines = Array.from({ length: TURNS }, (_, index) => {
      const two = (number: number): string => String(number).padStart(2, '0')
      const minute = Math.floor(index / 4)
      const time = `${two(Math.floor(minute / 60) % 24)}:${two(minute % 60)}`
      return `[2026-03-${two(1 + Math.floor(minute / 1_440))} ${time}] ${index % 2 === 0 ? 'Anna' : 'Ben'}: number ${index % 3}`
    })
    writeFileSync(chat, lines.join('\n'))
    const argv = ['import', chat, '--speaker', 'Anna', '--db', db]
    const child = spawn(process.execPath, [BIN, ...argv], { stdio: 'ignore' })
    const isOver = once(child, 'exit')
    while (!existsSync(db) || (await turnCount(db)) < 500) await pause(50)
    child.kill('SIGKILL')
    await isOver
    const before = await turnCount(db)
    expect(before).toBeGreaterThan(0)
    const { json, err } = await run([...argv, '--json'])
    expect(err).toBe('')
    expect(json()).toMatchObject([{ added: TURNS - before, repeated: before }])
    expect(await turnCount(db)).toBe(TURNS)
  },
)
