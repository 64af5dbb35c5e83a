import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import type { Draw } from '../../metrics/seeded-draw.ts'

/** A way to a server that breaks off. */
export interface CuttingProxy {
  readonly url: string
  /** Connections that it broke off. */
  readonly cuts: () => number
  readonly close: () => Promise<void>
}

/** Before a connection is cut, so many bytes pass, either way: from the middle of a request to a few of them. */
const MOST_BYTES = 3_000

/** Passes bytes on to a port of this machine, and cuts two of three connections off at random. */
export async function cuttingProxy(port: number, draw: Draw): Promise<CuttingProxy> {
  let cuts = 0
  const open = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1')
    const both = [client, upstream]
    let left = draw.chance(2 / 3) ? draw.whole(1, MOST_BYTES) : Number.POSITIVE_INFINITY
    const cut = (): void => {
      for (const socket of both) {
        socket.destroy()
        open.delete(socket)
      }
    }
    const pass = (from: Socket, to: Socket): void => {
      open.add(from)
      from.on('error', cut).on('close', cut)
      from.on('data', (bytes) => {
        left -= bytes.length
        if (left >= 0) return void to.write(bytes)
        to.write(bytes.subarray(0, bytes.length + left), cut)
        cuts += 1
        left = Number.POSITIVE_INFINITY
        from.pause()
      })
    }
    pass(client, upstream)
    pass(upstream, client)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cuts: () => cuts,
    async close() {
      server.close()
      for (const socket of open) socket.destroy()
      if (server.listening) await once(server, 'close')
    },
  }
}
