import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { temporaryFile } from '../../../keepsake/test/temporary-file.ts'
import { at, importFile, said, sample, turnsOf } from '../../test/import-files.ts'
import { run } from '../testing/run-command.ts'

interface Case {
  readonly options?: readonly string[]
  readonly format: string
  readonly user: string
  readonly said: readonly string[]
  /** When the first was said. */
  readonly first?: string
  readonly sessions: number
  readonly notes?: RegExp
}

const UTC = ['--time-zone', 'UTC']
const CASES: Readonly<Record<string, Case>> = {
  'chatgpt.json': {
    options: ['--user', 'maya'],
    format: 'chatgpt',
    user: 'maya',
    said: [
      'user: 我刚搬到杭州，在一家花店上班。',
      'assistant: 欢迎来到杭州！花店忙吗？',
      'user: I signed up for the half marathon in Lisbon.',
      'assistant: Well done! When is it?',
      'user: On the tenth of May. This is the bib.',
      'assistant: Good luck on the tenth of May.',
    ],
    first: '2026-03-03T11:05:10.000Z',
    sessions: 2,
    notes: /2 messages of retried or edited answers .* 1 system or tool message/,
  },
  'claude.json': {
    options: ['--user', 'maya'],
    format: 'claude',
    user: 'maya',
    said: [
      'user: 我对花生过敏。',
      'assistant: 记住了，点菜时我会提醒你。',
      'user: My sourdough never rises.',
      'assistant: How warm is your kitchen?',
    ],
    first: '2026-03-01T08:00:01.000Z',
    sessions: 2,
    notes: /1 message without text/,
  },
  'openai-messages.json': {
    options: ['--user', 'maya'],
    format: 'openai',
    user: 'maya',
    said: ['user: I keep two goats.', 'assistant: What are\nthey called?', 'user: Salt and Pepper.'],
    sessions: 1,
    notes: /No turn has a time: they are dated at import/,
  },
  'openai-conversation.json': {
    options: ['--user', 'maya'],
    format: 'openai',
    user: 'maya',
    said: ['user: I keep two goats.', 'assistant: Lovely.'],
    first: '2026-03-03T11:05:00.000Z',
    sessions: 1,
  },
  'openai-lines.jsonl': {
    options: ['--user', 'maya'],
    format: 'openai',
    user: 'maya',
    said: [
      'user: 我养了两只山羊。',
      'assistant: 叫什么名字？',
      'user: I moved to Leeds.',
      'assistant: How is it there?',
    ],
    sessions: 2,
  },
  'whatsapp-android.txt': {
    options: ['--speaker', 'anna', '--time-zone', 'Europe/Lisbon'],
    format: 'whatsapp',
    user: 'Anna',
    said: [
      'Anna: I am back from Porto: it rained all week',
      'Björn Ø: Oh no!\nSo nothing of the sea?',
      'Anna: The only dry hour',
      'Anna: Good morning',
    ],
    first: '2026-03-13T19:05:00.000Z',
    sessions: 2,
    notes: /2 notices of the messenger .* 1 message without text .* 1 deleted message/,
  },
  'whatsapp-ios.txt': {
    options: ['--user', 'maya', '--time-zone', 'America/New_York'],
    format: 'whatsapp',
    user: 'maya',
    said: [
      'Maya: I started to learn the cello',
      '+44 7700 900123: At last!',
      'Maya: Lesson one is on Monday',
    ],
    first: '2026-03-14T23:05:30.000Z',
    sessions: 1,
  },
  'whatsapp-zh.txt': {
    options: ['--speaker', '林晓雨', '--time-zone', 'Asia/Shanghai'],
    format: 'whatsapp',
    user: '林晓雨',
    said: ['林晓雨: 我养了一只猫，叫团子', '阿杰: 哈哈，好可爱\n什么颜色的？', '林晓雨: 橘色的'],
    first: '2026-03-03T11:05:33.000Z',
    sessions: 1,
  },
  'whatsapp-ar.txt': {
    options: ['--speaker', 'ليلى', ...UTC],
    format: 'whatsapp',
    user: 'ليلى',
    said: ['ليلى: انتقلت إلى عمّان', 'سامي: مبارك!'],
    first: '2026-03-14T19:05:00.000Z',
    sessions: 1,
  },
  'telegram.json': {
    options: ['--speaker', 'Anna'],
    format: 'telegram',
    user: 'Anna',
    said: [
      'Anna: I work at the harbour now, see https://harbour.example',
      'Ben: Since when?',
      'Harbour News: The new crane is here.',
    ],
    first: '2026-03-03T19:05:00.000Z',
    sessions: 2,
  },
  'telegram-account.json': {
    format: 'telegram',
    user: '林晓雨',
    said: ['林晓雨: 我换工作了。', '阿杰: 恭喜！', '林晓雨: 周末回家。'],
    sessions: 2,
  },
  'telegram.txt': {
    options: ['--speaker', 'Anna', ...UTC],
    format: 'telegram',
    user: 'Anna',
    said: ['Anna: I work at the harbour now\nsince Monday', 'Ben: Since when?'],
    first: '2026-03-13T19:05:00.000Z',
    sessions: 1,
  },
  'telegram-copied.txt': {
    options: ['--speaker', 'Anna', ...UTC],
    format: 'telegram',
    user: 'Anna',
    said: ['Anna: I work at the harbour now', 'Ben: Since when?'],
    sessions: 1,
  },
  'transcript.txt': {
    options: ['--speaker', 'Anna'],
    format: 'transcript',
    user: 'Anna',
    said: [
      'Anna: I have a brother in Oslo.',
      'Juno: What does he do there?',
      'Anna: He builds boats.\nNote: wooden ones\nand he sings.',
      'Juno: How lovely!',
    ],
    sessions: 1,
  },
  'transcript-zh.txt': {
    options: ['--user', 'xiaoyu'],
    format: 'transcript',
    user: 'xiaoyu',
    said: ['user: 我妹妹在成都读大学。', 'assistant: 她学什么专业？', 'user: 学建筑，\n已经大三了。'],
    sessions: 1,
  },
  'zep-thread.json': {
    format: 'zep',
    user: 'ana',
    said: ['Ana: I play the oboe.', 'assistant: In an orchestra?'],
    first: '2026-03-03T19:05:00.000Z',
    sessions: 1,
    notes: /1 system or tool message/,
  },
  'zep-session.json': {
    format: 'zep',
    user: 'ana',
    said: ['安娜: 我吹双簧管。', 'Helper: 真好。'],
    sessions: 1,
  },
  'zep-facts.json': {
    options: ['--user', 'ana'],
    format: 'zep',
    user: 'ana',
    said: ['Zep: Ana plays the oboe.'],
    sessions: 1,
    notes: /1 expired statement/,
  },
  'letta.json': {
    options: ['--user', 'ana'],
    format: 'letta',
    user: 'ana',
    said: ['user: I grow tomatoes on the balcony.', 'assistant: Which kind?', 'Letta: Likes tomatoes.'],
    sessions: 2,
    notes: /1 block about the agent/,
  },
  'letta-blocks.json': {
    options: ['--user', 'ana'],
    format: 'letta',
    user: 'ana',
    said: ['Letta: Name is Ana. Likes tea.'],
    sessions: 1,
    notes: /1 block about the agent/,
  },
  'letta-messages.json': {
    options: ['--user', 'ana'],
    format: 'letta',
    user: 'ana',
    said: ['user: 我在阳台种番茄。', 'assistant: 什么品种？'],
    sessions: 1,
  },
}

