import { beforeEach, describe, expect, it } from 'vitest'
import { scriptedUpstream, sendWhole, type ScriptedUpstream } from '../chats/testing/scripted-upstream.ts'
import { serveChat, type ServedChat } from '../chats/testing/serve-chat.ts'

/** A message as a chat program sends it. */
interface Sent {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string
  readonly name?: string
}

let upstream: ScriptedUpstream
let served: ServedChat
beforeEach(async () => {
  upstream = await scriptedUpstream()
  served = await serveChat({ upstream: { url: upstream.url, key: 'sk-upstream' } })
})

/** Sends a request, has it answered so, and waits until the exchange is stored. @returns the header that says what became of it */
async function generate(
  messages: readonly Sent[],
  answer: string,
  {
    headers = {},
    ...body
  }: { readonly headers?: Record<string, string>; readonly [name: string]: unknown } = {},
): Promise<string | null> {
  upstream.script = (_, response) => sendWhole(response, answer)
  const { response } = await served
    .client(headers)
    .chat.completions.create({ model: 'm', ...body, messages: [...messages] })
    .withResponse()
  await served.pending.drain()
  return response.headers.get('x-keepsake-memory')
}

const system = (content: string): Sent => ({ role: 'system', content })
const said = (content: string): Sent => ({ role: 'user', content })
const answered = (content: string): Sent => ({ role: 'assistant', content })

