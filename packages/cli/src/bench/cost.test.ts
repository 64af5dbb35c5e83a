import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { run } from '../testing/run-command.ts'
import { NOTHING_LEARNED, scriptedEndpoint, type ScriptedEndpoint } from '../testing/scripted-endpoint.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

interface Summary {
  readonly figures: readonly { readonly task: string; readonly metric: string }[]
}

let folder = ''
let talk = ''
let endpoint: ScriptedEndpoint
beforeEach(async () => {
  folder = temporaryFolder()
  talk = join(folder, 'ana-en.jsonl')
  const at = '2026-05-01T10:00:00Z'
  const lines = [
    { session: 's1', id: 't1', role: 'user', text: 'I moved to Lyon in May.', at },
    { session: 's1', id: 't2', role: 'assistant', text: 'How do you like it there?', at },
  ]
  writeFileSync(talk, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const questions = [{ question: 'Where does Ana live?', evidence: ['t1'], kind: 'single' }]
  writeFileSync(join(folder, 'ana-en.notes.json'), JSON.stringify({ user: 'Ana', questions }))
  endpoint = await scriptedEndpoint(({ isReply }) => ({
    text: isReply ? 'In Lyon.' : JSON.stringify(NOTHING_LEARNED),
  }))
})
afterEach(() => endpoint.close())

const bench = (...options: string[]) =>
  run(['bench', 'cost', '--preset', 'keepsake', '--runs', join(folder, 'runs'), ...options])

const ofAsking = ({ task }: { task: string }): boolean => task === 'model-calls'

describe('keepsake bench cost', () => {
  it('asks a model, keeps its answers, and gives the same figures from them without it', async () => {
    const answers = join(folder, 'answers')
    const json = join(folder, 'cost.json')
    const asked = await bench('--talk', talk, '--model', endpoint.spec, '--record', answers, '--json', json)
    expect(asked).toMatchObject({ code: 0, err: '' })
    expect(asked.out).toMatch(/ana-en[\s\S]*keepsake/)
    expect(asked.out).toMatch(/Remembering: calls per 100 rounds +100/)
    expect(endpoint.asked).toHaveLength(2)
    const again = await bench('--talk', talk, '--answers', answers, '--json')
    expect(again).toMatchObject({ code: 0, err: '' })
    expect(endpoint.asked).toHaveLength(2)
    const first = JSON.parse(readFileSync(json, 'utf8')) as Summary
    const [replayed] = again.json() as Summary[]
    expect(replayed?.figures.filter(ofAsking)).toEqual(first?.figures.filter(ofAsking))
    const isTime = ({ metric }: { metric: string }): boolean => metric === 'ingestion_ms'
    expect([first, replayed].map((one) => one?.figures.some(isTime))).toEqual([true, false])
  })

  it('fails on a stale recording, naming the prompt and the command that records anew', async () => {
    const answers = join(folder, 'answers')
    await bench('--talk', talk, '--model', endpoint.spec, '--record', answers)
    writeFileSync(talk, readFileSync(talk, 'utf8').replace('Lyon', 'Nice'))
    const { code, err } = await bench('--talk', talk, '--answers', answers)
    expect(code).toBe(1)
    expect(err).toMatch(/segment\/\d+: the recording is stale.*keepsake bench cost --talk .*--record/)
  })

  it.each([
    [['--record', 'x'], '--record needs --model'],
    [['--talk', 'ana.jsonl'], 'No answers are shipped for this conversation'],
    [['--answers', 'x', '--model', 'ollama:x'], 'cannot be used with'],
    [['--preset', 'moom,lufy', '--answers', 'x.jsonl'], 'the file of one preset'],
  ])('refuses %j', async (options, message) => {
    const { code, err } = await bench(...options)
    expect(code).toBe(2)
    expect(err).toContain(message)
  })
})
