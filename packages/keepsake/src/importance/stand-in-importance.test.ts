import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readImportanceFeatures, scaleImportance, standInImportance } from './stand-in-importance.ts'

const importanceOf = (text: string): number => standInImportance().importance(text)

describe('standInImportance', () => {
  it.each([
    ['I moved to Porto in 2019 with my sister Ana.', 'Oh wow, that is great!'],
    ['My brother Tom works as a nurse in Leeds.', 'What does your brother do?'],
    ['I was born in March and grew up near the sea.', 'Yes.'],
    ['我妹妹在厦门大学读书，今年二十岁。', '好的，谢谢！'],
    ['我养了一只叫豆豆的猫。', '你养猫吗？'],
  ])('rates “%s” above “%s”', (told, passing) => {
    expect(importanceOf(told)).toBeGreaterThan(importanceOf(passing) + 1)
  })

  it('places features on the scale by the documented formula', () => {
    // √100 + 1.5·2 + 2·1 = 15; 10 − 9·exp(−15/24) = 10 − 9·0.53526 = 5.18265
    expect(scaleImportance({ information: 100, specifics: 2, firstPerson: 1 })).toBeCloseTo(5.18265, 4)
    expect(scaleImportance({ information: 0, specifics: 0, firstPerson: 0 })).toBe(1)
  })

  it('counts no more than four names and four words for oneself', () => {
    const many = { information: 50, specifics: 40, firstPerson: 40 }
    expect(scaleImportance(many)).toBe(scaleImportance({ information: 50, specifics: 4, firstPerson: 4 }))
  })

  it('finds nothing told in a question', () => {
    expect(readImportanceFeatures('Where does my friend Ana live?')).toEqual({
      information: 0,
      specifics: 0,
      firstPerson: 0,
    })
    expect(readImportanceFeatures('你叫什么名字？').information).toBe(0)
  })

  it('counts a word once, however often it is said', () => {
    const once = readImportanceFeatures('ramen').information
    expect(readImportanceFeatures('ramen ramen Ramen, ramen').information).toBe(once)
  })

  it('gives rare words more bits than common ones', () => {
    expect(readImportanceFeatures('schnauzer').information).toBeGreaterThan(
      readImportanceFeatures('house').information,
    )
  })

  it('counts names, numbers and titles, and not the first word of a sentence or “I”', () => {
    expect(readImportanceFeatures('Yesterday I met Ana and Tom').specifics).toBe(2)
    expect(readImportanceFeatures('She is 34 and it cost 1,200').specifics).toBe(2)
    expect(readImportanceFeatures('我喜欢《活着》，看了三次').specifics).toBe(2)
  })

  it('hears the first person in both languages', () => {
    expect(readImportanceFeatures("I'm late and my bus left").firstPerson).toBe(2)
    expect(readImportanceFeatures('我说我爱咱家').firstPerson).toBe(3)
  })

  it('stays between 1 and 10 for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), (text) => {
        const value = importanceOf(text)
        expect(value >= 1 && value <= 10).toBe(true)
      }),
    )
  })

  it('reads the start of a megabyte, and no more', () => {
    const start = 'I love Porto. '.repeat(8_000)
    expect(importanceOf(start.repeat(10))).toBe(importanceOf(start))
  })
})
