import { expect, it } from 'vitest'
import { readTurns } from './read-turns.ts'

it('reads turns as JSON lines, with who said them and when', () => {
  const line = { role: 'user', text: 'I moved to Lyon.', at: '2026-05-01T18:00:00Z', speaker: 'Ana' }
  expect(readTurns(`${JSON.stringify(line)}\n\n`)).toEqual({ kind: 'turns', turns: [line] })
})

it('reads messages, in a list and in an object', () => {
  const messages = [
    { role: 'user', content: 'Hi.' },
    { role: 'assistant', content: 'Hello.' },
  ]
  const turns = [
    { role: 'user', text: 'Hi.' },
    { role: 'assistant', text: 'Hello.' },
  ]
  expect(readTurns(JSON.stringify(messages))).toEqual({ kind: 'turns', turns })
  expect(readTurns(JSON.stringify({ messages }, null, 2))).toEqual({ kind: 'turns', turns })
})

it('tells an export of Keepsake by its first line', () => {
  expect(readTurns('{"row":"keepsake-export","format":1}\n{"row":"turn"}\n')).toEqual({ kind: 'export' })
})

it('takes nothing of a file that it does not know, nor of one that it knows in part', () => {
  expect(readTurns('hello')).toEqual({ kind: 'unknown' })
  expect(readTurns('{"role":"user","text":"Hi."}\n{"kind":"other"}\n')).toEqual({ kind: 'unknown' })
})
