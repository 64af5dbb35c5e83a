import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { FORMATS } from '@keepsake/importing'
import { describe, expect, it } from 'vitest'
import { temporaryFile } from '../../../keepsake/test/temporary-file.ts'
import { at, blocksOf, file, importFile, notesOf, said, sample, turnsOf } from '../../test/import-files.ts'
import { run } from '../testing/run-command.ts'

interface Case {
  readonly options?: readonly string[]
  /** The format that the file's name begins with, when absent. */
  readonly format?: string
  /** Whom the options name, when absent. */
  readonly user?: string
  readonly said: readonly string[]
  /** Whether the file's memories become notes; its messages become turns. */
  readonly isNotes?: true
  /** When the first was said. */
  readonly first?: string
  /** 1 when absent. */
  readonly sessions?: number
  readonly notes?: RegExp
  /** Texts of blocks by name. */
  readonly blocks?: Readonly<Record<string, string>>
}

const UTC = ['--time-zone', 'UTC']
const CASES: Readonly<Record<string, Case>> = {
  'chatgpt.json': {
    options: ['--user', 'maya'],
    said: [
      'user: 我刚搬到杭州，在一家花店上班。',
      'assistant: 欢迎来到杭州！花店忙吗？',
      'user: I signed up for the half marathon in Lisbon.',
      'assistant: Well done! When is it?',
      'user: On the tenth of May. This is the bib.\n[image; url "file-service://x"]',
      'assistant: Good luck on the tenth of May.',
    ],
    first: '2026-03-03T11:05:10.000Z',
    sessions: 2,
    notes: /2 messages of retried or edited answers .* 1 system or tool message/,
  },
  'claude.json': {
    options: ['--user', 'maya'],
    said: [
      'user: 我对花生过敏。',
      'assistant: 记住了，点菜时我会提醒你。',
      'user: My sourdough never rises.',
      'assistant: How warm is your kitchen?',
      'user: [image; name "kitchen.jpg"]',
    ],
    first: '2026-03-01T08:00:01.000Z',
    sessions: 2,
  },
  'openai-messages.json': {
    options: ['--user', 'maya'],
    said: [
      'user: I keep two goats.',
      'assistant: What are\nthey called?',
      'user: Salt and Pepper.\n[image image/png; sha256 6e340b9cffb37a989ca544e6bb780a2c; 1 bytes]',
    ],
    notes: /No turn has a time: they are dated at import/,
  },
  'openai-conversation.json': {
    options: ['--user', 'maya'],
    said: ['user: I keep two goats.', 'assistant: Lovely.'],
    first: '2026-03-03T11:05:00.000Z',
  },
  'openai-lines.jsonl': {
    options: ['--user', 'maya'],
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
    user: 'Anna',
    said: [
      'Anna: I am back from Porto: it rained all week',
      'Björn Ø: Oh no!\nSo nothing of the sea?',
      'Anna: [file]',
      'Anna: The only dry hour\n[image; name "IMG-20260313-WA0001.jpg"]',
      'Anna: Good morning',
    ],
    first: '2026-03-13T19:05:00.000Z',
    sessions: 2,
    notes: /2 notices of the messenger .* 1 deleted message/,
  },
  'whatsapp-ios.txt': {
    options: ['--user', 'maya', '--time-zone', 'America/New_York'],
    said: [
      'Maya: [image]',
      'Maya: I started to learn the cello',
      '+44 7700 900123: At last!',
      'Maya: Lesson one is on Monday',
    ],
    first: '2026-03-14T23:05:09.000Z',
  },
  'whatsapp-zh.txt': {
    options: ['--speaker', '林晓雨', '--time-zone', 'Asia/Shanghai'],
    said: [
      '林晓雨: 我养了一只猫，叫团子',
      '阿杰: 哈哈，好可爱\n什么颜色的？',
      '林晓雨: [image]',
      '林晓雨: 橘色的',
    ],
    first: '2026-03-03T11:05:33.000Z',
  },
  'whatsapp-ar.txt': {
    options: ['--speaker', 'ليلى', ...UTC],
    said: ['ليلى: انتقلت إلى عمّان', 'سامي: مبارك!'],
    first: '2026-03-14T19:05:00.000Z',
  },
  'telegram.json': {
    options: ['--speaker', 'Anna'],
    said: [
      'Anna: I work at the harbour now, see https://harbour.example',
      'Ben: Since when?',
      'Anna: [image; url "photo.jpg"]',
      'Harbour News: The new crane is here.',
    ],
    first: '2026-03-03T19:05:00.000Z',
    sessions: 2,
  },
  'telegram-account.json': {
    user: '林晓雨',
    said: ['林晓雨: 我换工作了。', '阿杰: 恭喜！', '林晓雨: 周末回家。'],
    sessions: 2,
  },
  'telegram.txt': {
    options: ['--speaker', 'Anna', ...UTC],
    said: ['Anna: I work at the harbour now\nsince Monday', 'Ben: Since when?'],
    first: '2026-03-13T19:05:00.000Z',
  },
  'telegram-copied.txt': {
    options: ['--speaker', 'Anna', ...UTC],
    said: ['Anna: I work at the harbour now', 'Ben: Since when?'],
  },
  'transcript.txt': {
    options: ['--speaker', 'Anna'],
    said: [
      'Anna: I have a brother in Oslo.',
      'Juno: What does he do there?',
      'Anna: He builds boats.\nNote: wooden ones\nand he sings.',
      'Juno: How lovely!',
    ],
  },
  'transcript-zh.txt': {
    options: ['--user', 'xiaoyu'],
    said: ['user: 我妹妹在成都读大学。', 'assistant: 她学什么专业？', 'user: 学建筑，\n已经大三了。'],
  },
  'zep-thread.json': {
    user: 'ana',
    said: ['Ana: I play the oboe.', 'assistant: In an orchestra?'],
    first: '2026-03-03T19:05:00.000Z',
    notes: /1 system or tool message/,
  },
  'zep-session.json': {
    user: 'ana',
    said: ['安娜: 我吹双簧管。', 'Helper: 真好。'],
  },
  'zep-facts.json': {
    options: ['--user', 'ana'],
    isNotes: true,
    said: ['Ana plays the oboe.'],
    notes: /1 expired statement/,
  },
  'letta.json': {
    options: ['--user', 'ana'],
    said: ['user: I grow tomatoes on the balcony.', 'assistant: Which kind?'],
    blocks: { human: 'Likes tomatoes.', persona: 'I am Sam.' },
  },
  'letta-blocks.json': {
    options: ['--user', 'ana'],
    said: [],
    sessions: 0,
    blocks: { human: 'Name is Ana. Likes tea.', persona: 'I am kind.' },
  },
  'letta-messages.json': {
    options: ['--user', 'ana'],
    said: ['user: 我在阳台种番茄。', 'assistant: 什么品种？'],
  },
  'sillytavern.jsonl': {
    options: ['--user', 'orla', ...UTC],
    said: [
      'Brannagh: *pours tea* Sit down.',
      'Orla: I keep two ferrets, Nip and Tuck.',
      'Brannagh: Bold names.',
    ],
    first: '2026-02-11T20:05:00.000Z',
    notes: /1 system or tool message/,
  },
  'character-ai.json': {
    options: ['--user', 'orla'],
    said: ['orla_q: I moved to Galway.', 'Brannagh: Salt air suits you.'],
    first: '2025-09-02T18:00:00.000Z',
  },
  'character-ai-histories.json': {
    options: ['--user', 'orla'],
    said: ['Brannagh: Welcome.', 'orla_q: I am afraid of geese.', 'Brannagh: Why?'],
    notes: /1 message of a retried or edited answer/,
  },
  'discord.json': {
    options: ['--user', 'orla'],
    said: [
      'Orla: I quit smoking on Sunday',
      'Tomasz: Proud of you',
      'Orla: [image; name "bassoon.png"; url "https://cdn.example/9/bassoon.png?ex=1&hm=2"]',
    ],
    first: '2026-01-05T08:00:00.500Z',
    notes: /1 notice of the messenger .* 1 message without text/,
  },
  'discord.txt': {
    options: ['--speaker', 'orla', ...UTC],
    said: ['orla: I quit smoking on Sunday\n: third time', 'tomasz: Proud of you'],
    first: '2026-01-25T08:00:00.000Z',
  },
  'discord.csv': {
    options: ['--user', 'orla', '--speaker', 'orla'],
    format: 'csv',
    said: [
      'orla: I quit smoking on Sunday',
      'orla: [image; name "bassoon.png"; url "https://cdn.example/9/bassoon.png?ex=1"]\n[file; name "notes.pdf"; url "https://cdn.example/10/notes.pdf"]',
      'tomasz: Proud of you',
    ],
    first: '2026-01-05T08:00:00.000Z',
    notes: /1 message without text/,
  },
  'slack.json': {
    options: ['--user', 'orla', '--speaker', 'Orla Quinn'],
    said: [
      'Orla Quinn: I am allergic to cats & dust, see the list\n[file application/pdf; name "list.pdf"; url "https://files.slack.example/F1/list.pdf"]',
      'U8: Noted',
      'U8: [image image/png; name "Cat"; url "https://files.slack.example/F2/cat"]',
    ],
    notes: /1 notice of the messenger .* 1 system or tool message .* 1 message without text/,
  },
  'openwebui.json': {
    options: ['--user', 'orla'],
    said: ['user: My flat is in Cork.', 'assistant: Lovely.', 'user: I play the bassoon', 'assistant: Deep.'],
    first: '2026-01-05T08:00:00.000Z',
    notes: /2 messages of retried or edited answers/,
  },
  'librechat.json': {
    options: ['--user', 'orla'],
    said: ['user: My flat is in Cork.', 'assistant: Lovely.'],
    first: '2026-01-05T08:00:00.000Z',
  },
  ...Object.fromEntries(
    [
      'langchain.json',
      'langchain-js.json',
      'langchain-serialised.json',
      'langchain-flat.json',
      'sharegpt.json',
    ].map((file): [string, Case] => [
      file,
      {
        options: ['--user', 'orla'],
        format: file.split(/[-.]/)[0] ?? '',
        user: 'orla',
        said: ['user: My flat is in Cork.', 'assistant: Lovely.'],
        sessions: 1,
      },
    ]),
  ),
  'messenger.json': {
    options: ['--user', 'zoe', '--speaker', 'Zoë Quinn'],
    said: ["Zoë Quinn: J'ai déménagé à Nîmes 🌞", 'Tom: Très bien!'],
    first: '2026-01-05T08:00:00.000Z',
  },
  'gemini-api.json': {
    options: ['--user', 'orla'],
    format: 'gemini',
    said: ['user: My flat is in Cork.', 'assistant: Lovely.'],
    notes: /1 (?:message without text|system or tool message)/,
  },
  'gemini.json': {
    options: ['--user', 'orla'],
    said: [
      'user: my flat is in Cork',
      'assistant: Nice.',
      'user: what goes with oboe',
      'assistant: A piano & patience.',
    ],
    first: '2026-01-04T09:00:00.000Z',
    sessions: 2,
    notes: /1 notice/,
  },
  'claude-code.jsonl': {
    options: ['--user', 'orla'],
    said: ['user: I never want semicolons', 'assistant: Fine.'],
    first: '2026-01-05T08:00:01.000Z',
    notes: /2 system or tool messages/,
  },
  'mcp-memory.jsonl': {
    options: ['--user', 'orla'],
    format: 'memory-notes',
    isNotes: true,
    said: ['Orla: Keeps ferrets', 'Orla: Is afraid of geese', 'Orla is married to Tomasz'],
  },
  'claude-memories.json': {
    options: ['--user', 'orla'],
    format: 'memory-notes',
    isNotes: true,
    said: ['Orla tunes pianos.', 'Orla must not lift pianos.', 'The project is about felt.'],
  },
  'replika.csv': {
    options: ['--user', 'orla'],
    format: 'csv',
    said: ['user: I tune pianos, mostly old ones', 'assistant: A fine craft!'],
    first: '2026-01-05T08:00:00.000Z',
  },
  'table.csv': {
    options: ['--user', 'anna', ...UTC],
    format: 'csv',
    said: ['Orla: Ich stimme Klaviere;\nmeist alte', 'Tomasz: Schön'],
    first: '2026-01-05T08:00:00.000Z',
    notes: /each is stored under their name/,
  },
  'line.txt': {
    options: ['--speaker', 'Orla', ...UTC],
    said: ['Orla: I tune pianos\nmostly old ones', 'Tomasz: A fine craft'],
    first: '2026-01-05T10:00:00.000Z',
    notes: /2 messages without text/,
  },
  'whatsapp-2014.txt': {
    options: ['--speaker', 'Orla Quinn', ...UTC],
    said: ['Orla Quinn: I tune pianos', 'Tomasz: A fine craft'],
    first: '2014-11-05T17:03:48.000Z',
    sessions: 2,
  },
  'whatsapp-ko.txt': {
    options: ['--speaker', '지우', ...UTC],
    said: ['지우: 피아노를 조율해', '하준: 멋지다'],
    first: '2026-01-05T09:05:00.000Z',
  },
  'whatsapp-th.txt': {
    options: ['--speaker', 'มะลิ', ...UTC],
    said: ['มะลิ: ฉันย้ายไปภูเก็ตแล้ว', 'ก้อง: ดีใจด้วย'],
    first: '2026-01-05T09:05:00.000Z',
    sessions: 2,
  },
  'whatsapp-fa.txt': {
    options: ['--speaker', 'مینا', ...UTC],
    said: ['مینا: به شیراز آمدم', 'رضا: خوب است'],
    first: '2026-01-05T09:05:00.000Z',
  },
  'whatsapp-bg.txt': {
    options: ['--speaker', 'Мила', ...UTC],
    said: ['Мила: Живея във Варна', 'Иво: чудесно'],
    first: '2026-01-05T09:05:00.000Z',
  },
  'claude-branches.json': {
    options: ['--user', 'orla'],
    said: ['user: I tune pianos.', 'assistant: Which kind?', 'user: Grands'],
    notes: /1 message of a retried or edited answer/,
  },
}

