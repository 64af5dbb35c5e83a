import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const FILES = ['./en.ts', './zh.ts', '../pages/data/words.ts', '../pages/conversation/words.ts']

it('what can be undone is “forget”, what cannot is “erase”, in both languages', () => {
  const others = FILES.flatMap((file) => {
    const lines = readFileSync(new URL(file, import.meta.url), 'utf8').split('\n')
    // The key of the page is no memory.
    return lines.filter(
      (line) => /['`].*(?:\b(?:[Dd]elet|[Rr]emov)|删除|移除|忘掉)/u.test(line) && !line.includes('the key'),
    )
  })
  expect(others).toEqual([])
})
