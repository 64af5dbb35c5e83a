import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { run } from '../testing/run-command.ts'
import { readConversation } from './read-conversation.ts'

const folder = mkdtempSync(join(tmpdir(), 'keepsake-demo-test-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the demo conversations', () => {
  it.each([
    ['maya-en.jsonl', 'maya'],
    ['xiaoyu-zh.jsonl', 'xiaoyu'],
  ])('%s has sessions of alternating turns with unique ids, in order of time', (file, user) => {
    const { sessions } = readConversation(file, user, user)
    const turns = sessions.flatMap((session) => session.turns)
    expect(sessions.length).toBeGreaterThanOrEqual(4)
    expect(new Set(turns.map((turn) => turn.id)).size).toBe(turns.length)
    const times = turns.map((turn) => Date.parse(turn.at))
    expect(times).toEqual(times.toSorted((one, other) => one - other))
    for (const session of sessions) {
      expect(session.turns.map((turn) => turn.role)).toEqual(
        session.turns.map((_, index) => (index % 2 === 0 ? 'user' : 'agent')),
      )
    }
  })
})

describe('keepsake demo', () => {
  it('keeps every promise it tests, in JSON and in words, and leaves a database to go on with', async () => {
    const db = join(folder, 'kept.db')
    const demo = await run(['demo', '--db', db, '--json'])
    expect(demo.err).toBe('')
    expect(demo.code).toBe(0)
    const [facts] = demo.json() as { promises: { kept: boolean }[] }[]
    expect(facts?.promises.length).toBeGreaterThanOrEqual(5)
    expect(facts?.promises.every(({ kept }) => kept)).toBe(true)
    expect((await run(['scopes', '--db', db, '--json'])).json()).toMatchObject([{ user: 'maya' }])
  })

  it('fits 80 columns and writes no control characters without a terminal', async () => {
    const { code, out } = await run(['demo', '--no-keep'])
    expect(code).toBe(0)
    // eslint-disable-next-line no-control-regex
    expect(out).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F]/)
    expect(out.split('\n').filter((line) => line.length > 80)).toEqual([])
  })

  it('touches no file of yours', async () => {
    const mine = join(folder, 'mine.db')
    writeFileSync(mine, 'precious')
    expect((await run(['demo', '--db', mine])).code).toBe(2)
    expect(readFileSync(mine, 'utf8')).toBe('precious')
  })
})
