import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { run } from '../testing/run-command.ts'
import { serveHere, type Served } from '../testing/run-server.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

const folder = temporaryFolder()
const db = join(folder, 'people.db')
let served: Served | null = null
afterEach(async () => {
  await served?.end('SIGINT')
  served = null
})

async function start(command: readonly string[], argv: readonly string[]): Promise<Served> {
  served = await serveHere(argv, command)
  return served
}

const keyOf = ({ page }: Served): string => new URLSearchParams(new URL(page).hash.slice(1)).get('key') ?? ''

const ask = (url: string, key: string, path: string, method = 'GET') =>
  fetch(`${url}${path}`, { method, headers: key === '' ? {} : { Authorization: `Bearer ${key}` } })

describe('keepsake demo --ui', () => {
  it('opens the three people of the demo in the inspector, and leaves the file', async () => {
    const shown = await start(['demo', '--ui'], ['--db', db])
    const answer = await ask(shown.url, keyOf(shown), '/v1/scopes')
    const { scopes } = (await answer.json()) as { scopes: { user: string }[] }
    expect(scopes.map(({ user }) => user)).toEqual(['maya', 'xiaoyu', 'maud'])
    expect(await (await ask(shown.url, '', '/')).text()).toContain('<div id="page">')
    expect(await shown.end('SIGINT')).toBe(0)
  })

  it('goes into no file that is there', async () => {
    const { code, err } = await run(['demo', '--ui', '--db', db])
    expect([code, err]).toEqual([2, expect.stringContaining('new file')])
  })
})

describe('keepsake inspect', () => {
  it('opens a file on this machine alone, for who has the key of its address', async () => {
    const shown = await start(['inspect'], [db])
    expect(new URL(shown.page).hostname).toBe('127.0.0.1')
    expect((await ask(shown.url, '', '/v1/scopes')).status).toBe(401)
    expect((await ask(shown.url, 'ks_wrong', '/v1/scopes')).status).toBe(401)
    expect((await ask(shown.url, keyOf(shown), '/v1/scopes')).status).toBe(200)
    expect(await shown.end('SIGINT')).toBe(0)
  })

  it('changes nothing with --read-only', async () => {
    const shown = await start(['inspect'], [db, '--read-only'])
    const access = await ask(shown.url, keyOf(shown), '/v1/access')
    expect(await access.json()).toMatchObject({ actions: ['read', 'admin'] })
    expect((await ask(shown.url, keyOf(shown), '/v1/scopes/maya', 'DELETE')).status).toBe(403)
  })

  it('makes no file that is not there', async () => {
    const { code, err } = await run(['inspect', join(folder, 'nothing.db')])
    expect([code !== 0, err]).toEqual([true, expect.stringContaining('no database')])
  })
})
