import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { run, type CliRun, type TestIo } from '../testing/run-command.ts'
import {
  learnedFact,
  NOTHING_LEARNED,
  scriptedEndpoint,
  type EndpointRequest,
  type ScriptedAnswer,
  type ScriptedEndpoint,
} from '../testing/scripted-endpoint.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

const folder = temporaryFolder()

let endpoint: ScriptedEndpoint
let db: string
let runs = 0
beforeEach(async () => {
  runs += 1
  db = join(folder, `${runs}.db`)
  endpoint = await scriptedEndpoint(answer)
})
afterEach(() => endpoint.close())

/** Notes who lives in Porto, proposes something nobody said, writes a portrait, and replies with a sentence. */
function answer({ isReply, system, user }: EndpointRequest): ScriptedAnswer {
  if (isReply) return { text: 'Good to know.' }
  if (system.includes('"relationship"'))
    return { text: JSON.stringify({ user: 'Lives by the river.', relationship: 'New.', events: 'A move.' }) }
  const turn = /^\[(\d+)\].*I live in Porto now/m.exec(user)?.[1]
  if (turn === undefined) return { text: JSON.stringify(NOTHING_LEARNED) }
  return {
    text: JSON.stringify({
      summary: 'The user lives in Porto now.',
      memories: [
        learnedFact('The user lives in Porto.', Number(turn), 'I live in Porto'),
        learnedFact('The user owns 7 horses.', Number(turn), '7 horses'),
      ],
      forget: [],
    }),
  }
}

const chat = (stdin: string, argv: readonly string[] = [], io: TestIo = {}): Promise<CliRun> =>
  run(['chat', '--model', endpoint.spec, '--db', db, '--user', 'maya', ...argv], { stdin, ...io })

/** Without the line breaks that make it fit. */
const flat = (text: string): string => text.replaceAll(/\s+/g, ' ')

const SAID = 'I live in Porto now.\n'

describe('a chat from a pipe', () => {
  it('writes the replies alone to stdout, and what is recalled and learned to stderr', async () => {
    const { code, out, err } = await chat(`${SAID}Where do I live?\n`)
    expect(code).toBe(0)
    expect(out).toBe('Good to know.\nGood to know.\n')
    expect(err).toMatch(/nothing recalled \(confidence 0\.00\)/)
    expect(err).toMatch(/^ +1 {2}\d\.\d\d {2}\d{4}-\d\d-\d\d {2}(?:\(just said\) )?I live in Porto now\.$/m)
    expect(err).toContain('+ The user lives in Porto.')
    expect(err).toMatch(/\? quarantined: The user owns 7 horses\./)
    expect(err).toMatch(/2 turns; \d+ calls, \d+ tokens in and \d+ out\./)
  })

  it('remembers across runs', async () => {
    await chat(SAID)
    const before = endpoint.asked.length
    const { err } = await chat('Which city am I in?\n')
    expect(err).toContain('There are memories of maya from 1 session.')
    expect(err).toMatch(/\d {2}The user lives in Porto\./)
    const reply = endpoint.asked.slice(before).find((asked) => asked.isReply)
    expect(reply?.user).toContain('The user lives in Porto.')
    // Each run was a session of its own, and ended.
    expect((await chat('')).err).toContain('There are memories of maya from 2 sessions.')
  })

  it('gives the model its instructions, from a file as well', async () => {
    const file = join(folder, 'juno.txt')
    writeFileSync(file, 'You are Juno and speak like a sailor.')
    await chat(SAID, ['--agent', 'Juno', '--instructions', `@${file}`])
    expect(endpoint.asked.find((asked) => asked.isReply)?.system).toContain('speak like a sailor')
    const turns = (await run(['list', '--db', db, '--forms', 'utterance', '--json'])).out
    expect(turns).toContain('Juno')
  })

  it('says so when it does not know', async () => {
    const { err } = await chat(`${SAID}What is the name of my dentist?\n`)
    expect(err).toMatch(/no confident match \(confidence 0\.\d\d\)/)
  })

  it('--json writes one object a line: replies, and what was learned', async () => {
    const { code, json } = await chat(SAID, ['--json'])
    expect(code).toBe(0)
    const lines = json() as {
      reply?: string
      known?: boolean
      learned?: { kind: string; memory: { form: string } }
    }[]
    expect(lines[0]).toMatchObject({ reply: 'Good to know.', said: SAID.trim(), known: false, recalled: [] })
    const learned = lines.flatMap((line) => line.learned ?? [])
    expect(learned).toContainEqual(
      expect.objectContaining({ kind: 'added', memory: expect.objectContaining({ form: 'fact' }) as object }),
    )
    expect(learned).toContainEqual(expect.objectContaining({ kind: 'not-believed' }))
  })
})

