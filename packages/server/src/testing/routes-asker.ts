import { expect, onTestFinished } from 'vitest'
import type { MemoryJson } from '../rest/schemas/memory.ts'
import {
  askJson,
  openTestServer,
  type Headers,
  type TestMemoryOptions,
  type TestServer,
} from './routes-app.ts'

/** A short talk with facts in it. */
export const TALK = {
  turns: [
    {
      role: 'user',
      text: 'I moved to Lyon last week. I have a parrot named Kiwi.',
      id: 't1',
      at: '2026-05-01T18:00:00Z',
    },
    { role: 'assistant', text: 'How is the new flat?', id: 't2', at: '2026-05-01T18:00:05.000Z' },
  ],
  session: 'monday',
}

export interface MemoryList {
  readonly memories: readonly MemoryJson[]
  readonly next: string | null
}

export interface ChangeAnswer {
  readonly id: string
  readonly kind: string
  readonly memory: string
}

/** A server, and how to ask its REST routes with a key that opens everything. */
export class RouteAsker {
  readonly server: TestServer
  readonly all: Headers

  private constructor(server: TestServer, all: Headers) {
    this.server = server
    this.all = all
  }

  /** Opens it until the test ends. */
  static async open(options: TestMemoryOptions = {}): Promise<RouteAsker> {
    const server = await openTestServer(options)
    onTestFinished(() => server.close())
    return new RouteAsker(server, await server.keyFor({ actions: ['read', 'write', 'erase', 'admin'] }))
  }

  /** Asks in JSON. Headers given go before the key that opens everything. */
  ask<Answer>(method: string, path: string, body?: unknown, headers: Headers = {}) {
    return askJson<Answer>(this.server.app, method, path, body, { ...this.all, ...headers })
  }

  /** Has {@link TALK} remembered and consolidated. */
  async remember(user = 'ana'): Promise<void> {
    expect((await this.ask('POST', `/v1/scopes/${user}/turns`, TALK)).status).toBe(201)
    await this.server.keepsake.scope({ user }).endSession('monday')
    await this.server.keepsake.drain()
  }

  async factsOf(user = 'ana'): Promise<readonly MemoryJson[]> {
    return (await this.ask<MemoryList>('GET', `/v1/scopes/${user}/memories?forms=fact`)).body.memories
  }
}
