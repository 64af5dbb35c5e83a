import { openServer } from '@keepsake/server'
import { openMemory, openSqliteStore } from 'keepsake'
import { answerFurther, answerParent, isChild } from '../../processes/child.ts'
import type { ChatPhase } from './chat-phases.ts'
import { holdChat } from './hold-chat.ts'

export interface HeldServerRequest {
  readonly path: string
  readonly upstream: string
  readonly phase: ChatPhase
}

/** A server whose store stops at a phase of a chat; asked for `reached`, it answers when it does. */
async function serve({ path, upstream, phase }: HeldServerRequest): Promise<string> {
  const reached = Promise.withResolvers<void>()
  const store = holdChat(await openSqliteStore({ path }), phase, reached.resolve)
  const server = await openServer({
    keepsake: await openMemory({ store }),
    port: 0,
    upstream: { url: upstream, key: null },
  })
  answerFurther(() => reached.promise)
  return server.url
}

/** This module, for whoever starts it as a process. */
export const HELD_SERVER = import.meta.url

if (isChild(import.meta.url)) await answerParent(serve)