describe('commands of a chat', () => {
  it('explain, forget and undo what the last reply recalled, by its number', async () => {
    await chat(SAID)
    const { out, err } = await chat('Which city am I in?\n/why 1\n/forget 1\n/undo\n/why 99\n/nope\n', [], {})
    expect(out).toMatch(/^Active\. /m)
    expect(out).toMatch(/^Forgotten: /m)
    expect(out).toMatch(/^Undone\.$/m)
    expect(err).toMatch(/give a number from 1 to \d/)
    expect(err).toContain('There is no command /nope')
  })

  it('/end learns at once, and the talk goes on in a new session', async () => {
    const { out, err } = await chat(`${SAID}/memory\n/end\n/memory\nHello again.\n`)
    expect(out).toContain('The persona sheet is empty.')
    expect(out).toContain('The user lives in Porto.')
    expect(err.indexOf('Ending the session')).toBeLessThan(err.lastIndexOf('Ending the session'))
  })
})

describe('a model that fails', () => {
  it('in the middle of a reply: says so, keeps what was said, goes on, and ends with 1', async () => {
    endpoint.script = (asked) =>
      asked.isReply && asked.user.includes('horse') && !asked.user.includes('Still there')
        ? { cutAfter: 'I was going to say something about ' }
        : answer(asked)
    const { code, out, err } = await chat('My horse is called Comet.\nStill there?\n')
    expect(code).toBe(1)
    expect(out).toContain('Good to know.')
    expect(flat(err)).toMatch(/There is no reply: .* Your message is kept/)
    expect(err).toContain('1 of 2 turns got no reply.')
    const kept = await run(['recall', 'What is my horse called?', '--db', db, '--json'])
    expect(kept.out).toContain('Comet')
  })

  it('with an error nobody can retry: one line, and the talk goes on', async () => {
    endpoint.script = (asked) => (asked.isReply ? { status: 401, message: 'no such key' } : answer(asked))
    const { code, out, err } = await chat(SAID)
    expect(code).toBe(1)
    expect(out).toBe('')
    expect(flat(err)).toMatch(/There is no reply: .*no such key/)
  })

  it.each([
    ['at the end', 0],
    ['while the last reply is awaited', 400],
  ])('%s: what was said waits for the next time', async (_, pauseMs) => {
    endpoint.script = (asked) =>
      asked.isReply ? { text: 'Hm.', pauseMs } : { status: 401, message: 'no such key' }
    const { code, err } = await chat(SAID)
    expect(code).toBe(0)
    expect(flat(err)).toMatch(
      /could not be processed: .*no such key.*Some messages could not be processed\. No message is lost/,
    )
    expect(flat(err).match(/no such key/g)).toHaveLength(1)
    const waiting = (await run(['jobs', '--db', db, '--json'])).json() as { state: string; user: string }[]
    expect(waiting).toContainEqual(expect.objectContaining({ user: 'maya' }))
  })
})

