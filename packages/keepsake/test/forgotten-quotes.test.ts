import { expect, it } from 'vitest'
import { PRESET_NAMES } from '@keepsake/papers'
import { openForTest } from './open-for-test.ts'

/** These read no requests: the plainest of baselines. */
const READ_NONE: readonly string[] = ['naive-rag', 'first-in-first-out']

const SAID = [
  'My friend Tom has cancer and I work as a nurse.',
  'I live in Lyon and Tom has cancer, so I visit him.',
  'ok',
  'Forget that Tom has cancer.',
  'thanks',
]

it.each(PRESET_NAMES.filter((name) => !READ_NONE.includes(name)))(
  'what was asked to be forgotten stands in no quote, summary or context: %s',
  async (preset) => {
    const keepsake = await openForTest({ preset })
    const ana = keepsake.scope({ user: 'ana' })
    for (const text of SAID)
      await ana.remember([
        { role: 'user', text },
        { role: 'assistant', text: 'I see.' },
      ])
    await ana.endSession()
    await keepsake.drain()
    const recalled = await Promise.all(
      ['What about Tom?', 'What is my job?'].map((asked) => ana.recall(asked)),
    )
    const seen = [
      await ana.memories(),
      await ana.persona(),
      await ana.portrait(),
      await ana.story(),
      recalled,
    ]
    expect(JSON.stringify(seen)).not.toContain('cancer')
  },
)
