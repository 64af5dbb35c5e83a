import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { temporaryFile } from '../../../keepsake/test/temporary-file.ts'
import { at, blocksOf, file, importFile, notesOf, said, turnsOf } from '../../test/import-files.ts'
import { run } from '../testing/run-command.ts'

interface Variant {
  readonly content: string
  readonly said: readonly string[]
  /** Memories that become notes. */
  readonly notes?: readonly string[]
  /** When the last was said. */
  readonly last?: string
  readonly user?: string
}

const json = (value: unknown): string => JSON.stringify(value)
const chat = (...lines: readonly string[]): string => lines.join('\n')
const T = '2026-03-14T10:00:00Z'

/** Shapes in which programs write their exports beside those of the samples. */
const VARIANTS: Readonly<Record<string, Variant>> = {
  'Messenger, its own sentences': {
    content: json({
      messages: [
        ['Ana Fox', 'I moved to Graz 😊'],
        ['Ben', 'Reacted 😂 to your message '],
        ['Ben', 'Ben sent an attachment.'],
        ['Ana Fox', 'Ana Fox hat einen Anhang gesendet.'],
        ['Ben', 'Liked a message'],
        ['Ana Fox', 'You sent a photo.'],
        ['Ana Fox', 'Ana sent a live location.'],
        ['Ben', 'The video chat ended.'],
        ['Ben', 'Hat mit ❤ auf deine Nachricht reagiert'],
        ['Ben', 'Ben is what they call me'],
      ].map(([name, content], at) => ({ sender_name: name, content, timestamp_ms: Date.parse(T) + at })),
    }),
    said: ['Ana Fox: I moved to Graz 😊', 'Ben: Ben is what they call me'],
  },
  'Messenger, encrypted': {
    content: json({
      participants: ['Ana', 'Ben'],
      messages: [
        { senderName: 'Ben', text: 'oops', timestamp: Date.parse(T) + 2, isUnsent: true },
        { senderName: 'Ben', text: 'Schön', timestamp: Date.parse(T) + 1, isUnsent: false },
        { senderName: 'Ana', text: 'Ich wohne in Köln', timestamp: Date.parse(T), isUnsent: false },
      ],
    }),
    said: ['Ana: Ich wohne in Köln', 'Ben: Schön'],
  },
  'Gemini in another language': {
    content: json([
      {
        header: 'Gemini-Apps',
        title: 'Eingegebener Prompt: Ich lerne Harfe',
        time: T,
        safeHtmlItem: [{ html: 'Gut' }],
      },
      { header: 'Gemini-Apps', title: 'Gemini-Apps verwendet', time: T },
    ]),
    said: ['user: Ich lerne Harfe', 'assistant: Gut'],
  },
  'a table with times since 1970 and marks in words': {
    content: 'name;time;message\nAna;1773482399;I moved\nBen;1773482400000;Well; yes; good',
    said: ['Ana: I moved', 'Ben: Well; yes; good'],
    last: '2026-03-14T10:00:00.000Z',
  },
  'a table with days alone': {
    content: 'Date,Sender,Message\n13.03.2026,Ana,I moved\n14.03.2026,Ben,Good',
    said: ['Ana: I moved', 'Ben: Good'],
  },
  'LINE in Chinese, with notices': {
    content: chat(
      '[LINE] 與小明的聊天',
      '',
      '2026/03/13（五）',
      '上午10:15\t小華\t我搬到台北了',
      '下午10:16\t小明\t"好',
      '真的？"',
      '下午10:17\t小明已收回訊息',
      '2026年3月14日',
      '上午12:05\t小華\t晚安',
    ),
    said: ['小華: 我搬到台北了', '小明: 好\n真的？', '小華: 晚安'],
    user: '小華',
  },
  'LINE on a phone in English': {
    content: chat(
      'Chat history with Lotte',
      'Saved on: 2026/03/15 18:00',
      '',
      'Sat, 2026/03/14',
      '10:15\tBram\tI live in Edam',
      '10:16\tLotte\tLovely',
    ),
    said: ['Bram: I live in Edam', 'Lotte: Lovely'],
    user: 'Bram',
  },
  'ShareGPT, other assistants and roles': {
    content: json([
      {
        id: 'a',
        conversations: [
          { from: 'human', value: 'I keep bees' },
          { from: 'bing', value: 'Sweet' },
        ],
      },
      {
        id: 'b',
        conversations: [
          { role: 'user', content: 'I row' },
          { role: 'assistant', content: 'Often?' },
        ],
      },
    ]),
    said: ['user: I keep bees', 'assistant: Sweet', 'user: I row', 'assistant: Often?'],
  },
  'WhatsApp in Swedish and Indonesian, deleted': {
    content: chat(
      '2026-03-14 19:05 - Ana: Hej',
      '2026-03-14 19:06 - Ben: Det här meddelandet har raderats',
      '2026-03-14 19:07 - Ben: Pesan ini telah dihapus',
    ),
    said: ['Ana: Hej'],
  },
  'LINE, notices with an empty name': {
    content: chat(
      '[LINE] Lotteとのトーク履歴',
      '',
      '2025/03/12(水)',
      '09:01\tBram\tI live in Edam',
      '09:02\t\tLotteがメッセージの送信を取り消しました',
      '午後1:03\tLotte\t"9:04 works,',
      '10:00 too"',
      '午後1:04\t \tLotteがグループを退会しました。',
      '09:05 PM\t\tLotte left the group.',
      '09:06\tBram\tメッセージの送信を取り消しました',
    ),
    said: ['Bram: I live in Edam', 'Lotte: 9:04 works,\n10:00 too', 'Bram: メッセージの送信を取り消しました'],
    user: 'Bram',
  },
  'LINE of a computer, notices': {
    content: chat(
      '2025.03.12 水曜日',
      '09:01 Bram I live in Edam',
      '09:02 Lotteがメッセージの送信を取り消しました',
      '09:03 Lotte hi',
      '09:04 Lotteがグループを退会しました。',
      '09:05 Lotte unsent a message.',
      '09:06 Lotte She unsent a message, I think.',
    ),
    said: ['Bram: I live in Edam', 'Lotte: hi', 'Lotte: She unsent a message, I think.'],
    user: 'Bram',
  },
  'WhatsApp, deleted messages in Polish and Chinese': {
    content: chat(
      '12.03.2025, 09:01 - Bram: Mieszkam w Edam',
      '12.03.2025, 09:02 - Bram: Usunięto tę wiadomość',
      '12.03.2025, 09:03 - Lotte: 您已删除此消息',
      '12.03.2025, 09:04 - Lotte: 您已删除此消息吗？',
      '13.03.2025, 09:04 - Bram: Usunięto tę wiadomość z grupy?',
    ),
    said: ['Bram: Mieszkam w Edam', 'Lotte: 您已删除此消息吗？', 'Bram: Usunięto tę wiadomość z grupy?'],
    user: 'Bram',
  },
  'LINE of a computer, a name of two words': {
    content: chat(
      '2026.03.13 金曜日',
      '10:15 Ana 引っ越しました',
      '10:16 Ben Fox いいね',
      '10:17 Ben Fox どこに',
      '10:18 Ben Fox 行きます',
    ),
    said: ['Ana: 引っ越しました', 'Ben Fox: いいね', 'Ben Fox: どこに', 'Ben Fox: 行きます'],
  },
  'Claude Code, what the program wrote beside the user': {
    content: chat(
      ...[
        { content: '<system-reminder>\nBe good\n</system-reminder>\n\nI keep bees' },
        {
          content: [
            { type: 'text', text: '<ide_opened_file>a.ts</ide_opened_file>' },
            { type: 'text', text: 'Why?' },
          ],
        },
        { content: '[Request interrupted by user for tool use]' },
        { content: 'I live in Rome.', isCompactSummary: true },
        { content: 'Is <b>this</b> bold?' },
      ].map(({ content, ...rest }, line) =>
        json({
          type: 'user',
          sessionId: 's',
          uuid: `u${line}`,
          timestamp: T,
          message: { role: 'user', content },
          ...rest,
        }),
      ),
    ),
    said: ['user: I keep bees', 'user: Why?', 'user: Is <b>this</b> bold?'],
  },
  'SillyTavern of older releases': {
    content: chat(
      json({ user_name: 'Ana', character_name: 'Aqua', create_date: '2026-3-14 @9h 58m 4s 5ms' }),
      json({ name: 'Ana', is_user: true, mes: 'I keep bees', send_date: '2026-3-14 @9h 59m 4s 5ms' }),
      json({ name: 'Aqua', is_user: false, mes: 'How sweet', send_date: '2026-03-14 @10h 00m 00s 511ms' }),
    ),
    said: ['Ana: I keep bees', 'Aqua: How sweet'],
    last: '2026-03-14T10:00:00.000Z',
  },
  'LibreChat, an answer with thoughts': {
    content: json({
      conversationId: 'c',
      messages: [
        { messageId: 'a', isCreatedByUser: true, text: 'I keep bees', createdAt: T },
        {
          messageId: 'b',
          parentMessageId: 'a',
          isCreatedByUser: false,
          text: ':::thinking\nThey may own hives.\n:::\n\nHow sweet',
          createdAt: T,
        },
      ],
    }),
    said: ['user: I keep bees', 'assistant: How sweet'],
  },
  'LibreChat, an answer of an assistant with a picture': {
    content: json({
      conversationId: 'c',
      messages: [
        { messageId: 'a', isCreatedByUser: true, text: 'Draw a hive', createdAt: T },
        {
          messageId: 'b',
          parentMessageId: 'a',
          isCreatedByUser: false,
          text: '',
          content: [
            { type: 'text', text: { value: 'This is a hive.', annotations: [] } },
            { type: 'image_file', image_file: { file_id: 'f1' } },
          ],
          createdAt: T,
        },
      ],
    }),
    said: ['user: Draw a hive', 'assistant: This is a hive.\n[image; name "f1"]'],
  },
  'WhatsApp with digits of Bengali and words of Hindi': {
    content: '১৪/৩/২৬, ৯:৫৯ AM - Ana: মধু\n14/03/26, 10:00 पूर्वाह्न - Ben: शहद',
    said: ['Ana: মধু', 'Ben: शहद'],
    last: '2026-03-14T10:00:00.000Z',
  },
  'WhatsApp in Vietnamese': {
    content: '09:59, 14/3/2026 - Ana: Mật ong\n10:00, 14/3/2026 - Ben: Ngon',
    said: ['Ana: Mật ong', 'Ben: Ngon'],
    last: '2026-03-14T10:00:00.000Z',
  },
  'ShareGPT, items and messages': {
    content: json([
      { id: 'a', items: [{ from: 'human', value: 'I keep bees' }] },
      { id: 'b', messages: [{ role: 'user', content: 'I own a kiln' }] },
    ]),
    said: ['user: I keep bees', 'user: I own a kiln'],
  },
  'messages of no words among others': {
    content: json([
      { role: 'user', content: 'I keep bees' },
      { role: 'assistant', content: '' },
      { role: 'user', content: null },
    ]),
    said: ['user: I keep bees'],
  },
  'Open WebUI, a list': {
    content: json([
      { chat: { messages: [{ role: 'user', content: 'I keep bees', timestamp: 1_773_482_400 }] } },
    ]),
    said: ['user: I keep bees'],
    last: '2026-03-14T10:00:00.000Z',
  },
  'WhatsApp in German': {
    content: chat(
      '14.03.26, 19:05 - Ana: Ich habe einen Hund',
      '14.03.26, 19:06 - Ben: Diese Nachricht wurde gelöscht.',
      '14.03.26, 19:07 - Ana hat die Gruppe "Hunde: wir" erstellt.',
      '14.03.26, 19:08 - Ben: Toll <Diese Nachricht wurde bearbeitet.>',
      '14.03.26, 19:09 - ~\u202FCleo: Guten Tag',
    ),
    said: ['Ana: Ich habe einen Hund', 'Ben: Toll', 'Cleo: Guten Tag'],
  },
  'WhatsApp in French, deleted': {
    content: '14/03/2026, 19:05 - Ana: Salut\n14/03/2026, 19:08 - Ben: Ce message a été supprimé',
    said: ['Ana: Salut'],
  },
  'WhatsApp of iOS, what came with words': {
    content:
      '[14/03/2026, 19:05:11] Ana: Our garden \u200E<attached: 00000013-PHOTO.jpg>\n[14/03/2026, 19:06:11] Ben: I read <Dune> twice',
    said: ['Ana: Our garden\n[image; name "00000013-PHOTO.jpg"]', 'Ben: I read <Dune> twice'],
  },
  'WhatsApp, where somebody is': {
    content: chat(
      '14/03/2026, 19:05 - Ana: On my way',
      '14/03/2026, 19:06 - Ana: live location shared',
      '14/03/2026, 19:07 - Ana: location: https://maps.example/?q=1,2',
    ),
    said: ['Ana: On my way'],
  },
  'names with a quotation in them': {
    content: '14/03/2026, 19:05 - Al "Ace" Fox: Hi\n14/03/2026, 19:06 - Ana: Hello',
    said: ['Al "Ace" Fox: Hi', 'Ana: Hello'],
  },
  'times with their zone': {
    content: '2026-03-03T19:05:00Z Ana: I moved to Oslo\n2026-03-03T21:06:30+02:00 Ben: Nice',
    said: ['Ana: I moved to Oslo', 'Ben: Nice'],
    last: '2026-03-03T19:06:30.000Z',
  },
  'times behind the name': {
    content: 'Ana (2026-03-14 19:05): I like tea\nBen (2026-03-14 19:06): Me too\nand cake',
    said: ['Ana: I like tea', 'Ben: Me too\nand cake'],
    last: '2026-03-14T19:06:00.000Z',
  },
  'a talk copied from a page': {
    content: 'You said:\nI moved to Oslo\nChatGPT said:\nNice\nYou said:\nYes',
    said: ['user: I moved to Oslo', 'assistant: Nice', 'user: Yes'],
  },
  'a talk copied from a Chinese page': {
    content: '你说：\n我搬到杭州了\nChatGPT 说：\n好',
    said: ['user: 我搬到杭州了', 'assistant: 好'],
  },
  'a transcript with times of day': {
    content: chat('[09:01] Bram: I live in Edam', '[09:02] Lotte: nice', '10:30 or so?', '[09:03] Bram: yes'),
    said: ['Bram: I live in Edam', 'Lotte: nice\n10:30 or so?', 'Bram: yes'],
    user: 'Bram',
  },
  'a transcript with times of twelve hours': {
    content: chat('9:01 AM - Bram: I live in Edam', '9:02:10 p.m. - Lotte: nice', '[9:03 PM]Bram: yes'),
    said: ['Bram: I live in Edam', 'Lotte: nice', 'Bram: yes'],
    user: 'Bram',
  },
  'a transcript with times of day, 中文': {
    content: chat('[09:01] 小明：我住在台北', '[09:02] 小華：真好'),
    said: ['小明: 我住在台北', '小華: 真好'],
    user: '小明',
  },
  'a page copied from Slack': {
    content: chat('Bram Vos  [9:01 AM]', 'I live in Edam.', 'Note: on a boat', 'Lotte [9:02 AM]', 'nice'),
    said: ['Bram Vos: I live in Edam.\nNote: on a boat', 'Lotte: nice'],
    user: 'Bram Vos',
  },
  'a page copied from Discord, today': {
    content: chat('Bram — Today at 9:01 AM', 'I live in Edam.', 'Lotte — 9:02 AM', 'nice'),
    said: ['Bram: I live in Edam.', 'Lotte: nice'],
    user: 'Bram',
  },
  'a page copied from Discord, with dates': {
    content: chat('Bram — 03/13/2026 9:01 AM', 'I live in Edam.', 'Lotte — 03/14/2026 10:00 AM', 'nice'),
    said: ['Bram: I live in Edam.', 'Lotte: nice'],
    user: 'Bram',
  },
  'a transcript whose texts have lines with times': {
    content: chat('Anna: the plan', 'Dinner – 18:30', 'Meet [9:01] sharp', '10:30: we leave', 'Ben: ok'),
    said: ['Anna: the plan\nDinner – 18:30\nMeet [9:01] sharp\n10:30: we leave', 'Ben: ok'],
    user: 'Anna',
  },
  'a transcript with a title': {
    content: '# A talk\n\n---\n\n**User:** I moved to Oslo\n\n**Assistant:** Nice',
    said: ['user: I moved to Oslo', 'assistant: Nice'],
  },
  'Telegram, messages that its program does not know': {
    content: json({
      name: 'Ben',
      id: 7,
      messages: [
        { id: 1, type: 'message', date: T, from: 'Ana', text: 'Hello' },
        { id: 2, type: 'unsupported' },
      ],
    }),
    said: ['Ana: Hello'],
  },
  'messages of the AI SDK': {
    content: json([
      { id: '1', role: 'user', parts: [{ type: 'text', text: 'I moved' }] },
      { id: '2', role: 'assistant', parts: [{ type: 'step-start' }, { type: 'text', text: 'Nice' }] },
    ]),
    said: ['user: I moved', 'assistant: Nice'],
  },
  'what an answer of OpenAI’s consists of': {
    content: json([
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'I moved' }] },
      { type: 'reasoning', summary: [] },
      { type: 'function_call', name: 'find', arguments: '{}', call_id: 'c' },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Nice' }] },
    ]),
    said: ['user: I moved', 'assistant: Nice'],
  },
  'ChatGPT, what an answer cites': {
    content: json({
      id: 'c',
      create_time: 1_772_560_000,
      mapping: {
        q: said1('user', 'What is 【1†this】?', null, ['a']),
        a: said1('assistant', 'A fern.\uE200cite\uE202turn0search1\uE201 Yes【4:0†plants.pdf】.', 'q', []),
      },
    }),
    said: ['user: What is 【1†this】?', 'assistant: A fern. Yes.'],
  },
  'Zep, facts with their times': {
    content: json({
      messages: [{ uuid: 'm', role: 'Ana', role_type: 'user', content: 'I play the oboe', created_at: T }],
      facts: ['Ana plays the oboe'],
      relevant_facts: [{ uuid: 'f', fact: 'Ana plays the oboe', created_at: T }],
    }),
    said: ['Ana: I play the oboe'],
    notes: ['Ana plays the oboe'],
    last: '2026-03-14T10:00:00.000Z',
  },
  'Zep, what an application put into the graph': {
    content: json({
      episodes: [
        { uuid: 'e', source: 'text', content: 'Ana bought a boat', created_at: T },
        { uuid: 'j', source: 'json', content: '{"a":1}', created_at: T },
      ],
    }),
    said: [],
    notes: ['Ana bought a boat'],
  },
  'Letta, passages of older versions': {
    content: json([{ id: 'p', text: 'Ana grows tomatoes', created_at: T, embedding_config: {} }]),
    said: [],
    notes: ['Ana grows tomatoes'],
  },
}