describe('SillyTavern 1.13.0, a chat completion source of its own address', () => {
  const OPENING = [
    system("Write Seraphina's next reply in a fictional chat between Seraphina and Ana."),
    system('Seraphina keeps a forest inn.'),
    system('[Start a new Chat]'),
  ]
  const GREETING = answered('Welcome, traveller.')
  const MINE = said('I keep four hives of bees on my roof.')
  const settings = { user: 'ana', stream: false, temperature: 1, max_tokens: 300, stop: [] }
  const send = (messages: readonly Sent[], answer: string) =>
    generate([...OPENING, GREETING, ...messages], answer, settings)
  const turns = () => served.turns({ user: 'ana' })

  it('a message, a swipe and a regenerated answer: the last answer counts', async () => {
    for (const answer of ['Bees!', 'Honey, then.', 'How many hives?']) await send([MINE], answer)
    await send([MINE, answered('How many hives?'), said('Four.')], 'A full roof.')
    expect(await turns()).toEqual([
      `user: ${MINE.content}`,
      'assistant: How many hives?',
      'user: Four.',
      'assistant: A full roof.',
    ])
  })

  it.each([
    ['kept', '<think>Bees.</think>'],
    ['removed', ''],
  ])('an answer with thoughts, which the client has %s in its history, is replaced', async (_, sent) => {
    const think = (text: string) => `<think>Bees.</think>${text}`
    await send([MINE], think('How many hives?'))
    const history = [MINE, answered(`${sent}How many hives?`), said('Four.')]
    for (const answer of ['A roof.', 'A full roof.']) await send(history, think(answer))
    expect((await turns()).slice(1)).toEqual([
      'assistant: How many hives?',
      'user: Four.',
      'assistant: A full roof.',
    ])
  })

  it('swipes and edits replace what was before, also with instructions behind the history', async () => {
    const notes = [system('[Stay in character.]'), system("[Author's note: it rains.]")]
    for (const answer of ['Bees!', 'Honey, then.', 'How many hives?']) await send([MINE, ...notes], answer)
    const next = [MINE, answered('How many hives?')]
    for (const answer of ['A roof.', 'A full roof.'])
      await send([...next, said('I have four of them.'), ...notes], answer)
    await send([...next, said('Ask me tomorrow, please.'), ...notes], 'As you wish.')
    expect(await turns()).toEqual([
      `user: ${MINE.content}`,
      'assistant: How many hives?',
      'user: Ask me tomorrow, please.',
      'assistant: As you wish.',
    ])
  })

  it('in a named chat, a first message edited to other words replaces the one before once the chat goes on', async () => {
    const headers = { 'X-Keepsake-Session': 'bees' }
    const say = (messages: readonly Sent[], answer: string) =>
      generate([...OPENING, GREETING, ...messages], answer, { ...settings, headers })
    await say([MINE], 'Bees!')
    const edited = said('Good evening, innkeeper.')
    await say([edited], 'Sit down.')
    await say([edited, answered('Sit down.'), said('My goat is called Ida.')], 'Ida.')
    expect(await turns()).toEqual([
      'user: Good evening, innkeeper.',
      'assistant: Sit down.',
      'user: My goat is called Ida.',
      'assistant: Ida.',
    ])
    await say([said('Good evening, my dear innkeeper.')], 'Good evening.')
    expect(await turns()).toEqual(['user: Good evening, my dear innkeeper.', 'assistant: Good evening.'])
  })

  it('a named session of a client that sends its last message alone keeps all', async () => {
    const settings = { user: 'ana', headers: { 'X-Keepsake-Session': 'bees' } }
    for (const name of ['Ida', 'Moritz', 'Clementine'])
      await generate([said(`I have a goat called ${name}.`)], 'Nice.', settings)
    expect((await turns()).filter((line) => line.startsWith('user'))).toHaveLength(3)
  })

  it('an answer that is continued by the nudge is one answer', async () => {
    await send([MINE], 'Bees on a roof')
    await send(
      [
        MINE,
        answered('Bees on a roof'),
        system('[Continue your last message without repeating its original content.]'),
      ],
      ' are rare here.',
    )
    await send([MINE, answered('Bees on a roof are rare here.'), said('Not at all.')], 'I see.')
    const stored = await served.keepsake.scope({ user: 'ana' }).turns()
    const inTime = stored.toSorted((one, other) => one.at - other.at)
    expect(inTime.map(({ role, text }) => `${role}: ${text}`)).toEqual([
      `user: ${MINE.content}`,
      'assistant: Bees on a roof are rare here.',
      'user: Not at all.',
      'assistant: I see.',
    ])
  })

  it('an edited message replaces the one before', async () => {
    await send([MINE], 'Bees!')
    await send([MINE, answered('Bees!'), said('My goat is called Ida.')], 'Ida.')
    await send([MINE, answered('Bees!'), said('My goat is called Ilda.')], 'Ilda.')
    expect((await turns()).slice(-2)).toEqual(['user: My goat is called Ilda.', 'assistant: Ilda.'])
    expect((await turns()).join()).not.toContain('Ida.')
  })

  it('a message edited back, and an answer or swipe chosen again, are there once more', async () => {
    const back = [MINE, answered('Bees!'), said('My goat is called Ida.')]
    await send([MINE], 'Bees!')
    await send(back, 'Ida.')
    await send([MINE, answered('Bees!'), said('My goat is called Ilda.')], 'Ilda.')
    await send(back, 'Ida.')
    expect((await turns()).slice(-2)).toEqual(['user: My goat is called Ida.', 'assistant: Ida.'])
    await send(back, 'A fine name.')
    await send(back, 'Ida.')
    expect((await turns()).slice(-2)).toEqual(['user: My goat is called Ida.', 'assistant: Ida.'])
    await send([...back, answered('A fine name.'), said('Yes.')], 'Good.')
    expect((await turns()).toSorted()).toEqual([
      'assistant: A fine name.',
      'assistant: Bees!',
      'assistant: Good.',
      'user: I keep four hives of bees on my roof.',
      'user: My goat is called Ida.',
      'user: Yes.',
    ])
  })

  it('two chats that go on beside each other leave each other alone', async () => {
    const other = said('What is mead?')
    await send([MINE], 'Bees!')
    await send([other], 'Honey wine.')
    await send([MINE, answered('Bees!'), said('Tell me more about them.')], 'They fly.')
    await send([other, answered('Honey wine.'), said('Tell me more about it.')], 'It is sweet.')
    expect(new Set(await turns()).size).toBe(8)
    await send([MINE, answered('Bees!'), said('Thanks!')], 'Any time.')
    await send([other, answered('Honey wine.'), said('Thanks!')], 'You are welcome.')
    expect(await turns()).toEqual(
      expect.arrayContaining(['assistant: Any time.', 'assistant: You are welcome.']),
    )
  })

  it('words that the model writes for the user are a draft, and nobody’s turn', async () => {
    await send([MINE], 'Bees!')
    const point =
      "[Write your next reply from the point of view of Ana, using the chat history so far as a guideline for the writing style of Ana. Don't write as Seraphina or system.]"
    await send([MINE, answered('Bees!'), system(point)], 'I sold all my hives yesterday.')
    expect((await turns()).join()).not.toContain('sold')
    await send([MINE, answered('Bees!'), said('I love them.')], 'I see.')
    expect((await turns()).slice(-2)).toEqual(['user: I love them.', 'assistant: I see.'])
  })

  it.each([
    'I noted [the next message] down.',
    'She wrote [as a joke].\n\n[My goat]',
    '[My goat is called Ida.]',
    '我写了[以小白的身份回复]，好玩。',
  ])('brackets of one’s own stay: %s', async (text) => {
    await send([said(text)], 'Bees!')
    expect((await turns()).at(-2)).toBe(`user: ${text}`)
  })

  it('a group’s nudge and a note behind the history change nothing', async () => {
    await send([MINE, system('[Write the next reply only as Seraphina.]')], 'Bees!')
    expect((await turns()).slice(-2)).toEqual([`user: ${MINE.content}`, 'assistant: Bees!'])
  })
})

