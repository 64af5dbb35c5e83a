import { allows } from '../../access/access.ts'
import { requireGrant } from '../../access/require-access.ts'
import { given } from '../../given.ts'
import { Problem } from '../../problem.ts'
import { json } from '../describe-route.ts'
import { personRoute, type AddRoute } from '../add-route.ts'
import { recallRequestSchema, recallSchema } from '../schemas/recall.ts'

export const recallRoutes: readonly AddRoute[] = [
  personRoute('POST /recall', {
    id: 'recall',
    tag: 'recall',
    summary: 'Recall what bears on a question',
    description:
      'Memories with scores, the turns that prove them, a composed context, and how sure it is. A key without `write` strengthens nothing by it.',
    needs: 'read',
    body: recallRequestSchema,
    answer: json('What memory holds on it.', recallSchema),
    problems: [502],
    handle: async ({ c, memory, body: { question, ...options }, show }) => {
      const grant = c.get('grant')
      if (options.reinforce === true) requireGrant(grant, 'write', memory.key)
      // What a recall reinforces is forgotten later: a change, if a small one, and so not a reader's to make.
      const asked = allows(grant, 'write', memory.key) ? options : { ...options, reinforce: false }
      const { signal } = c.req.raw
      const recall = await memory
        .recall(question, { ...given(asked), abortSignal: signal })
        .catch((error: unknown) => {
          throw signal.aborted ? goneAway(error) : error
        })
      return show(recall)
    },
  }),
]

/** Nobody reads this answer; it keeps a caller that went away from being logged as a failure. */
function goneAway(cause: unknown): Problem {
  return new Problem(499, 'gone-away', 'The caller went away before the answer.', { cause })
}
