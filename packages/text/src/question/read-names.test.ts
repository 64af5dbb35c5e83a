import { describe, expect, it } from 'vitest'
import { withPronouns } from './read-names.ts'

const priya = { self: ['priya'], agent: ['Nova'] }

describe('withPronouns', () => {
  it('asks of the person and of the agent as the person would', () => {
    expect(withPronouns('Where does Priya work?', priya)).toBe('Where do I work?')
    expect(withPronouns("What is Priya's cat called?", priya)).toBe('What is my cat called?')
    expect(withPronouns('What did Nova tell Priya?', priya)).toBe('What did you tell me?')
    expect(withPronouns('Tell me about Priya.', priya)).toBe('Tell me about me.')
    expect(withPronouns('Where does priya work?', priya)).toBe('Where do I work?')
    expect(withPronouns('where does priya work?', priya)).toBe('where do I work?')
  })

  it('knows a name whole and by its words, with its accents', () => {
    const names = { self: ['Ana María Ruiz'], agent: [] }
    expect(withPronouns('Where does Ana María Ruiz live?', names)).toBe('Where do I live?')
    expect(withPronouns('Where does María live?', names)).toBe('Where do I live?')
    expect(withPronouns('Where does Marianne live?', names)).toBe('Where does Marianne live?')
  })

  it('knows a name whatever the case of its letters, also where a letter is another of the same fold', () => {
    const names = { self: ['kim SASS', '张曼婷'], agent: ['NOVA'] }
    expect(withPronouns('Where does KIM live?', names)).toBe('Where do I live?')
    expect(withPronouns('Where does \u212Aim live?', names)).toBe('Where do I live?')
    expect(withPronouns('Where does \u017Fass live?', names)).toBe(
      'Where does \u017Fass live?'.replace('does \u017Fass', 'do I'),
    )
    expect(withPronouns('What did nova say?', names)).toBe('What did you say?')
    expect(withPronouns('Where does Kimberley live?', names)).toBe('Where does Kimberley live?')
  })

  it('takes no common word for a name that looks like it', () => {
    const names = { self: ['rose', 'Will'], agent: [] }
    expect(withPronouns('Did I buy a rose, and will it grow?', names)).toBe(
      'Did I buy a rose, and will it grow?',
    )
    expect(withPronouns('what will i do?', names)).toBe('what will i do?')
    expect(withPronouns('Which flower does Rose like?', names)).toBe('Which flower do I like?')
  })

  it('reads Chinese names, with and without the family name', () => {
    const names = { self: ['张曼婷'], agent: ['小禾'] }
    expect(withPronouns('曼婷有孩子吗？', names)).toBe('我有孩子吗？')
    expect(withPronouns('张曼婷的老板是谁？', names)).toBe('我的老板是谁？')
    expect(withPronouns('小禾推荐过什么书？', names)).toBe('你推荐过什么书？')
    expect(withPronouns('Priya的老板是谁？', priya)).toBe('我的老板是谁？')
  })

  it('leaves ids and questions that name nobody as they are', () => {
    expect(withPronouns('Where do I work in 4711?', { self: ['4711'], agent: [] })).toBe(
      'Where do I work in 4711?',
    )
    expect(withPronouns('Where do I work?', { self: [], agent: [] })).toBe('Where do I work?')
  })
})