function said1(role: string, text: string, parent: string | null, children: readonly string[]): object {
  return { parent, children, message: { author: { role }, content: { content_type: 'text', parts: [text] } } }
}

describe.each(Object.entries(VARIANTS))('%s', (_name, variant) => {
  const { content, said: expected, notes = [], last, user = 'Ana' } = variant
  it('is read as it was meant', async () => {
    const db = temporaryFile()
    const options = ['--user', user, '--time-zone', 'UTC']
    const preview = await importFile(db, file(content), '--dry-run', ...options)
    expect(preview.err).toBe('')
    expect(preview.json()).toMatchObject([{ turns: expected.length + notes.length }])
    await importFile(db, file(content), ...options)
    const turns = await turnsOf(db, user)
    expect(said(turns)).toEqual(expected)
    expect(await notesOf(db, user)).toEqual(notes)
    if (last !== undefined) expect(at(turns.at(-1))).toBe(last)
  })
})

const REFUSED: readonly [what: string, content: string | Buffer, name: string, problem: RegExp][] = [
  [
    'letters of another encoding',
    Buffer.from('Anna: Guten Tag\nBen: sch\u00F6n\n', 'latin1'),
    'chat.txt',
    /chat.txt:2: this line is not valid UTF-8\. Save the file as UTF-8/,
  ],
  [
    'letters of another encoding, far behind',
    Buffer.concat([Buffer.from('Anna: 你好！\n'.repeat(80_000)), Buffer.from([0xe4, 0x0a])]),
    'chat.txt',
    /chat.txt:80001: this line is not valid UTF-8/,
  ],
  [
    'what gzip made',
    gzipSync('{}'),
    'conversations.json.gz',
    /is compressed with gzip\. Unpack it \(gunzip\)/,
  ],
  [
    'what an export holds beside the talks',
    json([{ message_id: '1', rating: 'thumbsUp', content: '{}' }]),
    'message_feedback.json',
    /contains no conversations\. .* in conversations.json, next to/,
  ],
  [
    'times without names behind them',
    '[3/14/2026 7:05 PM] Maya Lin\nI like tea\n[3/14/2026 7:06 PM] Ben\nMe too\n',
    'chat.txt',
    /None of the lines with a time has a name/,
  ],
  [
    'a line in brackets that is no JSON',
    '[A chat]\nwords without names\n',
    'chat.txt',
    /format of .* is not recognised\. Set --format/,
  ],
  [
    'a blank memory',
    json({ results: [{ id: 'm', memory: ' ' }] }),
    'memories.json',
    /results\[0\]: \\"memory\\" is empty\. Remove the memory/,
  ],
  [
    'an impossible time with its zone',
    '2026-02-31T19:05:00Z Ana: I moved\n2026-03-03T19:05:00Z Ben: Nice\n',
    'log.txt',
    /log.txt:1: the time is impossible: no calendar or clock shows 2026-02-31 19:05/,
  ],
]

