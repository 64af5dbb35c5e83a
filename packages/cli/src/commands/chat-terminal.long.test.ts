import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { KEYS, runTyped, type TypedRun } from '../testing/chat-terminal.ts'
import { run } from '../testing/run-command.ts'
import {
  learnedFact,
  NOTHING_LEARNED,
  scriptedEndpoint,
  type ScriptedEndpoint,
} from '../testing/scripted-endpoint.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

const folder = temporaryFolder()

const SLOW = 'One two three four five six seven eight nine ten.'

let endpoint: ScriptedEndpoint
let db: string
let runs = 0
beforeEach(async () => {
  runs += 1
  db = join(folder, `${runs}.db`)
  endpoint = await scriptedEndpoint(({ isReply }) =>
    isReply ? { text: SLOW, pauseMs: 30 } : { text: JSON.stringify(NOTHING_LEARNED) },
  )
})
afterEach(() => endpoint.close())

const chat = (...argv: string[]): TypedRun =>
  runTyped(['chat', '--model', endpoint.spec, '--db', db, '--user', 'maya', ...argv])

async function turns(): Promise<string> {
  return (await run(['export', '--db', db])).out
}

describe('a chat at a terminal', () => {
  it('prompts, names the agent, and ends with Ctrl-D', async () => {
    const talk = chat('--agent', 'Juno')
    await talk.shows('maya> ')
    talk.type(`Hello there${KEYS.enter}`)
    await talk.shows(`Juno: ${SLOW}`)
    await talk.shows('nothing recalled')
    talk.type(KEYS.ctrlD)
    expect(await talk.ended).toBe(0)
    expect(talk.screen()).toContain('Bye.')
  })

  it('Ctrl-C stops a reply; what was said is kept and the talk goes on', async () => {
    const talk = chat()
    await talk.shows('maya> ')
    talk.type(`My bike is in the cellar.${KEYS.enter}`)
    await talk.shows('One two')
    talk.type(KEYS.ctrlC)
    await talk.shows('Stopped.')
    talk.type(`Go on.${KEYS.enter}`)
    await talk.shows(SLOW)
    talk.type(KEYS.ctrlD)
    expect(await talk.ended).toBe(0)
    const turn = (await turns()).split('\n').filter((line) => line.includes('"row":"turn"'))
    expect(turn.some((line) => line.includes('My bike is in the cellar.'))).toBe(true)
    expect(turn.filter((line) => line.includes('One two'))).toHaveLength(1)
  })

  it('Ctrl-C twice during a reply leaves, and what was said is kept', async () => {
    const talk = chat()
    await talk.shows('maya> ')
    talk.type(`My bike is in the cellar.${KEYS.enter}`)
    await talk.shows('One two')
    talk.type(KEYS.ctrlC)
    await talk.shows('Stopped.')
    talk.type(KEYS.ctrlC)
    expect(await talk.ended).toBe(0)
    expect(await turns()).toContain('My bike is in the cellar.')
  })

  it('what is learned shows at an empty prompt at once, and not into a line that is being typed', async () => {
    const learned = {
      ...NOTHING_LEARNED,
      memories: [learnedFact('The user likes plums.', 1, 'I like plums')],
    }
    endpoint.script = ({ isReply, user }) =>
      isReply
        ? { text: 'Yes.' }
        : { text: JSON.stringify(user.includes('plums') ? learned : NOTHING_LEARNED), pauseMs: 400 }
    const talk = chat()
    await talk.shows('maya> ')
    talk.type(`I like plums.${KEYS.enter}`)
    await talk.shows('nothing recalled')
    await talk.shows(/nothing recalled[^]*maya> [^]*\+ The user likes plums\.[^]*maya> /)
    endpoint.script = ({ isReply }) =>
      isReply ? { text: 'Yes.' } : { status: 401, message: 'gone', pauseMs: 400 }
    talk.type(`More.${KEYS.enter}`)
    await talk.shows(/More\.[^]*maya> /)
    talk.type('half a line')
    await talk.shows('half a line')
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(talk.screen()).not.toContain('could not be processed')
    talk.type(KEYS.enter)
    await talk.shows('could not be processed')
    talk.type(KEYS.ctrlD)
    expect(await talk.ended).toBe(0)
  })

  it('Ctrl-C gives up a line, then asks, then leaves and loses nothing', async () => {
    const talk = chat()
    await talk.shows('maya> ')
    talk.type(`I like plums.${KEYS.enter}`)
    await talk.shows('nothing recalled')
    talk.type('never said')
    await talk.shows('never said')
    talk.type(KEYS.ctrlC)
    talk.type(KEYS.ctrlC)
    await talk.shows('Press Ctrl-C again')
    talk.type(KEYS.ctrlC)
    expect(await talk.ended).toBe(0)
    const kept = await turns()
    expect(kept).toContain('I like plums.')
    expect(kept).not.toContain('never said')
  })

  it('Ctrl-C while the last is read leaves that for next time', async () => {
    endpoint.script = ({ isReply }) => (isReply ? { text: 'Yes.' } : { hang: true })
    const talk = chat('--model-timeout', '1')
    await talk.shows('maya> ')
    talk.type(`I like plums.${KEYS.enter}`)
    await talk.shows('nothing recalled')
    talk.type(KEYS.ctrlD)
    await talk.shows('Ending the session and')
    talk.type(KEYS.ctrlC)
    await talk.shows('Left for next time')
    endpoint.script = () => ({ status: 401, message: 'gone' })
    expect(await talk.ended).toBe(0)
    const [first] = (await run(['jobs', '--db', db, '--json'])).json() as { kind: string }[]
    expect(first).toBeDefined()
    expect(await turns()).toContain('I like plums.')
  })
})
