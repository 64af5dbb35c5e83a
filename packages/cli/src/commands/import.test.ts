import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Turn } from 'keepsake'
import { describe, expect, it } from 'vitest'
import { temporaryFile } from '../../../keepsake/test/temporary-file.ts'
import { file, importFile, said, sample, turnsOf } from '../../test/import-files.ts'
import { run, type CliRun } from '../testing/run-command.ts'

const turn = (fields: object): string => JSON.stringify({ role: 'user', text: 'Hello', ...fields })
const message = (fields: object): string =>
  `[{"role":"user","content":"Hi"},\n${JSON.stringify({ role: 'user', ...fields })}]`

const REFUSED: readonly [what: string, content: string, options: string[], problem: RegExp][] = [
  ['Unix seconds', turn({ at: 1772535900 }), [], /given.txt:1: "at" is 1772535900, which looks like seconds/],
  [
    '1970',
    turn({ at: '1970-01-21T12:00:00Z' }),
    [],
    /:1: "at" is 1970-01-21, the start of a clock that was never set/,
  ],
  [
    'a day no calendar has',
    `${turn({})}\n${turn({ at: '2026-02-31' })}`,
    [],
    /:2: "at" is impossible: .* 2026-02-31/,
  ],
  ['a time of day no clock has', turn({ at: '2026-02-20T25:00:00Z' }), [], /:1: "at" is impossible/],
  [
    'the far future',
    turn({ at: '2126-02-01T12:00:00Z' }),
    [],
    /:1: "at" is 2126-02-01, which is years in the future/,
  ],
  ['no time', turn({ at: 'yesterday' }), [], /:1: "at" is not a time: "yesterday". Write it as/],
  ['an empty text', `${turn({})}\n\n${turn({ text: ' ' })}`, [], /:3: "text" is empty/],
  ['no text', '{"role":"user"}', ['--format', 'jsonl'], /:1: "text", the message, is missing/],
  ['no content', '{"role":"user"}', [], /:1: "content" is missing/],
  [
    'content for text',
    '{"role":"user","content":"Hi"}',
    ['--format', 'jsonl'],
    /:1: .* there is "content".*--format openai/,
  ],
  ['an unknown role', turn({ role: 'boss' }), [], /:1: "role" must be "user" or "assistant"/],
  [
    'a message without content',
    message({ content: undefined }),
    [],
    /given.txt:2 \$\[1\]: "content" is missing/,
  ],
  ['a message without a role', message({ role: 'boss', content: 'x' }), [], /:2 \$\[1\]: "role" must be/],
  ['content of no kind', message({ content: 7 }), [], /:2 \$\[1\]: "content" must be a string or a list/],
  ['JSON that ends', '[{"role":"user","content":"Hi"},', [], /given.txt:1: this is not JSON: it ends/],
  [
    'JSON without a comma',
    '[{"role":"user","content":"Hi"}\n{"role":"user"}]',
    [],
    /:2: this is not JSON: a comma/,
  ],
  ['nothing', '', [], /given.txt is empty/],
  ['an archive', 'PK\u0003\u0004rest', [], /is a zip archive\. Unpack it .*conversations.json/],
  ['other text', 'just words', [], /is not recognised.*--format/],
  ['other JSON', '{"weather": {"sun": 1}}', [], /Its JSON starts with \$.weather, \$.weather.sun.*--format/],
  [
    'a day that no order fits',
    '13/03/2026, 19:05 - A: x\n03/14/2026, 19:05 - A: y',
    ['--speaker', 'A'],
    /:2: no order of day and month/,
  ],
  [
    'a chat without its user',
    '13/03/2026, 19:05 - Al: x\n13/03/2026, 19:06 - Bo: y',
    [],
    /--speaker to one of "Al" \(1\), "Bo" \(1\)/,
  ],
  ['an unknown speaker', '13/03/2026, 19:05 - Al: x', ['--speaker', 'Cy'], /has no speaker "Cy"\. .*"Al"/],
  [
    'a date that the order forbids',
    '13/03/2026, 19:05 - Al: x',
    ['--speaker', 'Al', '--date-order', 'month-first'],
    /:1: the time is impossible/,
  ],
  [
    'words before any name',
    'what a day\nAnna: Hi\nBen: Ho',
    ['--speaker', 'Anna'],
    /given.txt:1: there is no name/,
  ],
  [
    'a turn of two contents',
    `${turn({ id: 'a' })}\n${turn({ id: 'a', text: 'Else' })}`,
    [],
    /:2: the turn at .*:1 has the same id "a"/,
  ],
]

