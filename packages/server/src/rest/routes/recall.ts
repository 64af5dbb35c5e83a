import { given } from '@keepsake/text/names'
import { requireGrant } from '../../access/access.ts'
import { allows } from '../../access/grant.ts'
import { Problem } from '../../problem.ts'
import { userRoute, serverRoute, type AddRoute } from '../add-route.ts'
import { json } from '../describe-route.ts'
import {
  acrossRecallSchema,
  acrossRequestSchema,
  recallRequestSchema,
  recallSchema,
} from '../schemas/recall.ts'
import { narrowingsOf, show } from '../show.ts'

export const recallRoutes: readonly AddRoute[] = [
  serverRoute('POST /v1/recall', {
    id: 'recallAcross',
    tag: 'recall',
    summary: 'Recall across several users',
    description:
      'For a conversation of several users: each memory names its user, and the context has a part for each. The key must open every named scope. Without `write` in all of them the recall strengthens no memory. Needs `read` of each.',
    needs: 'any key',
    body: acrossRequestSchema,
    answer: json('The memories that are relevant to the question.', acrossRecallSchema),
    problems: [502],
    handle: async ({ deps: { keepsake }, c, body: { question, scopes, ...options } }) => {
      const grant = c.get('grant')
      const keys = scopes.map(given)
      for (const key of keys) requireGrant(grant, 'read', key)
      if (options.reinforce === true) for (const key of keys) requireGrant(grant, 'write', key)
      // Reinforcement is a change, which readers may not make.
      const mayWrite = keys.every((key) => allows(grant, 'write', key))
      const allowedOptions = given(mayWrite ? options : { ...options, reinforce: false })
      const { signal } = c.req.raw
      const recall = await keepsake
        .recallAcross(keys, question, { ...allowedOptions, abortSignal: signal })
        .catch((error: unknown) => {
          throw signal.aborted ? goneAway(error) : error
        })
      const narrowings = await Promise.all(recall.scopes.map(({ key }) => narrowingsOf(keepsake, key)))
      const narrowingOf = (index: number) => narrowings[index] ?? (() => ({ agent: null, app: null }))
      return {
        ...recall,
        context: { ...recall.context, shown: [...recall.context.shown] },
        scopes: recall.scopes.map((scope, index) => ({
          ...scope,
          recall: show(scope.recall, narrowingOf(index)),
        })),
        memories: recall.memories.map((memory) => show(memory, narrowingOf(memory.of))),
      }
    },
  }),
  userRoute('POST /recall', {
    id: 'recall',
    tag: 'recall',
    summary: 'Recall what is relevant to a question',
    description:
      'Returns memories with scores and evidence, a context for a language model, and a confidence. Without `write` the recall strengthens no memory.',
    needs: 'read',
    body: recallRequestSchema,
    answer: json('The memories that are relevant to the question.', recallSchema),
    problems: [502],
    handle: async ({ c, memory, body: { question, ...options }, show }) => {
      const grant = c.get('grant')
      if (options.reinforce === true) requireGrant(grant, 'write', memory.key)
      // Reinforcement is a change, which readers may not make.
      const allowedOptions = allows(grant, 'write', memory.key) ? options : { ...options, reinforce: false }
      const { signal } = c.req.raw
      const recall = await memory
        .recall(question, { ...given(allowedOptions), abortSignal: signal })
        .catch((error: unknown) => {
          throw signal.aborted ? goneAway(error) : error
        })
      return show(recall)
    },
  }),
]

/** Returns the problem for a caller that disconnected, which is not logged as a failure. */
function goneAway(cause: unknown): Problem {
  return new Problem(499, 'gone-away', 'The client closed the connection before the answer.', { cause })
}
