import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runToEnd } from './kill-child.ts'
import { openForTest } from './open-for-test.ts'
import { temporaryFile } from './temporary-file.ts'

const CHILD = join(import.meta.dirname, 'engine-second-child.ts')

describe('two processes on one file', () => {
  it('see what the other wrote, and lose and double nothing', { timeout: 60_000 }, async () => {
    const path = temporaryFile()
    const keepsake = await openForTest({ path, busyTimeoutMs: 20_000 })
    const ana = keepsake.scope({ user: 'ana' })
    await ana.remember({ role: 'user', text: 'The key is under the fern.', id: 'here-0' })
    await ana.recall('key')
    const others = [runToEnd(CHILD, [path, 'b']), runToEnd(CHILD, [path, 'c'])]
    for (let n = 1; n <= 30; n += 1)
      await ana.remember(
        { role: 'user', text: `Here I have ${n} ferns.`, id: `here-${n}` },
        { session: 'here' },
      )
    await Promise.all(others)
    await ana.endSession('here')
    await keepsake.drain()
    const stats = await keepsake.stats()
    expect(stats.turns).toBe(91)
    const { memories } = await ana.recall('Which lanterns does process b have?', { limit: 50 })
    expect(memories.some((recalled) => recalled.memory.text.includes('process b'))).toBe(true)
    const utterances = await ana.memories({ forms: ['utterance'] })
    const turns = utterances.flatMap((memory) => memory.evidence.map((evidence) => evidence.turn))
    expect(turns.length).toBe(91)
    expect(new Set(turns).size).toBe(91)
  })
})
