import { join } from 'node:path'
import { openMemory } from 'keepsake'
import { beforeEach, describe, expect, it } from 'vitest'
import { run } from '../testing/run-command.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

let db = ''
beforeEach(async () => {
  db = join(temporaryFolder(), 'memory.db')
  const memory = await openMemory({ path: db })
  await memory.scope({ user: 'ana' }).remember({ role: 'user', text: 'I keep bees.' })
  await memory.close()
})

const webhooks = (...argv: string[]) => run(['webhooks', ...argv, '--db', db])
const URL = 'https://app.example.com/hooks'

async function create(...argv: string[]): Promise<{ id: string; secret: string }> {
  const [made] = (await webhooks('create', '--url', URL, '--json', ...argv)).json()
  return made as { id: string; secret: string }
}

describe('keepsake webhooks', () => {
  it('prints the secret once, and of whom it is told', async () => {
    const made = await webhooks('create', '--url', URL, '--user', 'ana', '--event', 'scope-erased', '--texts')
    expect(made.code).toBe(0)
    const secret = made.out.trimEnd()
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/)
    expect(made.err).toContain('receives events of default / ana: scope-erased, with text')
    const listed = await webhooks('list')
    expect(listed.out).toContain(URL)
    expect(listed.out).not.toContain(secret)
  })

  it('stops one and starts it again, renews its secret, and removes it', async () => {
    const { id, secret } = await create()
    expect((await webhooks('disable', id)).out).toContain(`Disabled ${id}`)
    expect((await webhooks('list')).out).toContain('disabled (asked)')
    expect((await webhooks('enable', id)).out).toContain(`Enabled ${id}`)
    const renewed = (await webhooks('secret', id)).out.trim()
    expect(renewed).toMatch(/^whsec_/)
    expect(renewed).not.toBe(secret)
    expect((await webhooks('failed', id)).out).toContain('There are no undelivered messages.')
    expect((await webhooks('remove', id)).out).toContain(`Removed ${id}`)
    expect((await webhooks('list')).out).toContain('No webhooks yet.')
  })

  it('refuses what is no address or event, and an id that there is not', async () => {
    expect((await webhooks('create', '--url', 'example')).err).toContain(
      'https://app.example.com/hooks/memory',
    )
    expect((await webhooks('create', '--url', URL, '--event', 'memory-aded')).code).not.toBe(0)
    expect((await webhooks('remove', 'wh_0')).err).toContain('There is no webhook with the id wh_0')
  })
})
