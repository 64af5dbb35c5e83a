import { NotFoundError, NotPossibleError, type ScopedMemory } from 'keepsake'
import { json } from '../describe-route.ts'
import { pageOf, pageQuery } from '../page.ts'
import { route, type RestRouter } from '../rest-router.ts'
import { changed, withoutTexts } from '../schemas/operation.ts'
import { markOf, memoryName, memoryPageSchema } from './memories.ts'

const listQuarantineRoute = route({
  method: 'get',
  path: '/quarantine',
  id: 'listQuarantine',
  tag: 'quarantine',
  summary: 'What was not believed, and why',
  description: 'Candidates that no turn supports, with the reason. They are not recalled.',
  needs: 'read',
  query: pageQuery,
  answer: json('A page of quarantined memories.', memoryPageSchema),
})

const releaseMemoryRoute = route({
  method: 'post',
  path: '/quarantine/{memory}/release',
  id: 'releaseMemory',
  tag: 'quarantine',
  summary: 'Believe a quarantined memory after all',
  description: 'It is live from then on.',
  needs: 'write',
  names: memoryName,
  answer: changed,
  problems: [404],
  once: true,
})

export function addQuarantineRoutes(rest: RestRouter): void {
  rest.person(listQuarantineRoute, async ({ memory, query, show }) => {
    const { items, next } = pageOf(await memory.memories({ statuses: ['quarantined'] }), query, markOf)
    return show({ memories: items, next })
  })

  rest.person(releaseMemoryRoute, async ({ memory, path, show }) => {
    await requireQuarantined(memory, path.memory)
    return show(withoutTexts(await memory.restore(path.memory)))
  })
}

/** Restoring would also bring back what was forgotten or deleted. @throws NotFoundError, NotPossibleError */
async function requireQuarantined(memory: ScopedMemory, id: string): Promise<void> {
  const [first] = await memory.history(id)
  if (first === undefined) throw new NotFoundError('memory', id)
  const quarantined = await memory.memories({ statuses: ['quarantined'] })
  if (quarantined.some((one) => one.id === id)) return
  throw new NotPossibleError(
    `Memory ${id} is not quarantined and cannot be released. To bring back a forgotten or deleted one, restore it.`,
    { memory: id },
  )
}
