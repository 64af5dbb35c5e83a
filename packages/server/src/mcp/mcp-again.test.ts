import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { type Keepsake } from 'keepsake'
import { beforeEach, describe, expect, it } from 'vitest'
import { call, connectInProcess, grantOf } from './testing/connect-client.ts'
import { testMemory } from '../testing/test-memory.ts'

const HIVES = 'I keep four hives of bees on my roof.'

let keepsake: Keepsake
let client: Client

beforeEach(async () => {
  keepsake = await testMemory()
  client = await connectInProcess(keepsake, { user: 'maya' })
  await client.listTools()
})

const said = async (user = 'maya'): Promise<string[]> =>
  (await keepsake.scope({ user }).turns()).map(({ text }) => text ?? '')

describe('a call of remember that is made again', () => {
  it('under its key, said by the model, keeps nothing twice and says so', async () => {
    const args = { text: HIVES, idempotencyKey: 'call 1' }
    const first = await call<{ turns: string[] }>(client, 'remember', args)
    expect(first.structured).toMatchObject({ added: 1 })
    const again = await call<{ turns: string[] }>(client, 'remember', args)
    expect(again.structured).toMatchObject({ added: 0, turns: first.structured.turns })
    expect(again.text).toBe('An earlier call has already stored these turns. Nothing was stored twice.')
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
    await call(client, 'remember', { text: HIVES, idempotencyKey: 'call 1' })
    const other = await call(client, 'remember', { text: 'I keep hens.', idempotencyKey: 'call 1' })
    expect(other.isError).toBe(true)
    expect(other.text).toContain('This idempotencyKey was already used')
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
})
