import type { ProtocolAdapter } from '@keepsake/server'
import { mem0Routes } from './mem0-routes.ts'
import { mem0ErrorResponse } from './read-body.ts'

/**
 * Mem0's protocol, for a server to mount at `/compat/mem0`.
 *
 * @example
 * const server = await openServer({ keepsake, protocols: [mem0Protocol] })
 */
export const mem0Protocol: ProtocolAdapter = {
  name: 'mem0',
  path: '/compat/mem0',
  routes: mem0Routes,
  answerProblem: mem0ErrorResponse,
}
