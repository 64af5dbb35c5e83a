import { expect, it } from 'vitest'
import { wrapLines } from './style.ts'

it('breaks wide lines at words, under the second column or the text', () => {
  const text = [
    '  --speaker <name>   which speaker in a chat is the user',
    '  $ keepsake recall "Where does Maya live now?"',
    'One sentence that is a little too long.',
    'short',
  ].join('\n')
  expect(wrapLines(text, 44).split('\n')).toEqual([
    '  --speaker <name>   which speaker in a chat',
    '                     is the user',
    '  $ keepsake recall "Where does Maya live',
    '    now?"',
    'One sentence that is a little too long.',
    'short',
  ])
  expect(wrapLines('  --speaker <name>   which one is the user', 30)).toBe(
    '  --speaker <name>   which\n    one is the user',
  )
})

it('keeps an address whole, so that it can be copied', () => {
  const address = `http://127.0.0.1:46365/#key=${'k'.repeat(48)}`
  expect(wrapLines(`   ${address}`, 60)).toContain(address)
})
