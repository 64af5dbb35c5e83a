import { randomUUID } from 'node:crypto'
import { dirname } from 'node:path'
import { openServer } from '@keepsake/server'
import * as fc from 'fast-check'
import { openMemory } from 'keepsake'
import { expect, it } from 'vitest'
import { HOSTILE_RUNS, HARMLESS, hostileText, leaksOf } from '../../keepsake/test/hostile-text.ts'
import { temporaryFile } from '../../keepsake/test/temporary-file.ts'
import { mem0Protocol } from './index.ts'

it('lets no secret and nothing ill-formed reach the file', async () => {
  const path = temporaryFile()
  const keepsake = await openMemory({ path })
  const server = await openServer({ keepsake, unlocked: true, port: 0, protocols: [mem0Protocol] })
  const add = async (body: object): Promise<number> => {
    const response = await fetch(`${server.url}/compat/mem0/v3/memories/add/`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    })
    await response.text()
    return response.status
  }
  try {
    const property = fc.asyncProperty(hostileText, async (hostile) => {
      const user = randomUUID()
      const messages = [{ role: 'user', content: hostile.text }]
      expect(await add({ user_id: user, messages, metadata: { topic: hostile.text } })).toBe(200)
      expect(await add({ user_id: user, messages, infer: false })).toBe(200)
      expect(await add({ user_id: hostile.text, messages: [{ role: 'user', content: 'Hi.' }] })).toBeOneOf([
        400, 422,
      ])
      await keepsake.drain()
      const stored = await keepsake.scope({ user }).memories()
      expect(stored.some((memory) => memory.text.includes(HARMLESS))).toBe(true)
      expect(leaksOf(dirname(path), hostile)).toEqual([])
    })
    await fc.assert(property, { numRuns: HOSTILE_RUNS })
  } finally {
    await server.close()
    await keepsake.close()
  }
})
