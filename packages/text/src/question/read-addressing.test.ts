import { describe, expect, it } from 'vitest'
import { isAddressedAs, isGivenAs, readPossibleNames } from './read-addressing.ts'

describe('what may be a name in a question', () => {
  it.each<[question: string, names: string[]]>([
    ['What did Juni suggest against fear?', ['Juni']],
    ["What is Marg's cat called?", ['Marg']],
    ['Where does Ann-Marie live?', ['Ann', 'Marie']],
    ['Where do I live?', []],
    ['昊宇养了什么？', ['昊宇养', '昊宇']],
    ['我该给小絮看什么？', ['小絮看', '小絮']],
    ['现在住在哪里？', []],
  ])('%s', (question, names) => {
    expect(readPossibleNames(question)).toEqual(names)
  })

  it('is looked for in the first 32 of a list of names', () => {
    const names = Array.from({ length: 40 }, (_, number) => `Ann${'b'.repeat(number)}`)
    expect(readPossibleNames(names.join(', '))).toEqual(names.slice(0, 32))
  })
})

describe('what somebody is called by who talks to them', () => {
  it.each<[name: string, texts: string[]]>([
    ['Marg', ['Sorry to hear it, Marg. What happened?', 'Marg, that is a triumph!']],
    ['juni', ['juni, quick one', 'go on then juni, look it up', 'and the other thing, juni']],
    ['念慈', ['好的念慈。最近在忙些什么？', '念慈，慢慢说。']],
    ['小絮', ['小絮，昨天差点出事', '谢谢小絮！']],
  ])('%s', (name, texts) => {
    expect(isAddressedAs(name, texts)).toBe(true)
  })

  it('is none that was said once, or of somebody they speak of', () => {
    expect(isAddressedAs('Marg', ['Marg, that is a triumph!'])).toBe(false)
    expect(isAddressedAs('Hamish', ['Hamish, Ines and you.', 'Does Hamish know?', 'How is Hamish?'])).toBe(
      false,
    )
    expect(isAddressedAs('Hamish', ['Does Hamish know?', 'How old is Hamish now?'])).toBe(false)
    expect(isAddressedAs('Hamish', ['Hamish: I did it, I told him.', 'Hamish: no news yet.'])).toBe(false)
    expect(isAddressedAs('元宝', ['元宝很应景。', '元宝，元宝。', '那元宝呢？'])).toBe(false)
  })
})

describe('a name given to who asked for it', () => {
  it('stands at the head of the answer', () => {
    expect(isGivenAs('Marguerite', 'What should I call you?', 'Marguerite, but nobody does.')).toBe(true)
    expect(isGivenAs('Bo', 'And your name?', "I'm Bo, from Malmö.")).toBe(true)
    expect(isGivenAs('昊宇', '怎么称呼？', '我叫昊宇')).toBe(true)
    expect(isGivenAs('Bo', 'What should I call you?', 'Ask Bo, he knows.')).toBe(false)
    expect(isGivenAs('Marguerite', 'Who bakes the bread?', 'Marguerite, as ever.')).toBe(false)
  })
})
