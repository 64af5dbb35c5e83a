import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'

/** A message as it came over the wire. */
export interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
}

/** What a receiver does with a message: answers with a status, after so many milliseconds, or breaks the connection. */
export type Behave = (received: Received, number: number) => number | 'cut' | Promise<number | 'cut'>

/** A program that webhooks are posted to, on a port of this machine. */
export interface Receiver {
  readonly url: string
  readonly received: Received[]
  /** Most that were being received at one time. */
  readonly most: () => number
  behave: Behave
  /** Waits until so many came that are meant. */
  until(count: number, isMeant?: (received: Received) => boolean, patienceMs?: number): Promise<Received[]>
}

/** It closes when the test ends. */
export async function receiveWebhooks(behave: Behave = () => 204): Promise<Receiver> {
  const received: Received[] = []
  let [now, most] = [0, 0]
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      now += 1
      most = Math.max(most, now)
      const body = Buffer.concat(parts).toString()
      const { type, data } = JSON.parse(body) as Pick<Received, 'type' | 'data'>
      const one = { headers: request.headers, body, type, data }
      received.push(one)
      const answer = async (): Promise<void> => {
        const status = await receiver.behave(one, received.length)
        now -= 1
        if (status === 'cut') request.socket.destroy()
        else response.writeHead(status, status === 302 ? { location: 'http://127.0.0.1:9/' } : {}).end()
      }
      void answer()
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(async () => {
    server.closeAllConnections()
    await promisify(server.close.bind(server))()
  })
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    most: () => most,
    behave,
    async until(count, isMeant = () => true, patienceMs = 50_000) {
      const end = Date.now() + patienceMs
      for (;;) {
        const meant = received.filter(isMeant)
        if (meant.length >= count) return meant
        if (Date.now() > end)
          throw new Error(
            `Only ${meant.length} of ${count} messages came: ${received.map(({ type }) => type).join(', ')}`,
          )
        await sleep(10)
      }
    },
  }
  return receiver
}
