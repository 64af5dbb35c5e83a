import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { compactClasses } from '../../../scripts/compact-classes.mjs'

/** Runs a pattern of a program, as the build writes it. */
const compiled = (code: string): RegExp => run(compactClasses(code))

const run = (code: string): RegExp => runInNewContext(code) as RegExp

it.each([
  ['Latin', 0x41, 0x24f, ''],
  // Signs and free places between the letters.
  ['Greek and Cyrillic', 0x370, 0x52f, '375 378 379 380 381 382 383 384 385 38b 38d 3a2 3f6'],
  ['Japanese', 0x3041, 0x30ff, ''],
  ['Chinese', 0x3400, 0x9fff, ''],
  ['Korean', 0xac00, 0xd7a3, ''],
])('classes of letters and numbers are those of Unicode: %s', (_, first, last, furtherLetters) => {
  const [letter, number] = [compiled(String.raw`/^\p{L}$/u`), compiled(String.raw`/^\p{N}$/u`)]
  const differing: string[] = []
  for (let code = first; code <= last; code += 1) {
    const character = String.fromCodePoint(code)
    expect(number.test(character)).toBe(/^\p{N}$/u.test(character))
    if (letter.test(character) !== /^\p{L}$/u.test(character)) differing.push(code.toString(16))
  }
  expect(differing.join(' ')).toBe(furtherLetters)
})

it.each([
  ['a pattern', String.raw`/[\p{L}'-]+\P{N}/u`],
  ['a class of all others', String.raw`/^[^\p{L}\p{N}]+$/u`],
  ['a string', String.raw`new RegExp('(?<!\\p{L})mia[\\p{L}]*', 'iu')`],
  ['a template', 'new RegExp(`^${"Mi"}[\\\\p{L}]+$`, "u")'],
  ['a raw template', 'new RegExp(String.raw`[\\p{L}-]+ \\d`, "u")'],
])('matches as before, in %s', (_, code) => {
  const before = run(code)
  const after = compiled(code)
  expect(after.source).not.toContain('\\p{L}')
  for (const text of ['Mia', 'mia2', 'xmia', '小明', 'Zoë-Ann 3', '…', '42', ''])
    expect([text, after.exec(text)?.[0]]).toEqual([text, before.exec(text)?.[0]])
})

it('leaves differences of classes', () => {
  const code = String.raw`const name = /[\p{L}--\p{Script=Han}]/v`
  expect(compactClasses(code)).toBe(code)
})
