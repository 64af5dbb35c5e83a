import { appendFileSync, globSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ModelError, type LanguageModel } from 'keepsake'
import { type LanguageRequest, scriptedModel } from 'keepsake/model'
import { beforeEach, describe, expect, it } from 'vitest'
import { readRecording, requestKey } from './recording.ts'
import { replayingModel } from './replaying-model.ts'
import { replayOrRecord } from './replay-or-record.ts'

let file = ''
beforeEach(() => {
  file = join(mkdtempSync(join(tmpdir(), 'keepsake-recordings-')), 'nested', 'answers.jsonl')
})

function asking(text: string, more: Partial<LanguageRequest> = {}): LanguageRequest {
  return { prompt: 'echo/1', system: 'Say it.', messages: [{ role: 'user', text }], schema: null, ...more }
}

const echo = (id = 'scripted/model') =>
  scriptedModel((request) => `${request.messages[0]?.text ?? ''} said`, id)

async function collect(model: LanguageModel, request: LanguageRequest): Promise<unknown[]> {
  const pieces: unknown[] = []
  for await (const piece of model.stream(request)) pieces.push(piece)
  return pieces
}

const WITH_A_MODEL = join(import.meta.dirname, '../../data/with-a-model')

describe('a recording', () => {
  it('gives back what was answered, with how it ended and what it cost', async () => {
    const usage = { input: 7, output: 3 }
    const model = replayOrRecord(scriptedModel([{ text: 'cut', finish: 'length', usage }, 'whole']), file)
    const [cut, whole] = [await model.generate(asking('a')), await model.generate(asking('b'))]
    const replaying = replayingModel(file)
    expect(await replaying.generate(asking('b'))).toEqual(whole)
    expect(await replaying.generate(asking('a'))).toEqual(cut)
    expect(replaying.id).toBe('scripted/model')
    expect(replaying.unused).toEqual([])
  })

  it('holds no word of what was asked', async () => {
    await replayOrRecord(scriptedModel(['yes']), file).generate(
      asking('a secret of Nadia', { system: 'Hush.' }),
    )
    expect(readFileSync(file, 'utf8')).not.toMatch(/secret|Nadia|Hush/)
  })

  it('marks tokens as estimates where the provider counts none, and keeps its count otherwise', async () => {
    const usage = { input: 70, output: 30 }
    const model = replayOrRecord(scriptedModel(['12345678', { text: 'x', usage }]), file)
    await model.generate(asking('four', { system: 'four' }))
    await model.generate(asking('other'))
    const tokens = readRecording(file)?.answers.map((answer) => answer.tokens)
    expect(tokens).toEqual([
      { input: 3, output: 2, estimated: true },
      { input: 70, output: 30, estimated: false },
    ])
    expect((await replayingModel(file).generate(asking('four', { system: 'four' }))).usage.input).toBeNull()
  })

  it('replays a stream in one piece and its end', async () => {
    const streamed = await collect(replayOrRecord(scriptedModel(['one two three']), file), asking('a'))
    expect(streamed.length).toBeGreaterThan(2)
    const usage = { input: null, output: null }
    expect(await collect(replayingModel(file), asking('a'))).toEqual([
      { kind: 'text', text: 'one two three' },
      { kind: 'end', finish: 'stop', usage },
    ])
  })

  it('does not hold what failed', async () => {
    const model = replayOrRecord(scriptedModel([new ModelError('busy'), 'now']), file)
    await expect(model.generate(asking('a'))).rejects.toThrow('busy')
    await model.generate(asking('a'))
    expect(readRecording(file)?.answers.map(({ answer }) => answer)).toEqual(['now'])
  })

  it('tells a request by its system, messages and shape, and by nothing else', () => {
    const key = requestKey(asking('a'))
    expect(requestKey(asking('a', { prompt: 'echo/2', maxOutputTokens: 5 }))).toBe(key)
    const others = [
      asking('b'),
      asking('a', { system: 'Other.' }),
      asking('a', { schema: { type: 'object' } }),
      asking('a', { messages: [{ role: 'assistant', text: 'a' }] }),
    ]
    expect(new Set([key, ...others.map(requestKey)]).size).toBe(5)
  })

  it('is refused when it is damaged or another model’s', () => {
    replayOrRecord(echo('one/model'), file)
    expect(() => replayOrRecord(echo('other/model'), file)).toThrow(/contains the answers of one\/model/)
    appendFileSync(file, '{"prompt":"echo/1"}\n')
    expect(() => replayingModel(file)).toThrow(/line 2 lacks/)
    writeFileSync(file, '{"key":"x"}\n')
    expect(() => replayingModel(file)).toThrow(/does not begin with the header/)
    expect(() => replayingModel(`${file}.none`)).toThrow(/no such recording/)
  })
})

it.each(globSync('*.jsonl', { cwd: WITH_A_MODEL }))('the recorded run %s that ships can be read', (file) => {
  expect(readRecording(join(WITH_A_MODEL, file))?.answers.length).toBeGreaterThan(0)
})

describe('a request without a recorded answer', () => {
  it('fails for good, naming the prompt and how to record anew', async () => {
    replayOrRecord(echo(), file)
    const model = replayingModel(file, { command: 'keepsake bench cost --record x' })
    const failure = await model.generate(asking('new')).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ModelError)
    expect(failure).toMatchObject({ isRetryable: false, details: { prompt: 'echo/1' } })
    expect(String(failure)).toMatch(/echo\/1: the recording is stale.*keepsake bench cost --record x/)
    await expect(collect(model, asking('newer'))).rejects.toThrow(/stale/)
    expect(model.missing).toEqual(['echo/1'])
  })
})

describe('the same request asked twice', () => {
  it('gets its answers in turn, and then the last', async () => {
    const model = replayOrRecord(scriptedModel(['first', 'second']), file)
    await model.generate(asking('a'))
    await model.generate(asking('a'))
    const replaying = replayingModel(file)
    const said = []
    for (let times = 0; times < 3; times += 1) said.push((await replaying.generate(asking('a'))).text)
    expect(said).toEqual(['first', 'second', 'second'])
  })
})

describe('replayOrRecord', () => {
  it('asks only what is not recorded, and can drop what nobody asked for', async () => {
    const first = echo()
    const earlier = replayOrRecord(first, file)
    await earlier.generate(asking('old'))
    await earlier.generate(asking('kept'))
    const second = echo()
    const model = replayOrRecord(second, file, { rounds: 3 })
    expect((await model.generate(asking('kept'))).text).toBe('kept said')
    expect(await collect(model, asking('new'))).toHaveLength(3)
    expect(second.requests.map(({ messages }) => messages[0]?.text)).toEqual(['new'])
    expect(readRecording(file)?.answers).toHaveLength(3)
    model.dropUnused()
    const recording = readRecording(file)
    expect(recording?.answers.map(({ answer }) => answer)).toEqual(['kept said', 'new said'])
    expect(recording?.header.about).toEqual({ rounds: 3 })
  })
})
