import { expect, it } from 'vitest'
import { consolidateScope } from '../consolidate/consolidate-scope.ts'
import { recordTurns } from '../remember/record-turns.ts'
import { maskUnspoken } from '@keepsake/text'
import type { Engine } from '../work/engine.ts'
import { openEngine } from '../work/engine-fixture.ts'
import { maskAhead } from './mask-ahead.ts'
import { ReadingApart } from './reading-apart.ts'
import type { ReadingTask } from './reading-tasks.ts'

/** Threads that note what they are asked, and blank out whole texts: other than what is come to here. */
function blankingThreads() {
  const asked: string[] = []
  const reading = new ReadingApart(() => ({
    ready: async () => undefined,
    run: async (task) => {
      const { kind, text } = task as Extract<ReadingTask, { kind: 'unspoken' }>
      if (kind !== 'unspoken') return null
      asked.push(text)
      return text.replace(/[^\n]/g, ' ')
    },
  }))
  const apart: Engine['apart'] = { texts: reading, signals: null, facts: null, documents: null }
  return { asked, apart }
}

/** Long, with marks, and like no other test's. */
const longText = (about: string, repeats = 500): string =>
  `I like ${about}. ${'She said, it goes on. '.repeat(repeats)}`

it('a thread finds what of a long text is another’s, and whoever asks is told what it found', async () => {
  const { asked, apart } = blankingThreads()
  const text = longText('letters')
  await maskAhead({ apart }, [text, 'short: said', text])
  expect(asked).toEqual([text])
  expect(maskUnspoken(text).trim()).toBe('')
})

it('what is longer than talk is asked for as far as it is read', async () => {
  const { asked, apart } = blankingThreads()
  const text = longText('books', 3_000)
  await maskAhead({ apart }, [text])
  expect(asked).toEqual([text.slice(0, 40_000)])
  expect(maskUnspoken(text).trim()).toBe('')
})

it('reads here what no thread can', async () => {
  const text = longText('nobody')
  await maskAhead({ apart: { ...blankingThreads().apart, texts: null } }, [text])
  expect(maskUnspoken(text)).toContain('nobody')
})

it('what a long turn says and changes is read off the thread that answers', async () => {
  const { asked, apart } = blankingThreads()
  const { engine, row } = await openEngine()
  Object.assign(engine, { apart })
  const text = longText('walking')
  await recordTurns(engine, row, { role: 'user', text }, {})
  await consolidateScope(engine, row)
  expect(asked).toContain(text)
})