describe('how a chat is called', () => {
  it.each([
    ['a form there is not', 'gpt', /Write it as one of: openai:NAME/],
    ['a provider whose key is missing', 'openai:gpt-5-mini', /OPENAI_API_KEY|npm install @ai-sdk\/openai/],
  ])('with %s: ends with 2 and says what is missing', async (_, spec, message) => {
    const { code, err } = await run(['chat', '--db', db, '--model', spec])
    expect(code).toBe(2)
    expect(err).toMatch(message)
  })

  it('takes model, database and person from the environment', async () => {
    const env = { KEEPSAKE_MODEL: endpoint.spec, KEEPSAKE_DB: db, KEEPSAKE_USER: 'ana' }
    expect((await run(['chat'], { stdin: SAID, env })).out).toBe('Good to know.\n')
    expect((await run(['scopes', '--json'], { env })).json()).toMatchObject([{ user: 'ana' }])
  })

  it('sends the key of the environment to a compatible server', async () => {
    await chat(SAID, [], { env: { KEEPSAKE_MODEL_API_KEY: 'test-key' } })
    expect(endpoint.asked[0]?.authorization).toBe('Bearer test-key')
  })

  it('finds no file of instructions: ends with 3', async () => {
    expect((await chat('', ['--instructions', `@${join(folder, 'none.txt')}`])).code).toBe(3)
  })

  it('a spent budget of calls is said, and what was said stays', async () => {
    const { code, err } = await chat(`${SAID}And again.\n`, ['--budget-calls', '1'])
    expect(code).toBe(1)
    expect(flat(err)).toContain('The budget of 1 calls of this scope is spent')
  })
})

describe('a chat without a model', () => {
  const talk = (stdin: string, argv: readonly string[] = []): Promise<CliRun> =>
    run(['chat', '--db', db, '--user', 'maya', ...argv], { stdin })

  it('remembers, shows what it learned, and answers what is asked with what was said', async () => {
    const { code, out, err } = await talk(
      `I moved to Porto last month.\nI work as a baker.\nWhere do I live?\nWhat is the name of my dentist?\n`,
    )
    expect(code).toBe(0)
    expect(err).toContain('There is no model')
    expect(err).toMatch(/^ +\+ .*Porto/m)
    expect(out).toMatch(
      /I know something about this \(confidence 0\.\d\d\)\n +1 {2}\d+\.\d\d {2}\S+ {2}.*Porto/,
    )
    expect(out).toMatch(/I don't know this \(confidence 0\.\d\d\)\n*$/)
    expect(endpoint.asked).toEqual([])
  })

  it('asks about a doubtful request to forget, and forgets after a yes', async () => {
    const { err } = await talk('I got a new job at a bakery.\nForget the bakery, I will eat here\nyes\n')
    expect(err).toMatch(/\? Did you ask to forget this\? Say yes next/)
    expect(err).not.toContain('waits for a yes')
    expect(err).toMatch(/- deleted: The user got a new job at a bakery/)
  })

  it('makes up no reply, and knows across runs', async () => {
    await talk('I moved to Porto last month.\n')
    const { err, out, json } = await talk('Where do I live?\n', ['--json'])
    expect(err).toBe('')
    expect(out).toContain('Porto')
    expect(json()).toContainEqual(
      expect.objectContaining({
        reply: null,
        said: 'Where do I live?',
        known: true,
        recalled: expect.arrayContaining([
          expect.objectContaining({ text: expect.stringContaining('Porto') as string }),
        ]) as object[],
      }),
    )
  })

  it('takes its commands: why, forget, undo, memory', async () => {
    const { out } = await talk(
      'I moved to Porto last month.\nWhere do I live?\n/why 1\n/forget 1\n/undo\n/memory\n',
    )
    expect(out).toMatch(/^Active\. /m)
    expect(out).toMatch(/^Forgotten: /m)
    expect(out).toMatch(/^Undone\.$/m)
    expect(out).toMatch(/residence[\s\S]*Porto/)
  })

  it('has no use for instructions, and says so', async () => {
    const { code, err } = await talk('', ['--instructions', 'Be kind.'])
    expect(code).toBe(2)
    expect(flat(err)).toContain('--instructions need a language model')
  })
})
