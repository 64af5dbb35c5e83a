import { expect, it } from 'vitest'
import { Collector } from '../testing/run-command.ts'
import { lastingProgressFor } from './progress.ts'

it('says now and then, in a plain line, how far it is and what was learned', () => {
  const stderr = new Collector({ decodeStrings: true })
  const io = { stdin: process.stdin, stdout: new Collector(), stderr, env: {} }
  const progress = lastingProgressFor(io, false, 0)
  progress.start('chat.txt', 2_000)
  progress.add(500)
  progress.showLearned('3 facts learned: Anna lives in Graz')
  progress.wait('Consolidating')
  progress.showLearned('4 facts learned: Anna sings')
  progress.stop()
  expect(stderr.text.split('\n')).toEqual([
    'chat.txt: 500 of 2,000 turns',
    'chat.txt: 500 of 2,000 turns  3 facts learned: Anna lives in Graz',
    'Consolidating  4 facts learned: Anna sings',
    '',
  ])
})