describe('a group chat of SillyTavern, whose characters answer one after the other', () => {
  const turns = () => served.turns({ user: 'ana' })
  const send = (messages: readonly Sent[], answer: string) =>
    generate(mergeUsers([system('A group.'), ...messages]), answer, { user: 'ana' })
  /** Joins the user's messages in a row, as strict clients do. */
  const mergeUsers = (messages: readonly Sent[]): Sent[] =>
    messages.reduce<Sent[]>((merged, message) => {
      const last = merged.at(-1)
      if (message.role !== 'user' || last?.role !== 'user') return [...merged, message]
      return [...merged.slice(0, -1), { ...last, content: `${last.content}\n\n${message.content}` }]
    }, [])
  const GOAT = 'My goat is called Trix and she lives in Hexham.'

  interface GroupCase {
    readonly kind: string
    readonly text?: string
    readonly first?: string
    readonly second: string
    readonly nudge?: (name: string) => Sent[]
    /** What stands before a character's message. */
    readonly label?: (name: string) => string
  }
  const SNOW = '我的山羊叫小雪，住在山上。'

  it.each<GroupCase>([
    {
      kind: 'nudge',
      second: 'Good name.',
      nudge: (name) => [system(`[Write the next reply only as ${name}.]`)],
    },
    { kind: 'names', second: 'Good name.' },
    { kind: 'names, unfinished', first: 'nice goat', second: 'Agreed' },
    { kind: 'names, 中文', text: SNOW, first: '真可爱', second: '我也想看', label: (name) => `${name}：` },
    {
      kind: '中文',
      text: SNOW,
      first: '真可爱',
      second: '我也想看',
      nudge: (name) => [system(`请只以${name}的身份回复`)],
    },
    {
      kind: 'nudge merged into the user’s message',
      second: 'Good name.',
      nudge: (name) => [said(`[Write the next reply only as ${name}.]`)],
    },
    {
      kind: 'another nudge',
      first: '*waves*',
      second: '*bows*',
      nudge: (name) => [system(`Reply only as ${name}.`), system('Vivid!')],
    },
    { kind: 'names as fields', second: '"Hats?" she asks.', label: () => '' },
  ])('each message is one of its own: $kind', async (group) => {
    const { text = GOAT, first = 'How old is she?', second, nudge = () => [], label } = group
    const by = (name: string, content: string): Sent => {
      const words = `${label?.(name) ?? `${name}: `}${content}`
      return { ...answered(words), ...(words === content ? { name } : {}) }
    }
    await send([said(text), ...nudge('Bea')], first)
    const round = [said(text), by('Bea', first)]
    await send([...round, ...nudge('Cyr')], 'Draft.')
    await send([...round, ...nudge('Cyr')], second)
    const next = [...round, by('Cyr', second), said('And she eats hats.')]
    await send([...next, ...nudge('Bea')], 'All of them?')
    await send([...next, by('Bea', 'All of them?'), ...nudge('Cyr')], 'Poor hats.')
    expect(await turns()).toEqual([
      `user: ${text}`,
      `assistant: ${first}`,
      `assistant: ${second}`,
      'user: And she eats hats.',
      'assistant: All of them?',
      'assistant: Poor hats.',
    ])
  })

  it.each([
    [
      'more of a message, merged',
      said('[Continue your last message without repeating its original content.]'),
    ],
    ['a draft for the user', system('[Write your next reply from the point of view of Ana. Reply as Ana.]')],
    ['more of a message', system('[Continue your last message as Bea, do not speak for Ana.]')],
    ['a picture', system('[Pause your roleplay and write a description as Bea looks.]')],
    ['a note', system('[Stay in character. It rains.]')],
    ['a summary', system('Summarize all that was said, and write as an observer.')],
  ])('other words after the last message are no message: %s', async (_, instruction) => {
    await send([said(GOAT)], 'Sweet.')
    await send([said(GOAT), answered('Bea: Sweet.'), instruction], 'I have sold her.')
    expect(await turns()).toEqual([`user: ${GOAT}`, 'assistant: Sweet.'])
  })

  it.each([
    ['Sweet goat', ' indeed.', 'Sweet goat indeed.'],
    ['{"goat":', '"Trix"}', '{"goat":"Trix"}'],
    ['Answer: she is', ' called Trix.', 'Answer: she is called Trix.'],
    ['Bea:', 'Hello.', 'Bea:Hello.'],
  ])('the beginning of an answer and its end are one message: %s', async (begin, end, whole) => {
    await send([said(GOAT), answered(begin)], end)
    expect(await turns()).toEqual([`user: ${GOAT}`, `assistant: ${whole}`])
  })
})

