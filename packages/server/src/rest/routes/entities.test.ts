import { beforeEach, expect, it } from 'vitest'
import { RouteAsker } from '../../testing/routes-asker.ts'

let asker: RouteAsker
beforeEach(async () => {
  asker = await RouteAsker.open()
})

interface About {
  readonly edges: readonly { readonly from: string; readonly relation: string; readonly to: string }[]
}

it('lists entities, and walks from one to the next', async () => {
  const turns = [{ role: 'user', text: "My sister Mia is here. Mia's husband is called Paul." }]
  await asker.ask('POST', '/v1/scopes/ana/turns', { turns })
  await asker.server.keepsake.drain()
  const { body } = await asker.ask<{ entities: { name: string }[] }>('GET', '/v1/scopes/ana/entities')
  expect(body.entities.map(({ name }) => name)).toEqual(['Mia', 'Paul'])
  const about = await asker.ask<About>('GET', '/v1/scopes/ana/entities/Paul?depth=2')
  expect(about.body.edges.map(({ from, relation, to }) => [from, relation, to])).toEqual([
    ['user', 'sister', 'Mia'],
    ['Mia', 'husband', 'Paul'],
  ])
  expect((await asker.ask('GET', '/v1/scopes/ana/entities/Nobody')).status).toBe(404)
  expect((await asker.ask('GET', '/v1/scopes/ana/entities/Mia?depth=3')).status).toBe(422)
})
