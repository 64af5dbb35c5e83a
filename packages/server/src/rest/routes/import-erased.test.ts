import { expect, it, onTestFinished } from 'vitest'
import { openTestServer } from '../../testing/routes-app.ts'

const LINES = { 'Content-Type': 'application/x-ndjson' }

interface Imported {
  readonly scopes: readonly object[]
  readonly missedErasures: readonly object[]
}

it('an import tells what had been erased since its export was made, of whom it brings and of nobody else', async () => {
  const server = await openTestServer()
  onTestFinished(() => server.close())
  const headers = await server.keyFor({ actions: ['read', 'write', 'erase', 'admin'] })
  const exported = new Map<string, string>()
  for (const user of ['ana', 'ben', 'cleo']) {
    await server.keepsake.scope({ user }).remember([
      { role: 'user', text: 'I live in Porto.', id: `${user}-porto` },
      { role: 'user', text: 'My sister is called Zephyrina.', id: `${user}-sister` },
    ])
    await server.keepsake.drain()
    const response = await server.app.request(`/v1/scopes/${user}/export`, { headers })
    exported.set(user, await response.text())
  }
  await server.keepsake.scope({ user: 'ana' }).erase({ turns: ['ana-sister'] })
  for (const user of exported.keys()) await server.keepsake.scope({ user }).erase({ everything: true })

  const read = async (lines: string | undefined): Promise<Imported> => {
    const response = await server.app.request('/v1/import', {
      method: 'POST',
      headers: { ...headers, ...LINES },
      body: lines ?? '',
    })
    expect(response.status).toBe(201)
    return (await response.json()) as Imported
  }
  expect((await read(exported.get('ana'))).missedErasures).toMatchObject([
    { of: 'part', user: 'ana', tenant: 'default', turns: 1 },
    { of: 'person', user: 'ana', turns: 2 },
  ])
  expect((await read(exported.get('ben'))).missedErasures).toMatchObject([
    { of: 'person', user: 'ben', turns: 2 },
  ])
  await server.keepsake.reapplyErasures()
  expect((await server.keepsake.scopes()).map(({ user }) => user)).toEqual([])
  const unknown = exported.get('cleo')?.replaceAll('cleo', 'dora')
  expect((await read(unknown)).missedErasures).toEqual([])
})
