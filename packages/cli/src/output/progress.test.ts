import { expect, it } from 'vitest'
import { Collector } from '../testing/run-command.ts'
import { lastingProgressFor } from './progress.ts'

function open(every: number, isTTY: boolean) {
  const stderr = Object.assign(new Collector({ decodeStrings: true }), { isTTY, columns: 100 })
  const io = { stdin: process.stdin, stdout: new Collector(), stderr, env: {} }
  return { stderr, progress: lastingProgressFor(io, false, every) }
}

it('says now and then, in a plain line, how far it is and what was learned', () => {
  const { stderr, progress } = open(0, false)
  progress.start('chat.txt', 2_000)
  progress.add(500)
  progress.tell('3 facts learned: Anna lives in Graz')
  progress.wait('Consolidating')
  progress.tell('4 facts learned: Anna sings')
  progress.stop()
  expect(stderr.text.split('\n')).toEqual([
    'chat.txt: 500 of 2,000 turns',
    'chat.txt: 500 of 2,000 turns  3 facts learned: Anna lives in Graz',
    'Consolidating  4 facts learned: Anna sings',
    '',
  ])
})

it('says nothing when it is over before that', () => {
  const { stderr, progress } = open(60_000, false)
  progress.start('chat.txt', 2)
  progress.add(2)
  progress.stop()
  expect(stderr.text).toBe('')
})

it('draws a bar on a terminal', () => {
  const { stderr, progress } = open(0, true)
  progress.start('chat.txt', 2_000)
  progress.tell('3 facts learned: Anna lives in Graz')
  progress.add(500)
  progress.stop()
  expect(stderr.text).toMatch(/chat.txt .*0\/2,000/)
  expect(stderr.text).not.toContain('\nchat.txt: ')
})
