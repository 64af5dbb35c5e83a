import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { type Keepsake } from 'keepsake'
import { beforeEach, describe, expect, it } from 'vitest'
import { call, connectInProcess, grantOf } from './testing/connect-client.ts'
import { testMemory } from '../testing/test-memory.ts'

const HIVES = 'I keep four hives of bees on my roof.'
const META = 'keepsake/idempotency-key'

let keepsake: Keepsake
let client: Client

beforeEach(async () => {
  keepsake = await testMemory()
  client = await connectInProcess(keepsake, { user: 'maya' })
  await client.listTools()
})

const said = async (user = 'maya'): Promise<string[]> =>
  (await keepsake.scope({ user }).turns()).map(({ text }) => text ?? '')

/** A call of a host that says its key beside the arguments. */
async function callWithMeta(key: unknown, text = HIVES): Promise<CallToolResult> {
  const meta = { [META]: key }
  return (await client.callTool({ name: 'remember', arguments: { text }, _meta: meta })) as CallToolResult
}

describe('a call of remember that is made again', () => {
  it('under its key, said by the model, keeps nothing twice and says so', async () => {
    const args = { text: HIVES, idempotencyKey: 'call 1' }
    const first = await call<{ turns: string[] }>(client, 'remember', args)
    expect(first.structured).toMatchObject({ added: 1 })
    const again = await call<{ turns: string[] }>(client, 'remember', args)
    expect(again.structured).toMatchObject({ added: 0, turns: first.structured.turns })
    expect(again.text).toBe('Remembered before, by an earlier call: nothing was kept twice.')
    expect(await said()).toEqual([HIVES])
  })

  it('under its key, said by the host in _meta, keeps nothing twice', async () => {
    await callWithMeta('call 1')
    const again = await callWithMeta('call 1')
    expect(again.structuredContent).toMatchObject({ added: 0 })
    expect(await said()).toEqual([HIVES])
  })

  it('keeps an exchange once, from another connection too', async () => {
    const turns = [
      { role: 'user', text: HIVES },
      { role: 'assistant', text: 'How many bees is that?' },
    ]
    await call(client, 'remember', { turns, idempotencyKey: 'call 1' })
    const other = await connectInProcess(keepsake, { user: 'maya' })
    const again = await call(other, 'remember', { turns, idempotencyKey: 'call 1' })
    expect(again.structured).toMatchObject({ added: 0 })
    expect(await said()).toEqual([HIVES, 'How many bees is that?'])
    await other.close()
  })

  it('without a key, or under another, is another call', async () => {
    await call(client, 'remember', { text: HIVES })
    await call(client, 'remember', { text: HIVES })
    await call(client, 'remember', { text: HIVES, idempotencyKey: 'call 3' })
    expect(await said()).toEqual([HIVES, HIVES, HIVES])
  })

  it('is refused when it says something else, and changes nothing', async () => {
    await callWithMeta('call 1')
    const other = await callWithMeta('call 1', 'I keep hens.')
    expect(other.isError).toBe(true)
    expect(JSON.stringify(other.content)).toContain(
      'Something else was remembered under this idempotencyKey before. Nothing was done',
    )
    expect(await said()).toEqual([HIVES])
  })

  it('takes a key of one person, and of one access, for no other’s', async () => {
    const ben = await connectInProcess(keepsake, { user: 'ben' })
    const other = await connectInProcess(
      keepsake,
      { user: 'maya' },
      { grant: grantOf(null, ['write'], 'key-2') },
    )
    for (const each of [client, ben, other])
      expect(
        (await call(each, 'remember', { text: HIVES, idempotencyKey: 'call 1' })).structured,
      ).toMatchObject({
        added: 1,
      })
    expect([await said('maya'), await said('ben')]).toEqual([[HIVES, HIVES], [HIVES]])
    await ben.close()
    await other.close()
  })

  it.each([[''], ['x'.repeat(256)], [7]])('refuses a key that is none: %j', async (key) => {
    const refused = await callWithMeta(key)
    expect(refused.isError).toBe(true)
    expect(JSON.stringify(refused.content)).toContain('must be text of 1 to 255 characters')
    expect(await said()).toEqual([])
  })
})
