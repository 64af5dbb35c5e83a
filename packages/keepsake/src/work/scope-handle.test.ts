import { expect, it } from 'vitest'
import { openEngine } from './engine-fixture.ts'
import { resolveScope } from './scope-handle.ts'

const ANA = { tenant: 'default', user: 'ana', agent: null, app: null }

it('sees one scope where an agent or app is named, and all of the person’s where none is', async () => {
  const { engine, row } = await openEngine()
  const { store, users } = engine
  const bot = await store.ensureScope({ ...ANA, agent: 'bot' })
  const shop = await store.ensureScope({ ...ANA, app: 'shop' })
  await store.ensureScope({ ...ANA, user: 'ben' })
  const { owner } = row
  expect(await resolveScope(users, ANA)).toEqual({
    owner,
    rows: [row, bot, shop],
    scopes: [row.scope, bot.scope, shop.scope],
  })
  expect(await resolveScope(users, { ...ANA, agent: 'bot' })).toEqual({
    owner,
    rows: [bot],
    scopes: [bot.scope],
  })
  expect(await resolveScope(users, { ...ANA, app: 'shop' })).toEqual({
    owner,
    rows: [shop],
    scopes: [shop.scope],
  })
})

it('sees nothing of whoever is not known', async () => {
  const { users } = (await openEngine()).engine
  expect(await resolveScope(users, { ...ANA, user: 'nobody' })).toBeNull()
  expect(await resolveScope(users, { ...ANA, agent: 'nobody' })).toBeNull()
})
