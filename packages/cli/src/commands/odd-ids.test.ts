import { join } from 'node:path'
import { mem0Protocol } from '@keepsake/mem0-compat'
import { KeyStore, openServer, type OpenServer } from '@keepsake/server'
import { openMemory, type Keepsake } from 'keepsake'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { run } from '../testing/run-command.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

/** Ids that look like `josé` or like nothing, and what is said of them. */
const ODD = [
  ['a zero-width space', 'jos\u200Bé', 'cannot be seen (U+200B)'],
  ['a zero-width joiner at the end', 'josé\u200D', 'cannot be seen (U+200D)'],
  ['a direction mark', '\u202Ejosé', 'cannot be seen (U+202E)'],
  ['a soft hyphen', 'jo\u00ADsé', 'cannot be seen (U+00AD)'],
  ['a line break', 'jo\nsé', 'cannot be seen (U+000A)'],
  ['another space', 'jo\u00A0sé', 'cannot be seen (U+00A0)'],
  ['letters that are not composed', 'jose\u0301', 'composed form'],
  ['a space before it', ' josé', 'begins or ends with a space'],
  ['a space after it', 'josé ', 'begins or ends with a space'],
  ['513 characters', 'j'.repeat(513), '512'],
] as const
/** Ids that are seen as they are, each of its own user. */
const SOUND = ['josé', 'José', '.', '..', 'jo sé', '你好', '🦜', 'j'.repeat(512)] as const

let keepsake: Keepsake
let server: OpenServer
let key = ''
beforeAll(async () => {
  keepsake = await openMemory({ path: ':memory:' })
  server = await openServer({
    keepsake,
    port: 0,
    protocols: [mem0Protocol],
    upstream: { url: 'http://127.0.0.1:9/v1', key: null },
  })
  key = (await new KeyStore(keepsake.records).create({ name: 'test' })).key
})
afterAll(async () => {
  await server.close()
  await keepsake.close()
})

async function call(path: string, body?: object, headers = {}): Promise<readonly [number, string]> {
  const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
  const how = { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers }
  const answer = await fetch(`${server.url}${path}`, { ...sent, headers: how })
  return [answer.status, await answer.text()]
}

const turns = { turns: [{ role: 'user', text: 'I keep bees.' }] }
const messages = [{ role: 'user', content: 'I keep bees.' }]

describe('an id that looks like another is refused in every API', () => {
  it.each(ODD)('%s', async (_, id, fault) => {
    expect(() => keepsake.scope({ user: id })).toThrow(fault)
    expect(() => keepsake.scope({ user: 'ana', agent: id })).toThrow(fault)
    const said = { role: 'user', text: 'I keep bees.' } as const
    await expect(keepsake.scope({ user: 'ana' }).remember(said, { session: id })).rejects.toThrow(fault)
    const coded = encodeURIComponent(id)
    const rest = [
      await call(`/v1/scopes/${coded}/turns`, turns),
      await call('/v1/scopes/ana/turns', { ...turns, session: id }),
      await call(`/v1/scopes/ana/memories?agent=${coded}`),
    ]
    for (const [status, text] of rest) expect([status, text]).toEqual([422, expect.stringContaining(fault)])
    const mem0 = [
      await call('/compat/mem0/v1/memories/', { messages, user_id: id }),
      await call('/compat/mem0/v2/memories/search/', { query: 'bees', filters: { user_id: id } }),
      await call('/compat/mem0/v1/memories/', { messages, user_id: 'ana', run_id: id }),
    ]
    for (const [status, text] of mem0) expect([status, text]).toEqual([400, expect.stringContaining(fault)])
    const chat = await call('/v1/chat/completions', { model: 'm', messages }, { 'x-keepsake-user': coded })
    expect(chat).toEqual([400, expect.stringContaining(fault)])
    const db = join(temporaryFolder(), 'memory.db')
    await run(['keys', 'create', '--name', 'bot', '--db', db])
    const added = await run(['add-fact', 'I keep bees.', '--user', id, '--db', db])
    expect([added.code, added.err.replaceAll(/\s+/g, ' ')]).toEqual([2, expect.stringContaining(fault)])
    const made = await run(['keys', 'create', '--name', 'bot', '--user', id, '--db', db])
    expect([made.code, made.err.replaceAll(/\s+/g, ' ')]).toEqual([2, expect.stringContaining(fault)])
  })
})

it('an id that is seen as it is means one user in every API', async () => {
  for (const user of SOUND) {
    const path = /^\.+$/.test(user) ? `%20/turns?user=${user}` : `${encodeURIComponent(user)}/turns`
    expect((await call(`/v1/scopes/${path}`, turns))[0]).toBe(201)
    expect((await call('/compat/mem0/v1/memories/', { messages, user_id: user }))[0]).toBe(200)
    expect(await keepsake.scope({ user }).turns()).toHaveLength(2)
  }
})
