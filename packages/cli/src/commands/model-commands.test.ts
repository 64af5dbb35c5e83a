import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { run } from '../testing/run-command.ts'
import {
  learnedFact,
  scriptedEndpoint,
  type EndpointRequest,
  type ScriptedEndpoint,
} from '../testing/scripted-endpoint.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

const folder = temporaryFolder()
const talk = join(folder, 'talk.jsonl')
let endpoint: ScriptedEndpoint

/** Three sessions of 28 turns: the default preset draws a portrait after as many, and eighty turns. */
const FACTS = [
  ['I live in Porto.', 'The user lives in Porto.'],
  ['I play the cello.', 'The user plays the cello.'],
  ['I own a red boat.', 'The user owns a red boat.'],
] as const
const TURNS = FACTS.flatMap(([text], index) =>
  Array.from({ length: 28 }, (_, n) => ({
    session: `s${index + 1}`,
    role: n % 2 === 0 ? 'user' : 'assistant',
    text: n === 0 ? text : n % 2 === 0 ? `Wave ${n} came in.` : 'Go on.',
    at: `2026-03-0${index + 1}T19:${String(n).padStart(2, '0')}:00Z`,
  })),
)

/** Takes every first turn for a fact, and proposes one that nobody said. */
function answer({ system, user }: EndpointRequest): { text: string } {
  if (system.includes('"relationship"')) {
    const portrait = {
      user: 'Lives by the sea.',
      relationship: 'Fond of each other.',
      events: 'A boat was named.',
    }
    return { text: JSON.stringify(portrait) }
  }
  const [said, fact] = FACTS.find(([text]) => user.includes(text)) ?? ['', '']
  const memories = [learnedFact(fact, 1, said), learnedFact('The user keeps 40 bees.', 1, '40 bees')]
  return { text: JSON.stringify({ summary: `Told: ${said}`, memories, forget: [] }) }
}

beforeAll(async () => {
  endpoint = await scriptedEndpoint(answer)
  writeFileSync(talk, TURNS.map((turn) => `${JSON.stringify(turn)}\n`).join(''))
})

afterAll(async () => {
  await endpoint.close()
})

const withModel = (...argv: string[]): string[] => [...argv, '--model', endpoint.spec]

describe('import --model', () => {
  const db = join(folder, 'import.db')

  it('has the model read the talk, and tells calls and tokens', async () => {
    const { code, json, err } = await run(
      withModel('import', talk, '--user', 'maya', '--db', db, '--exchanges-per-extraction', '14', '--json'),
    )
    expect(err).toBe('')
    expect(code).toBe(0)
    const [result] = json() as { model: { calls: number; inputTokens: number }; left: number }[]
    expect(result?.left).toBe(0)
    expect(result?.model.calls).toBe(endpoint.asked.length)
    expect(result?.model.inputTokens).toBe(endpoint.asked.length * 100)
  })

  it('portrait shows what the model wrote, with its versions', async () => {
    const { code, out } = await run(['portrait', '--db', db])
    expect(code).toBe(0)
    expect(out).toContain('Lives by the sea.')
    const [portrait] = (await run(['portrait', '--db', db, '--json'])).json()
    expect(portrait).toMatchObject({ versions: [{ form: 'portrait', validUntil: null }] })
  })

  it('quarantine lists what was not believed with its reason, and restore accepts it', async () => {
    const listed = await run(['quarantine', '--db', db, '--json'])
    const held = listed.json() as { id: string; text: string; reason: string }[]
    expect(held.length).toBeGreaterThanOrEqual(FACTS.length)
    expect(held.every(({ text }) => text === 'The user keeps 40 bees.')).toBe(true)
    const { id, reason } = held[0] ?? { id: '', reason: '' }
    const shown = await run(['quarantine', '--db', db])
    expect(shown.out.replaceAll(/\s+/g, ' ')).toContain(reason)
    const released = await run(['restore', id.slice(-8), '--db', db])
    expect(released.code).toBe(0)
    expect(released.out).toContain('Restored: The user keeps 40 bees.')
    expect((await run(['list', '--forms', 'fact', '--db', db])).out).toContain('40 bees')
  })

  it('without a model there is no portrait, and portrait says so', async () => {
    const plain = join(folder, 'plain.db')
    expect((await run(['import', talk, '--user', 'maya', '--db', plain])).code).toBe(0)
    expect((await run(['portrait', '--db', plain])).out).toContain('no portrait yet')
    expect((await run(['quarantine', '--db', plain])).out).toContain('There are no quarantined statements.')
    expect((await run(['jobs', '--db', plain])).out).toContain('There are no jobs.')
  })
})

describe('jobs', () => {
  const db = join(folder, 'jobs.db')

  it('lists what the model answered badly, with its words, and tries it again', async () => {
    endpoint.script = () => ({ text: 'I would rather talk about the weather.' })
    const imported = await run(
      withModel('import', talk, '--user', 'maya', '--db', db, '--exchanges-per-extraction', '1'),
    )
    expect(imported.out.replaceAll(/\s+/g, ' ')).toMatch(/could not be finished\. Nothing is lost/)
    const listed = await run(['jobs', '--db', db, '--answers'])
    expect(listed.code).toBe(0)
    expect(listed.out).toContain('given up')
    expect(listed.out).toContain('maya')
    expect(listed.out).toContain('| I would rather talk about the weather.')
    const [job] = (await run(['jobs', '--db', db, '--json'])).json() as { state: string; reason: string }[]
    expect(job?.reason).toContain('cannot be used')

    endpoint.script = answer
    const retried = await run(withModel('jobs', '--retry', '--db', db))
    expect(retried.out).toMatch(/Retried \d+ jobs?\./)
    expect(retried.out).toContain('There are no jobs.')
    expect((await run(['list', '--forms', 'fact', '--db', db])).out).toContain('The user lives in Porto.')
  })
})

describe('recall', () => {
  it('takes an embedding model, and names what it cannot open', async () => {
    const { code, err } = await run([
      'recall',
      'x',
      '--embedding',
      'nowhere:x',
      '--db',
      join(folder, 'import.db'),
    ])
    expect(code).toBe(2)
    expect(err).toContain('Write it as one of')
  })

  it.each([
    ['no number', ['--model-timeout', 'soon']],
    ['nothing', ['--model-timeout', '0']],
    ['a part of a call', ['--budget-calls', '1.5']],
  ])('refuses %s', async (_, argv) => {
    expect((await run(['recall', 'x', ...argv])).code).toBe(2)
  })
})