/** What an option would answer is wrong usage; other files are failures. */
const ASK_FOR_OPTION = new Set(['other text', 'other JSON', 'a chat without its user', 'an unknown speaker'])

describe('what cannot be imported', () => {
  it.each(REFUSED)(
    '%s is refused in a sentence, by file and line, and no database is left',
    async (kind, content, options, problem) => {
      const db = temporaryFile()
      const { code, err, out } = await run([
        'import',
        file(content),
        '--db',
        db,
        '--user',
        'maya',
        ...options,
      ])
      expect([code, out]).toEqual([ASK_FOR_OPTION.has(kind) ? 2 : 1, ''])
      expect(err.trimEnd().split('\n')).toHaveLength(1)
      expect(err).toMatch(problem)
      expect(existsSync(db)).toBe(false)
    },
  )

  it('is told of the second file before the first is stored', async () => {
    const db = temporaryFile()
    const { err } = await run([
      'import',
      file(turn({})),
      file(turn({ at: 'x' })),
      '--db',
      db,
      '--user',
      'maya',
    ])
    expect(err).toMatch(/"at" is not a time/)
    expect(existsSync(db)).toBe(false)
  })

  it('leaves a database that was there as it was', async () => {
    const db = temporaryFile()
    await importFile(db, file(turn({ id: 'first' })), '--user', 'maya')
    const before = await turnsOf(db, 'maya')
    const secret = file(turn({ id: 'my password is hunter2' }))
    const { code, err } = await importFile(db, secret, '--user', 'maya')
    expect(code).toBe(2)
    expect(err).toContain('given.txt:1')
    expect(await turnsOf(db, 'maya')).toEqual(before)
  })
})

describe('dates that can be read in two ways', () => {
  const ambiguous = sample('whatsapp-ambiguous.txt')
  const importChat = (chat: string, ...more: string[]) =>
    run(['import', chat, '--speaker', 'Anna', '--dry-run', '--json', '--time-zone', 'UTC', ...more])

  it('are asked about, by line', async () => {
    const { code, err } = await importChat(ambiguous)
    expect(code).toBe(2)
    expect(err).toMatch(
      /whatsapp-ambiguous.txt:1: 03\/04\/2026 may have the day first or the month first.*--date-order/,
    )
  })

  it.each([
    ['day-first', '2026-04-03T19:05:00.000Z'],
    ['month-first', '2026-03-04T19:05:00.000Z'],
  ])('are read %s where that is said', async (order, expected) => {
    const [survey] = (await importChat(ambiguous, '--date-order', order)).json() as { from: number }[]
    expect(new Date(survey?.from ?? 0).toISOString()).toBe(expected)
  })

  it('are read as the order of the messages has it', async () => {
    const chat = file(
      '03/01/2026, 19:05 - Anna: one\n01/02/2026, 19:06 - Ben: two\n02/02/2026, 19:06 - Ben: three\n',
    )
    const [survey] = (await importChat(chat)).json() as { from: number; notes: string[] }[]
    expect(new Date(survey?.from ?? 0).toISOString()).toBe('2026-01-03T19:05:00.000Z')
    expect(survey?.notes.join(' ')).toMatch(/Dates such as 03\/01\/2026 are read day-first/)
  })
})