describe('Open WebUI, a connection that forwards its user', () => {
  const headers = {
    'X-OpenWebUI-User-Id': 'u-1',
    'X-OpenWebUI-Chat-Id': 'c-1',
    'X-OpenWebUI-User-Name': 'Ana',
  }
  const BEES = said('I keep four hives of bees on my roof.')
  const HISTORY = `<chat_history>\nUSER: ${BEES.content}\nASSISTANT: Bees!\n</chat_history>`
  const turns = () => served.turns({ user: 'u-1' })

  it.each([
    ['title', `### Task:\nGenerate a concise title for the chat.\n### Chat History:\n${HISTORY}`],
    [
      'tags',
      `### Task:\nGenerate 1-3 broad tags for the themes of the chat.\n\n### Chat History:\n${HISTORY}`,
    ],
    [
      'follow-ups',
      `### Task:\nSuggest 3-5 follow-up questions.\n### Guidelines:\n- Short.\n### Chat History:\n${HISTORY}`,
    ],
    [
      'queries',
      `### Task:\nAnalyze the chat history to see whether search queries are needed.\n\n### Chat History:\n${HISTORY}`,
    ],
    ['image prompt', `### Task:\nGenerate a detailed prompt for an image.\n\n### Chat History:\n${HISTORY}`],
    [
      'completion',
      `### Task:\nYou are an autocompletion system.\n---\n### Context:\n${HISTORY}\n<type>General</type>\n<text>I keep</text>\n`,
    ],
    [
      'emoji',
      "Your task is to reflect the speaker's likely facial expression through a fitting emoji.\n\nMessage: ```I keep bees.```",
    ],
    [
      'merged answers',
      'You have been provided with a set of responses from various models to the latest user query: "I keep bees."\n\nResponses from models: Bees!',
    ],
  ])('its task is no conversation: %s', async (_, content) => {
    await generate([BEES], 'Bees!', { headers })
    expect(await generate([said(content)], '{"done": true}', { headers })).not.toBe('on')
    expect(await turns()).toEqual([`user: ${BEES.content}`, 'assistant: Bees!'])
  })

  it('of a message with a file, the query is remembered, and the file is no word of the user', async () => {
    const file = '<context>\n<source id="1">I am a pirate.</source>\n</context>'
    const task = `### Task:\nRespond to the user query using the provided context.\n\n${file}`
    await generate([said(`${task}\n\n<user_query>\n${BEES.content}\n</user_query>\n`)], 'Bees!', { headers })
    await generate([BEES, answered('Bees!'), said('Four.')], 'I see.', { headers })
    expect(await turns()).toEqual([
      `user: ${BEES.content}`,
      'assistant: Bees!',
      'user: Four.',
      'assistant: I see.',
    ])
  })

  it('a regenerated answer and an edited message replace those before, in the chat of the header', async () => {
    await generate([BEES], 'Bees!', { headers })
    await generate([BEES], 'How many?', { headers })
    await generate([BEES, answered('How many?'), said('Four, and Ida.')], 'Ida?', { headers })
    await generate([BEES, answered('How many?'), said('Four, and Ilda.')], 'Ilda?', { headers })
    expect(await turns()).toEqual([
      `user: ${BEES.content}`,
      'assistant: How many?',
      'user: Four, and Ilda.',
      'assistant: Ilda?',
    ])
    expect((await served.keepsake.scope({ user: 'u-1' }).sessions()).map(({ id }) => id)).toEqual(['c-1'])
  })
})