describe('import refuses', () => {
  it.each(REFUSED)('%s, and says what to do', async (_what, content, name, problem) => {
    const db = temporaryFile()
    const path = join(dirname(temporaryFile()), 'given', name)
    mkdirSync(dirname(path))
    writeFileSync(path, content)
    const refused = await importFile(db, path, '--user', 'Ana')
    expect(refused.code).not.toBe(0)
    expect(refused.err).toMatch(problem)
  })

  it('no text for a character that stands where one piece of the file ends and the next begins', async () => {
    const db = temporaryFile()
    const content = `Anna: ${'x'.repeat((1 << 20) - 8)}你好\nBen: ho\nAnna: 再见`
    const preview = await importFile(db, file(content), '--user', 'Anna', '--dry-run')
    expect(preview.json()).toMatchObject([{ turns: 3, last: '再见' }])
  })
})

it('writes Letta’s core memory as blocks, each once, and leaves an edited one as it is', async () => {
  const db = temporaryFile()
  const human = { label: 'human', value: 'Name is Ana.', limit: 200 }
  const agents = [
    {
      agent_type: 'memgpt_agent',
      name: 'Sam',
      core_memory: [human, { label: 'persona', value: 'I am Sam.' }],
    },
    {
      agent_type: 'memgpt_agent',
      name: 'Kim',
      core_memory: [human, { label: 'persona', value: 'I am Kim.' }],
    },
  ]
  const given = file(JSON.stringify({ agents }))
  const imported = await importFile(db, given, '--user', 'ana')
  expect(imported.json()).toMatchObject([{ blocks: 3, added: 0, users: ['ana'] }])
  await run(['edit-block', 'human', '--insert', 'Likes tea.', '--db', db, '--user', 'ana', '--json'])
  const refused = await run([
    'edit-block',
    'persona',
    '--insert',
    'x'.repeat(5_000),
    '--db',
    db,
    '--user',
    'ana',
  ])
  expect(refused.err).toContain('takes 5000 characters')
  const again = await importFile(db, given, '--user', 'ana')
  expect(again.json()).toMatchObject([{ blocks: 0 }])
  expect(await blocksOf(db, 'ana')).toEqual({
    human: 'Name is Ana.\nLikes tea.',
    persona: 'I am Sam.',
    'persona-2': 'I am Kim.',
  })
})