const LONGEST_FIRST = FORMATS.toSorted((one, other) => other.length - one.length)

describe.each(Object.entries(CASES))('%s', (name, expected) => {
  const { options = [], sessions = 1 } = expected
  const named = options[options.indexOf('--user') + 1 || options.indexOf('--speaker') + 1]
  const textIn = (line: string | undefined): string | null =>
    (expected.isNotes ? line : line?.replace(/^.+?: /, '')) ?? null
  const { format = LONGEST_FIRST.find((one) => name.startsWith(one)), user = named ?? '' } = expected
  it('is recognised, previewed, imported, and imported again without a turn twice', async () => {
    const db = temporaryFile()
    const preview = await importFile(db, sample(name), '--dry-run', ...options)
    expect(preview.err).toBe('')
    expect(preview.json()).toMatchObject([
      {
        format,
        turns: expected.said.length,
        sessions,
        users: [user],
        blocks: Object.keys(expected.blocks ?? {}).length,
        first: textIn(expected.said[0]),
        last: textIn(expected.said.at(-1)),
      },
    ])
    expect(existsSync(db)).toBe(false)

    const imported = await importFile(db, sample(name), ...options)
    expect(imported.err).toBe('')
    expect(imported.json()).toMatchObject([{ added: expected.said.length, repeated: 0, sessions }])
    const [result] = imported.json() as { notes: string[] }[]
    if (expected.notes !== undefined) expect(result?.notes.join(' ')).toMatch(expected.notes)
    const turns = await turnsOf(db, user)
    expect(await notesOf(db, user)).toEqual(expected.isNotes ? expected.said.toSorted() : [])
    expect(said(turns)).toEqual(expected.isNotes ? [] : expected.said)
    if (!expected.isNotes) expect(new Set(turns.map(({ session }) => session)).size).toBe(sessions)
    expect(await blocksOf(db, user)).toEqual(expected.blocks ?? {})
    if (expected.first !== undefined) expect(at(turns[0])).toBe(expected.first)

    const again = await importFile(db, sample(name), ...options)
    expect(again.json()).toMatchObject([{ added: 0, repeated: expected.said.length, blocks: 0 }])
    expect(await turnsOf(db, user)).toEqual(turns)
  })

  it('comes from stdin as well', async () => {
    const stdin = readFileSync(sample(name), 'utf8')
    const preview = await run(['import', '-', '--dry-run', '--json', ...options], { stdin })
    expect(preview.json()).toMatchObject([{ format, turns: expected.said.length }])
  })
})