describe('a named session of a client that sends its last message alone', () => {
  const settings = { user: 'cc', headers: { 'X-Keepsake-Session': 's' } }
  const send = (messages: readonly Sent[], answer: string) => generate(messages, answer, settings)
  const turns = () => served.turns({ user: 'cc' })

  it.each(['Thanks', 'ok', '早上好'])('a repeated message erases nothing: %s', async (text) => {
    const lines = [`user: ${text}`, 'assistant: Fine.']
    const nuts = ['user: I am allergic to nuts.', 'assistant: Noted.']
    await send([said(text)], 'Fine.')
    await send([said('I am allergic to nuts.')], 'Noted.')
    await send([said(text)], 'Fine.')
    expect(await turns()).toEqual([...lines, ...nuts, ...lines])
    await send([said(text)], 'Gladly.')
    expect(await turns()).toEqual([...lines, ...nuts, `user: ${text}`, 'assistant: Gladly.'])
    await send([said('I am allergic to nuts.')], 'Noted.')
    await send([said(text)], 'Fine.')
    expect(await turns()).toHaveLength(10)
  })

  it('nor does one behind the same examples in each request', async () => {
    const examples = [said('Put into plain words: “It is precipitating.”'), answered('It rains.')]
    for (const [text, answer] of [
      ['Thanks', 'Fine.'],
      ['I am allergic to nuts.', 'Noted.'],
      ['Thanks', 'Fine.'],
    ] as const)
      await send([...examples, said(text)], answer)
    const thanks = ['user: Thanks', 'assistant: Fine.']
    expect(await turns()).toEqual([...thanks, 'user: I am allergic to nuts.', 'assistant: Noted.', ...thanks])
  })

  it('a new chat that begins with the same greeting leaves the earlier chat', async () => {
    const begin = [said('Hi'), answered('Hello.')]
    await send([said('Hi')], 'Hello.')
    await send([...begin, said('I am allergic to nuts.')], 'Noted.')
    const earlier = await turns()
    await send([said('Hi')], 'Hello.')
    await send([...begin, said('My goat is called Ida.')], 'Ida.')
    await send([...begin, said('My goat is called Ilda.')], 'Ilda.')
    const later = ['user: Hi', 'assistant: Hello.', 'user: My goat is called Ilda.', 'assistant: Ilda.']
    expect(await turns()).toEqual([...earlier, ...later])
    await send([...begin, said('I am allergic to nuts.')], 'Thank you.')
    expect(await turns()).toEqual([...earlier, ...later, 'assistant: Thank you.'])
  })
})
