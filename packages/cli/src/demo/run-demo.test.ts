import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import stringWidth from 'string-width'
import { describe, expect, it } from 'vitest'
import { COMMANDS } from '../commands.ts'
import { run } from '../testing/run-command.ts'
import { readConversation } from './stage.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

const folder = temporaryFolder()

describe('the demo conversations', () => {
  it.each([
    ['maya-en.jsonl', 5, 98],
    ['xiaoyu-zh.jsonl', 4, 70],
  ])('%s has %i sessions of alternating turns with unique ids, in order of time', (file, count, length) => {
    const sessions = readConversation(file)
    const turns = sessions.flatMap((session) => session.turns)
    expect(sessions).toHaveLength(count)
    expect(new Set(turns.map((turn) => turn.id)).size).toBe(length)
    expect(turns).toHaveLength(length)
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
    const [facts] = demo.json() as { promises: { promise: string; kept: boolean }[] }[]
    expect(facts?.promises.filter(({ kept }) => !kept)).toEqual([])
    expect(facts?.promises.map(({ promise }) => promise)).toEqual([
      'No card number is in the file: secrets are masked before storage.',
      expect.stringMatching(/^“Which colleague .+ and none of them mentions Tom\.$/),
      expect.stringMatching(/^“谁给晓雨发消息了\?”.+ and none of them mentions 李航\.$/),
      expect.stringMatching(/^They are no longer recalled, and all \d+ can be restored\.$/),
      expect.stringMatching(/ was forgotten by mistake, and one undo restored it\.$/),
      'After: 0 of 70, looking through every byte of its 4 files.',
    ])
    expect((await run(['scopes', '--db', db, '--json'])).json()).toMatchObject([{ user: 'maya' }])
  })

  it('fits a terminal of 60 columns', async () => {
    const { out } = await run(['demo', '--db', join(folder, 'narrow.db')], { columns: 60 })
    expect(out.split('\n').filter((line) => stringWidth(line) > 60)).toEqual([])
  })

  it('ends with commands that there are, in 80 columns without control characters', async () => {
    const { code, out } = await run(['demo', '--db', join(folder, 'next.db')])
    expect(code).toBe(0)
    const next = out.slice(out.indexOf('Try:')).matchAll(/^ +(?:\S+ )?keepsake (\S+)/gm)
    const names = Array.from(next, ([, name]) => name)
    expect(names.length).toBeGreaterThan(4)
    const known = Object.values(COMMANDS).flatMap((group) => Object.keys(group))
    expect(known).toEqual(expect.arrayContaining(names))
    // eslint-disable-next-line no-control-regex
    expect(out).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F]/)
    expect(
      out
        .replaceAll(folder, '')
        .split('\n')
        .filter((line) => line.length > 80),
    ).toEqual([])
  })

  it('touches no file of yours', async () => {
    const mine = join(folder, 'mine.db')
    writeFileSync(mine, 'precious')
    expect((await run(['demo', '--db', mine])).code).toBe(2)
    expect(readFileSync(mine, 'utf8')).toBe('precious')
  })
})