describe('dates with a year of two digits', () => {
  const survey = async (content: string): Promise<CliRun> =>
    run(['import', file(content), '--speaker', 'A', '--dry-run', '--json', '--time-zone', 'UTC'])
  const daysOf = (imported: CliRun): string[] =>
    (imported.json() as { from: number; until: number }[]).flatMap(({ from, until }) =>
      [from, until].map((at) => new Date(at).toISOString().slice(0, 10)),
    )

  it.each([
    [
      'Korean ones, on an iPhone',
      '[23. 4. 7. 오전 8:15:00] A: 네\n[23. 5. 2. 오후 8:15:00] B: 응',
      '2023-04-07 2023-05-02',
    ],
    [
      'Korean ones, on Android',
      '23. 11. 9. 오후 8:15 - A: 네\n23. 11. 9. 오후 8:16 - B: 응',
      '2023-11-09 2023-11-09',
    ],
    ['Korean ones with a clock of 24 hours', '[23. 11. 17. 20:15:00] A: 네', '2023-11-17 2023-11-17'],
    ['Japanese ones', '[23/06/18 午後8:15:00] A: はい', '2023-06-18 2023-06-18'],
    ['Hungarian ones', '23. 06. 18. 20:15 - A: Igen', '2023-06-18 2023-06-18'],
    [
      'those that would else jump by years',
      '[23-06-28 20:15:00] A: Ja\n[23-07-02 20:15:00] B: Nej\n[23-08-11 20:15:00] A: Ja',
      '2023-06-28 2023-08-11',
    ],
    ['those that would else be older than any messenger', '23/6/5, 20:15 - A: Hi', '2023-06-05 2023-06-05'],
    ['day first, as usual', '18/06/23, 20:15 - A: Hi\n02/07/23, 20:15 - B: Ho', '2023-06-18 2023-07-02'],
    [
      'two chats in one file, day first',
      '18.06.23, 20:15 - A: Hi\n02.07.23, 20:15 - A: Hi\n21.07.23, 20:15 - A: Hi\n03.02.21, 20:15 - B: Ho',
      '2021-02-03 2023-07-21',
    ],
  ])('are read in their order: %s', async (_name, content, days) => {
    expect(daysOf(await survey(content)).join(' ')).toBe(days)
  })

  it.each([
    [
      'would be many years old day first, and recent year first',
      '23/6/14, 20:15 - A: Hi',
      /the day first or the year first/,
    ],
    [
      'jumps by years in each order',
      '18/06/23, 20:15 - A: Hi\n17/02/19, 20:15 - B: Ho',
      /the day first or the year first/,
    ],
  ])('are asked about: a file that %s', async (_name, content, question) => {
    const { code, err } = await survey(content)
    expect(code).toBe(2)
    expect(err.replaceAll(/\s+/g, ' ')).toMatch(question)
  })
})

