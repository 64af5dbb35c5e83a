import { describe, expect, it } from 'vitest'
import { answering, fact, segmentAnswer, shown } from '../../test/script-model.ts'
import { openForTest } from '../../test/open-for-test.ts'

const AT = Date.parse('2024-03-04T18:00:00Z')

/** Facts that a turn can be full of. */
const TOLD = [
  'My cousin Aldous breeds alpacas near Arundel.',
  'My cousin Bettina plays the bassoon in Bremen.',
  'My cousin Caspar collects clarinets in Cadiz.',
  'My cousin Dorothea drives dumpers in Dundee.',
  'My cousin Edmund engraves emeralds in Essen.',
  'My cousin Felicity fences foils in Fribourg.',
]

describe('the memories a segment is shown', () => {
  it('hold what a request to forget names, whatever else its turn speaks of', async () => {
    let last = ''
    const model = answering({
      segment: (request) => {
        last = shown(request)
        const lines = [...last.matchAll(/^\[(\d+)\].*?: "(.*)"$/gm)]
        const memories = lines.flatMap(([, turn, text]) =>
          last.includes('Please forget') ? [] : [fact(text ?? '', Number(turn), text ?? '')],
        )
        return segmentAnswer(memories)
      },
    })
    const keepsake = await openForTest({ model, readEvery: 7 })
    const ana = keepsake.scope({ user: 'ana' })
    const turns = ['Tarek lent me money for the van.', ...TOLD]
    await ana.remember(
      turns.map((text, n) => ({ role: 'user' as const, text, at: AT + n * 1_000 })),
      { session: 'one' },
    )
    await ana.drain()
    const ask = `${TOLD.join(' ').replaceAll('My cousin ', '')} Please forget about the van.`
    await ana.remember({ role: 'user', text: ask, at: AT + 90_000_000 }, { session: 'two' })
    await ana.endSession('two')
    await ana.drain()
    expect(last).toContain('Please forget')
    expect(last.slice(0, last.indexOf('</memories>'))).toContain('Tarek lent me money')
  })
})
