import { describe, expect, it } from 'vitest'
import { chooseOverview, type OverviewText } from './choose-overview.ts'
import { strandsOf } from './life-areas.ts'

const said = (texts: readonly string[]): OverviewText[] =>
  texts.map((text, at) => ({ id: text, text, at, key: null, isStatement: false }))

const ids = (chosen: readonly OverviewText[]): string[] => chosen.map(({ id }) => id)

describe('chooseOverview', () => {
  it('spreads over the strands before it goes into any of them', () => {
    const dogs = Array.from({ length: 6 }, (_, place) => `My dog Rex ate shoe number ${place}.`)
    const chosen = ids(
      chooseOverview(
        said([...dogs, 'My son Milo starts school.', 'I work as a baker in Lyon.']),
        strandsOf(['person']),
        { limit: 4, fills: false },
      ),
    )
    expect(chosen).toContain('My son Milo starts school.')
    expect(chosen).toContain('I work as a baker in Lyon.')
  })

  it('tells of a strand where it was first told and how it stands now before the rest', () => {
    const moves = ['I live in Porto now.', 'I live in Lyon now.', 'I live in Ghent now.']
    expect(ids(chooseOverview(said(moves), strandsOf(['home']), { limit: 2, fills: false }))).toEqual([
      'I live in Porto now.',
      'I live in Ghent now.',
    ])
  })

  it('takes a statement before the same said', () => {
    const stated = {
      id: 'fact',
      text: 'The user has a dog called Rex.',
      at: 0,
      key: 'pets',
      isStatement: true,
    }
    const chosen = chooseOverview([...said(['My dog Rex.']), stated], strandsOf(['pets']), {
      limit: 1,
      fills: false,
    })
    expect(ids(chosen)).toEqual(['fact'])
  })

  it('leaves out what is of no strand, unless room is to be filled', () => {
    const talk = said(['My knee hurts again.', 'We saw Paterson at the Rio.'])
    const of = strandsOf(['health'])
    expect(ids(chooseOverview(talk, of, { limit: 5, fills: false }))).toEqual(['My knee hurts again.'])
    expect(chooseOverview(talk, of, { limit: 5, fills: true })).toHaveLength(2)
  })

  it('takes relatives without a possessive for the own ones, and those of others not', () => {
    const talk = said([
      "Mum's hip was done in October.",
      'ma abuela rang',
      'His mum called.',
      '妈说她来。',
      '他妈来了。',
    ])
    const chosen = ids(chooseOverview(talk, strandsOf(['family']), { limit: 5, fills: false }))
    expect(chosen.toSorted()).toEqual(["Mum's hip was done in October.", '妈说她来。'].toSorted())
  })

  it('hears Chinese', () => {
    const talk = said(['我在邮局上班。', '我女儿叫小满。', '今天下雨。'])
    expect(ids(chooseOverview(talk, strandsOf(['person']), { limit: 5, fills: false })).toSorted()).toEqual(
      ['我在邮局上班。', '我女儿叫小满。'].toSorted(),
    )
  })
})