describe('an import', () => {
  const lines = (count: number): string =>
    Array.from({ length: count }, (_, index) =>
      turn({
        text: `Line ${index % 7}`,
        at: new Date(Date.UTC(2026, 0, 1) + Math.floor(index / 3) * 1000).toISOString(),
      }),
    ).join('\n')

  it('that was broken off goes on where it was, whatever the ids', async () => {
    const db = temporaryFile()
    const whole = lines(1_200)
    const part = file(whole.split('\n').slice(0, 700).join('\n'), 'part.jsonl')
    expect((await importFile(db, part, '--user', 'maya')).json()).toMatchObject([{ added: 700 }])
    const rest = await importFile(db, file(whole, 'whole.jsonl'), '--user', 'maya')
    expect(rest.json()).toMatchObject([{ added: 500, repeated: 700 }])
    expect((await turnsOf(db, 'maya')).map(({ text }) => text)).toEqual(
      whole.split('\n').map((line) => (JSON.parse(line) as { text: string }).text),
    )
  })

  it('shows on a terminal how far it is', async () => {
    const db = temporaryFile()
    const { err } = await run(['import', sample('openai-lines.jsonl'), '--user', 'maya', '--db', db], {
      columns: 120,
    })
    expect(err).toMatch(/\d\/4/)
  })

  it('tells a preview in words', async () => {
    const { out } = await run(['import', sample('whatsapp-android.txt'), '--speaker', 'Anna', '--dry-run'])
    expect(out).toMatch(
      /whatsapp-android.txt \(whatsapp\)\nuser +Anna\nspeakers +Anna \(4\), Björn Ø \(1\)\nturns +5 in 2 sessions\ntime .* to .*\nfirst +I am back from Porto/,
    )
    expect(out).toMatch(/Nothing was stored/)
  })

  it('of an own export is recognised, previewed and read back', async () => {
    const db = temporaryFile()
    await importFile(db, sample('openai-lines.jsonl'), '--user', 'maya')
    const exported = join(dirname(db), 'maya.jsonl')
    await run(['export', '--user', 'maya', '--db', db, '--out', exported])
    const preview = await run(['import', exported, '--dry-run'])
    expect(preview.out).toMatch(/Keepsake's own export of maya: 4 turns of 2 sessions/)
    const filed = readFileSync(exported, 'utf8').replace('}', ',"categories":{"races":"Races they run."}}')
    expect((await run(['import', file(filed, 'filed.jsonl'), '--dry-run'])).out).toContain('belong to races:')
    const fresh = temporaryFile()
    expect((await run(['import', exported, '--db', fresh])).out).toMatch(/Restored maya/)
    expect(said(await turnsOf(fresh, 'maya'))).toEqual(said(await turnsOf(db, 'maya')))
    const broken = file(
      readFileSync(exported, 'utf8').replace('"row":"turn"', '"row":"trun"'),
      'broken.jsonl',
    )
    const other = temporaryFile()
    const refused = await run(['import', broken, '--db', other])
    expect(refused.err).toMatch(/broken.jsonl:\d+: Line \d+ of the import is not a row/)
    expect(existsSync(other)).toBe(false)
  })
})

describe('an export for others', () => {
  it("is OpenAI's messages, a session a line, which come back as they were said", async () => {
    const db = temporaryFile()
    await importFile(db, sample('whatsapp-android.txt'), '--speaker', 'Anna', '--time-zone', 'UTC')
    const { out } = await run(['export', '--db', db, '--format', 'openai'])
    const [line] = out.split('\n')
    expect(JSON.parse(line ?? '')).toMatchObject({
      messages: [
        { role: 'user', name: 'Anna', content: 'I am back from Porto: it rained all week' },
        { role: 'assistant', name: 'Björn Ø', created_at: '2026-03-13T19:06:00.000Z' },
        { content: '[file]' },
        { content: 'The only dry hour\n[image; name "IMG-20260313-WA0001.jpg"]' },
      ],
    })
    const fresh = temporaryFile()
    const back = await importFile(fresh, file(out, 'back.jsonl'), '--user', 'Anna')
    expect(back.json()).toMatchObject([{ added: 5, sessions: 2 }])
    const strip = (turns: readonly Turn[]) =>
      turns.map(({ role, speaker, text, at: time }) => [role, speaker, text, time])
    expect(strip(await turnsOf(fresh, 'Anna'))).toEqual(strip(await turnsOf(db, 'Anna')))
  })

  it("is a list such as Mem0's, with facts and statements", async () => {
    const db = temporaryFile()
    await importFile(db, sample('letta.json'), '--user', 'ana')
    await importFile(db, file(turn({ text: 'I live in Graz.' })), '--user', 'ana')
    const { out } = await run(['export', '--db', db, '--format', 'mem0'])
    const memories = JSON.parse(out) as { memory: string; user_id: string; metadata: unknown }[]
    expect(memories.map(({ memory }) => memory)).toEqual(
      expect.arrayContaining(['Likes tomatoes.', expect.stringContaining('Graz')]),
    )
    expect(memories.find(({ memory }) => memory === 'Likes tomatoes.')).toMatchObject({
      user_id: 'ana',
    })
    const back = await importFile(temporaryFile(), file(out, 'back.json'))
    expect(back.json()).toMatchObject([{ added: memories.length, users: ['ana'] }])
  })
})

describe('a newer export of the same chat', () => {
  const exported = (words: readonly string[]): string =>
    file(
      JSON.stringify({
        name: 'Ben',
        type: 'personal_chat',
        id: 7,
        messages: words.map((text, id) => ({
          id,
          type: 'message',
          date: '2026-01-01T10:00:00',
          from: 'Ana',
          text,
        })),
      }),
    )

  it('brings edited messages beside their first form, once, and what is new', async () => {
    const db = temporaryFile('edited.db')
    const newer = exported(['I live in Graz, by the river.', 'I bake.', 'I have a dog.'])
    const options = ['--user', 'ana', '--speaker', 'Ana', '--time-zone', 'UTC']
    for (const path of [exported(['I live in Graz.', 'I bake.']), newer, newer])
      expect((await importFile(db, path, ...options)).code).toBe(0)
    expect((await turnsOf(db, 'ana')).map(({ text }) => text)).toEqual([
      'I live in Graz.',
      'I bake.',
      'I live in Graz, by the river.',
      'I have a dog.',
    ])
  })
})
