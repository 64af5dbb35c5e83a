import { once } from 'node:events'
import { Agent, request, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { startWorkers } from './start-workers.ts'

const TELL_WORKER = fileURLToPath(new URL('testing/tell-worker.ts', import.meta.url))
/** Whichever worker is asked first: that all of these come to the same one does not happen. */
const CONNECTIONS = 24
const MOST_REQUESTS = 200

it('has a person move to the worker whose connections they come by', async () => {
  const workers = await startWorkers({
    count: 2,
    host: '127.0.0.1',
    port: 0,
    exec: TELL_WORKER,
    graceMs: 100,
  })
  onTestFinished(() => workers.stop())
  const ask = async (agent: Agent): Promise<string> => {
    const asked = request(`${workers.url}/v1/scopes/ana/persona`, { agent })
    asked.end()
    const [answer] = (await once(asked, 'response')) as [IncomingMessage]
    return text(answer)
  }
  const agents = Array.from({ length: CONNECTIONS }, () => new Agent({ keepAlive: true, maxSockets: 1 }))
  onTestFinished(() => agents.forEach((agent) => agent.destroy()))
  const [first = new Agent()] = agents
  const home = await ask(first)
  const served = new Set([home])
  for (const agent of agents.slice(1)) {
    for (let asked = 0; asked < MOST_REQUESTS && served.size === 1; asked += 1) served.add(await ask(agent))
  }
  expect([...served].toSorted()).toEqual(['0', '1'])
})
