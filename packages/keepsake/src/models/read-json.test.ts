import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readJson } from './read-json.ts'

const values = (text: string, finish: Parameters<typeof readJson>[1] = 'stop') => {
  const found = readJson(text, finish)
  return found.kind === 'found' ? found.values : found.problem
}

describe('readJson', () => {
  it.each([
    ['bare', '{"a":1}'],
    ['with space around it', '\n {"a":1}\n'],
    ['in a fence', '```json\n{"a":1}\n```'],
    ['in a fence amid prose', 'Here it is:\n```\n{"a":1}\n```\nAnything else?'],
    ['inside prose', 'Sure! The answer is {"a":1}. I hope {that} helps.'],
    ['after thinking aloud', '<think>maybe {"a":2}?</think>{"a":1}'],
    ['with a comma too many', '{"a":1,}'],
    ['in single quotes', "{'a': 1}"],
    ['with slips, after prose', 'Here: {a: 1,}'],
    ['in a fence on one line', '```json {"a":1} ```'],
    ['with slips, in a fence', 'So:\n```json\n{"a": 1,}\n```\nIs that right?'],
  ])('finds an answer %s', (_, text) => {
    expect(values(text)).toEqual([{ a: 1 }])
  })

  it('finds brackets and quotes inside strings', () => {
    const value = { text: 'a "}" and \\ ```json [1] ```', list: ['{', ']'] }
    expect(values(`I say: ${JSON.stringify(value)} done`)).toEqual([value])
  })

  it('keeps the order of several', () => {
    expect(values('An example is {"a":0}; mine is {"a":1}')).toEqual([{ a: 0 }, { a: 1 }])
  })

  it.each([
    ['cut off in a list', '{"a":[1,2'],
    ['cut off after an element', '{"a":[{"b":1},{"b":2}'],
    ['cut off in a string', '{"a":"and then } she sai'],
    ['cut off in a fence', '```json\n{"a":[1,2]\n```'],
    ['with its middle left out', '{"a":[1, 2, ...]}'],
    ['without a closing bracket inside', '{"a":[1,2}'],
    ['of prose', 'I cannot do that.'],
    ['of a bare number', '42'],
  ])('does not complete or invent an answer %s', (_, text) => {
    expect(values(text)).toBeTypeOf('string')
  })

  it('takes after the limit of length only what is whole by itself', () => {
    expect(values('{"a":1}', 'length')).toEqual([{ a: 1 }])
    expect(values('First {"a":1} and then', 'length')).toMatch(/cut off/)
    expect(values("{'a':1}", 'length')).toMatch(/cut off/)
  })

  it('does not mend slips when it is not known that the answer is whole', () => {
    expect(values('{"a":1,}', 'other')).toBeTypeOf('string')
  })

  it('says what is wrong without quoting it', () => {
    expect(values(' ')).toBe('The answer is empty.')
    expect(values('{"secret": [')).not.toContain('secret')
    expect(values('{"secret" "x" y}}')).not.toContain('secret')
  })

  it.each([
    ['a note after it', '{"a":1,"b":[2]}\nI write {} where nothing is known.', [{ a: 1, b: [2] }, {}]],
    ['a slip, and another value after it', '{"a":[1,2],}\n{"b":[]}', [{ a: [1, 2] }, { b: [] }]],
    ['a thought after it', '{"a":[1]}\n<think>or {"a":[]}?</think>', [{ a: [1] }]],
  ])('finds an answer with %s', (_, text, expected) => {
    expect(values(text)).toEqual(expected)
  })

  it('takes nothing in place of an answer that it cannot repair', () => {
    expect(values('{"a":[1, 2, ...]}\nOr, if nothing: {"a":[]}')).toBeTypeOf('string')
  })

  it('reads half a character as a replacement', () => {
    expect(values('{"text":"a\\ud83d","list":["\\udc00"]}')).toEqual([{ text: 'a\uFFFD', list: ['\uFFFD'] }])
  })

  it('never takes a cut-off answer for a whole one', () => {
    const whole = fc.record({
      list: fc.array(fc.record({ text: fc.string(), at: fc.integer() })),
      note: fc.string(),
    })
    fc.assert(
      fc.property(whole, fc.double({ min: 0, max: 0.999, noNaN: true }), (value, share) => {
        const text = JSON.stringify(value)
        const found = readJson(text.slice(0, Math.floor(text.length * share)), 'length')
        expect(found.kind).toBe('none')
      }),
    )
  })

  it('finds any whole answer inside prose', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const text = JSON.stringify(value)
        expect(values(`Well then:\n${text}\nThat is all.`)).toContainEqual(JSON.parse(text))
      }),
    )
  })
})