it('a file of which nothing can be imported fails with the reason, and leaves no database', async () => {
  const db = temporaryFile()
  const file = temporaryFile()
  writeFileSync(
    file,
    JSON.stringify([
      { role: 'system', content: 'Be kind.' },
      { role: 'tool', content: '12' },
    ]),
  )
  const imported = await importFile(db, file, '--user', 'orla')
  expect(imported.code).toBe(1)
  expect(imported.err).toMatch(
    /Nothing was imported: .* read as openai, .* 2 system or tool messages were skipped/,
  )
  expect(existsSync(db)).toBe(false)
})

const NO_MESSAGES: readonly [what: string, content: string, reason: RegExp][] = [
  ['a list without items', '[]', /read as jsonl, contains no message/],
  [
    'a chat with nothing but a notice',
    '13/03/2026, 19:05 - Messages are end-to-end encrypted.\n',
    /read as whatsapp, .* 1 notice of the messenger was skipped/,
  ],
]
it.each(NO_MESSAGES)('%s fails with the reason, in a dry run too', async (_what, content, reason) => {
  for (const options of [[], ['--dry-run']]) {
    const imported = await importFile(temporaryFile(), file(content), '--user', 'orla', ...options)
    expect([imported.code, imported.out]).toEqual([1, ''])
    expect(imported.err).toMatch(reason)
  }
})

