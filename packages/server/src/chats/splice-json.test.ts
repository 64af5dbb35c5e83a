import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { insertIntoList, setField } from './splice-json.ts'

const OURS = '{"role":"system","content":"ours"}'

const insertMessage = (request: string, index: number, item: string): string =>
  insertIntoList(request, { field: 'messages', index, item })

describe('insertIntoList', () => {
  it('leaves every other byte as it was', () => {
    const request = String.raw`{ "seed" : 12345678901234567890, "temperature":1.0,
      "messages"	: [ {"role":"system","content":"a \"quoted\" ] , }"} ,
        {"role":"user","content":"\ud83d\ude00 \u00e9"} ] , "x":[1,{"messages":[]}], "y":null }`
    const [before, after] = request.split(/(?<=} ,\n\s+)(?={"role":"user")/)
    expect(insertMessage(request, 1, OURS)).toBe(`${before}${OURS},${after}`)
  })

  it('puts it first, last, and into an empty list', () => {
    expect(insertMessage('{"messages":[1,2]}', 0, '0')).toBe('{"messages":[0,1,2]}')
    expect(insertMessage('{"messages":[1,2 ]}', 2, '3')).toBe('{"messages":[1,2,3 ]}')
    expect(insertMessage('{"messages":[ ]}', 0, '0')).toBe('{"messages":[ 0]}')
  })

  it('finds the list that a parser would: by its unescaped name, the last of several, at the top alone', () => {
    expect(insertMessage(String.raw`{"messages":[1],"mess\u0061ges":[2]}`, 0, '0')).toBe(
      String.raw`{"messages":[1],"mess\u0061ges":[0,2]}`,
    )
    expect(insertMessage('{"a":{"messages":[9]},"messages":[]}', 0, '0')).toBe(
      '{"a":{"messages":[9]},"messages":[0]}',
    )
  })

  it('gives what parsing, inserting and writing gives, for any JSON', () => {
    const request = fc.record({
      messages: fc.array(fc.jsonValue()),
      other: fc.jsonValue(),
      '"\\': fc.jsonValue(),
    })
    fc.assert(
      fc.property(request, fc.nat(12), fc.constantFrom(0, 1, '\t'), (value, place, space) => {
        const index = Math.min(place, value.messages.length)
        const inserted = insertMessage(JSON.stringify(value, null, space), index, OURS)
        const expected = { ...value, messages: value.messages.toSpliced(index, 0, JSON.parse(OURS)) }
        expect(JSON.parse(inserted)).toEqual(JSON.parse(JSON.stringify(expected)))
      }),
    )
  })

  it('sets a field, one that is there or not, as parsing and writing does', () => {
    const request = fc.dictionary(fc.constantFrom('system', 'model', 'x', '"'), fc.jsonValue())
    fc.assert(
      fc.property(request, fc.jsonValue(), fc.constantFrom(0, 1, '\t'), (value, set, space) => {
        const changed = setField(JSON.stringify(value, null, space), 'system', JSON.stringify(set))
        expect(JSON.parse(changed)).toEqual(JSON.parse(JSON.stringify({ ...value, system: set })))
      }),
    )
    expect(setField('{"seed":1.0,"system":"a","system":[ {} ] , "n":1e2}', 'system', '7')).toBe(
      '{"seed":1.0,"system":"a","system":7 , "n":1e2}',
    )
  })

  it('takes nesting and images of any size', () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
    const image = 'A'.repeat(20_000_000)
    const request = `{"deep":${deep},"messages":["${image}"]}`
    expect(insertMessage(request, 1, '0').endsWith('A",0]}')).toBe(true)
  })
})