describe.each(Object.entries(CASES))('%s', (name, expected) => {
  it('is recognised, previewed, imported, and imported again without a turn twice', async () => {
    const db = temporaryFile()
    const options = expected.options ?? []
    const preview = await importFile(db, sample(name), '--dry-run', ...options)
    expect(preview.err).toBe('')
    expect(preview.json()).toMatchObject([
      {
        format: expected.format,
        turns: expected.said.length,
        sessions: expected.sessions,
        users: [expected.user],
        first: expected.said[0]?.replace(/^.+?: /, ''),
        last: expected.said.at(-1)?.replace(/^.+?: /, ''),
      },
    ])
    expect(existsSync(db)).toBe(false)

    const imported = await importFile(db, sample(name), ...options)
    expect(imported.err).toBe('')
    expect(imported.json()).toMatchObject([
      { added: expected.said.length, repeated: 0, sessions: expected.sessions },
    ])
    const [result] = imported.json() as { notes: string[] }[]
    if (expected.notes !== undefined) expect(result?.notes.join(' ')).toMatch(expected.notes)
    const turns = await turnsOf(db, expected.user)
    expect(said(turns)).toEqual(expected.said)
    expect(new Set(turns.map(({ session }) => session)).size).toBe(expected.sessions)
    if (expected.first !== undefined) expect(at(turns[0])).toBe(expected.first)

    const again = await importFile(db, sample(name), ...options)
    expect(again.json()).toMatchObject([{ added: 0, repeated: expected.said.length }])
    expect(await turnsOf(db, expected.user)).toEqual(turns)
  })

  it('comes from stdin as well', async () => {
    const stdin = readFileSync(sample(name), 'utf8')
    const preview = await run(['import', '-', '--dry-run', '--json', ...(expected.options ?? [])], { stdin })
    expect(preview.json()).toMatchObject([{ format: expected.format, turns: expected.said.length }])
  })
})