it.each([
  ['Wed, 04/03/2026', '2026-03-04'],
  ['Wednesday, 04/03/2026', '2026-03-04'],
  ['Fri, 04/03/2026', '2026-04-03'],
  ['2026.04.03 Friday', '2026-04-03'],
])('the day of the week in a LINE chat shows the order of its dates: %s', async (day, date) => {
  const chat = file(
    `[LINE] Chat history with Tomasz\n\n${day}\n10:00\tOrla\tI tune pianos\n`,
    'line-days.txt',
  )
  const surveyed = await run(['import', chat, '--speaker', 'Orla', '--dry-run', '--json', ...UTC])
  expect(surveyed.json()).toMatchObject([{ from: Date.parse(`${date}T10:00:00Z`) }])
})

it.each([
  ['discord.json', 'Orla'],
  ['discord.csv', 'orla'],
  ['messenger.json', 'Zoë Quinn'],
  ['slack.json', 'Orla Quinn'],
  ['line.txt', 'Orla'],
])('the speaker of %s is the user, where no other name is given', async (name, speaker) => {
  const surveyed = await run(['import', sample(name), '--speaker', speaker, '--dry-run', '--json', ...UTC])
  expect([surveyed.err, surveyed.json()]).toMatchObject(['', [{ users: [speaker] }]])
})

it('of a Slack export users.json, given along with a day, names the people', async () => {
  const users = file(JSON.stringify([{ id: 'U8', profile: { real_name: 'Ben Ash' } }]), 'users.json')
  const [db, day] = [temporaryFile(), sample('slack.json')]
  const imported = await run([
    'import',
    day,
    users,
    '--db',
    db,
    '--user',
    'ben',
    '--speaker',
    'Ben Ash',
    '--json',
  ])
  expect(imported.json()).toMatchObject([{ added: 3 }])
  expect((await turnsOf(db, 'ben')).map(({ role, speaker }) => `${role} ${speaker}`)).toEqual([
    'assistant Orla Quinn',
    'user Ben Ash',
    'user Ben Ash',
  ])
})
