import { expect, it, vi } from 'vitest'
import { makeTurn } from '../../turns/turn-fixture.ts'
import { hearRequests, hearWideRequests, sentencesOf } from './hear-requests.ts'
import { RuleBook } from '@keepsake/text'

const turn = makeTurn({ id: 't1', text: 'Please forget that I like tea. The sun is out.' })

it('reads a turn for requests once, however many steps ask', () => {
  const rules = new RuleBook()
  const [read, isWide] = [vi.spyOn(rules, 'requestIn'), vi.spyOn(rules, 'isWide')]
  const heard = hearRequests([turn], rules)
  hearWideRequests([turn], rules)
  const calls = [read.mock.calls.length, isWide.mock.calls.length]
  expect(heard.map(({ about }) => about)).toEqual(['I like tea'])
  expect(hearRequests([turn], rules)).toEqual(heard)
  hearWideRequests([turn], rules)
  expect([read.mock.calls.length, isWide.mock.calls.length]).toEqual(calls)
})

it('gives each who asks requests of their own, and each turn its own', () => {
  const rules = new RuleBook()
  const [first] = hearRequests([turn], rules)
  const [again] = hearRequests([turn], rules)
  expect(again).not.toBe(first)
  expect(again?.evidence).not.toBe(first?.evidence)
  const [other] = hearRequests([{ ...turn, id: 't2' }], rules)
  expect(other?.evidence.turn).toBe('t2')
})

it.each([
  ['**I row in Ely.**', 'I row in Ely.'],
  ['I mend __clocks__, mostly.', 'I mend clocks, mostly.'],
  ['My name is `Ottilie`.', 'My name is Ottilie.'],
  ['* I swim at *dawn*', 'I swim at'],
])('reads %s as it is printed, and quotes it as it was written', (text, read) => {
  const [sentence] = sentencesOf({ text })
  expect(sentence?.text.replace(/\s+$/, '')).toContain(read)
  expect(text).toContain(sentence?.quote ?? '?')
})

it('splits a text into sentences once', () => {
  expect(sentencesOf({ text: turn.text })).toBe(sentencesOf({ text: turn.text }))
  expect(sentencesOf(turn).map(({ quote }) => quote)).toEqual([
    'Please forget that I like tea.',
    'The sun is out.',
  ])
})
