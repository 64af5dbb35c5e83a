import { describe, expect, it } from 'vitest'
import { findTerms } from '../terms/analyse-text.ts'
import { TextTrait } from '../terms/text-traits.ts'
import { readAsked, readQuestion } from './read-question.ts'

const now = Date.UTC(2024, 0, 1)
const people = ['Nadia', 'Tom Reed'].map((name) => ({ name, terms: findTerms(name), isPerson: true }))
const read = (text: string, asker?: string) => readQuestion(text, people, { now, asker })

describe('readQuestion', () => {
  it('tells whom a question is about, and looks for the rest', () => {
    expect(read("What is Nadia's cat called?")).toMatchObject({
      named: ['Nadia'],
      terms: ['cat', 'call'],
      role: null,
    })
    expect(read('Where does Tom live?')).toMatchObject({ named: ['Tom Reed'], terms: ['live'] })
    expect(read('Who is Nadia?').terms).toEqual(findTerms('Nadia'))
  })

  it('does not prefer the words of the only person there is', () => {
    const [nadia] = people
    const bot = { name: 'Luma', terms: findTerms('Luma'), isPerson: false }
    const alone = nadia === undefined ? [bot] : [nadia, bot]
    expect(readQuestion('What does Nadia like?', alone, { now })).toMatchObject({
      named: [],
      terms: ['like'],
    })
    expect(readQuestion('What did Luma suggest?', alone, { now }).named).toEqual(['Luma'])
  })

  it('takes the first person for the user and the second for the agent', () => {
    expect(read('What did I cook?').role).toBe('user')
    expect(read('Which book did you recommend to me?').role).toBe('assistant')
    expect(read('Do you remember what I cooked?').role).toBe('user')
    expect(read('你给我推荐过哪些画家？').role).toBe('assistant')
    expect(read('你还记得我喜欢什么吗？').role).toBe('user')
    expect(read('What is a fugue?').role).toBe(null)
  })

  it('takes the first person for the asker when one is given', () => {
    expect(read('What did I cook?', 'Nadia')).toMatchObject({ named: ['Nadia'], role: null })
  })

  it('knows what kind of answer is wanted', () => {
    expect(read('When did we meet?').expected & TextTrait.placesInTime).not.toBe(0)
    expect(read('How many cats?').expected & TextTrait.holdsNumber).not.toBe(0)
    expect(read('那本书叫什么名字？').expected & TextTrait.holdsName).not.toBe(0)
    expect(read('Why did she leave?').expected).toBe(0)
  })
})

describe('whom a question is about', () => {
  it.each<[question: string, asks: 'user' | 'assistant' | null]>([
    ['Where do I live?', 'user'],
    ['Which soup did you suggest to me?', 'assistant'],
    ['Which route was I advised to take?', 'assistant'],
    ['What was recommended for the cough?', 'assistant'],
    ['What was I recommended by my doctor?', 'user'],
    ['Where is the key?', null],
    ['我住在哪儿？', 'user'],
    ['上回给我推荐的是哪本书？', 'assistant'],
  ])('%s', (question, asks) => {
    expect(readAsked(question)).toBe(asks)
  })
})
