import { describe, expect, it } from 'vitest'
import { isUnspaced, splitClitics, splitText, withoutDrawl } from './split-text.ts'

describe('splitText', () => {
  it.each([
    ['', []],
    ['Don’t go to 上海!', ["don't", 'go', 'to', '上海']],
    ['ﬁrst-class Ｃａｆé', ['first', 'class', 'café']],
    ['我在Lyon住了3年', ['我在', 'lyon', '住了', '3', '年']],
    ["'quoted' rock'n'roll", ['quoted', "rock'n'roll"]],
    ['привет, мир', ['привет', 'мир']],
  ])('takes %j apart', (text, pieces) => {
    expect(splitText(text)).toEqual(pieces)
  })

  it('reads ASCII the same way whether or not other letters follow', () => {
    const text = "Mary's 2 dogs -- didn't they RUN?"
    expect(splitText(`${text} é`)).toEqual([...splitText(text), 'é'])
  })
})

describe('isUnspaced', () => {
  it.each([
    ['上', true],
    ['か', true],
    ['ก', true],
    ['a', false],
    ['д', false],
    ['한', false],
  ])('%s: %s', (piece, answer) => {
    expect(isUnspaced(piece)).toBe(answer)
  })
})

describe('splitClitics', () => {
  it.each([
    ['dog', ['dog']],
    ["don't", ['do', 'not']],
    ["can't", ['can', 'not']],
    ["caroline's", ['caroline']],
    ["d'angelo", ['d', 'angelo']],
    ["couldn't've", ['could', 'not']],
  ])('takes %j apart', (word, parts) => {
    expect(splitClitics(word)).toEqual(parts)
  })
})

describe('withoutDrawl', () => {
  it('shortens to two letters and to one', () => expect(withoutDrawl('sooooo')).toEqual(['soo', 'so']))
  it('leaves other words alone', () => expect(withoutDrawl('good')).toEqual([]))
})
