import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, request, type IncomingHttpHeaders, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { callerOf, passedOn, passOn } from './pass-on.ts'
import type { Siblings } from './siblings.ts'

let folder = ''
let servers: Server[] = []
let port = 0
const told: IncomingHttpHeaders[] = []
const served: [string, number | null][] = []
const codes: string[] = []

/** A process by its number, which takes all to live at one door, or with itself. */
function siblingsOf(number: number, door: string | null = null): Siblings {
  const note = (...one: [string, number | null]) => void served.push(one)
  return { number, homeOf: () => door, served: note } as unknown as Siblings
}

/** One process that is asked, and another at whose door everybody is served. */
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'keepsake-pass-on-'))
  const door = join(folder, 'home.sock')
  const home = createServer(
    passedOn((incoming, outgoing) => {
      told.push({ ...incoming.headers, caller: callerOf(incoming) })
      void text(incoming).then((body) => outgoing.end(`heard ${body}`))
    }, siblingsOf(1)),
  )
  const front = createServer(passOn(() => expect.unreachable('nobody is served here'), siblingsOf(4, door)))
  servers = [home, front]
  for (const server of servers)
    server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
      codes.push(error.code ?? error.message)
      socket.destroy()
    })
  home.listen(door)
  front.listen(0, '127.0.0.1')
  await Promise.all(servers.map((server) => once(server, 'listening')))
  ;({ port } = front.address() as AddressInfo)
})
afterEach(() => {
  for (const server of servers) server.closeAllConnections()
  for (const server of servers) server.close()
  rmSync(folder, { recursive: true, force: true })
  told.length = 0
  served.length = 0
  codes.length = 0
})

async function ask(said: string, headers: Record<string, string>) {
  const asked = request({ port, method: 'POST', path: '/v1/scopes/ana/turns', headers, agent: false })
  asked.end(said)
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  return { status: answer.statusCode, headers: answer.headers, body: await text(answer) }
}

it('passes requests on one after another, though each client ends its own connection, as proxies do', async () => {
  const close = async (name: number): Promise<void> => {
    for (let number = 0; number < 40; number += 1) {
      const said = `${name}-${number}`
      expect(await ask(said, { connection: 'close' })).toMatchObject({ status: 200, body: `heard ${said}` })
    }
  }
  await Promise.all([1, 2, 3, 4].map(close))
  expect(codes).toEqual([])
  expect(told).toHaveLength(160)
})

it('says nothing of a connection to the next, and tells where the request came from', async () => {
  const headers = {
    connection: 'close, x-hop',
    'x-hop': 'mine',
    'keep-alive': 'timeout=1',
    'x-other': 'told',
  }
  const answer = await ask('hello', headers)
  expect(answer.headers.connection).toBe('close')
  const [heard] = told
  expect(heard).toMatchObject({ 'x-other': 'told', caller: '127.0.0.1' })
  expect([heard?.connection, heard?.['x-hop'], heard?.['keep-alive']]).toEqual([
    'keep-alive',
    undefined,
    undefined,
  ])
})

it('says by whose connection somebody came, and takes nobody else’s word for it', async () => {
  await ask('hello', { 'x-keepsake-passed-by': '7', 'x-keepsake-caller': '10.0.0.1' })
  expect(served).toEqual([['default\nana', 4]])
  expect(told[0]).toMatchObject({ caller: '127.0.0.1' })
  expect(told[0]?.['x-keepsake-passed-by']).toBeUndefined()
})
