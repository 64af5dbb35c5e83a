import { expect, test } from 'vitest'
import { compareHistory, type HistoryMessage } from './compare-history.ts'

/** Messages of the user (`> …`) and the assistant, with ids by their place. */
const talk = (prefix: string, ...lines: readonly string[]): HistoryMessage[] =>
  lines.map((line, place) => ({
    id: `${prefix}${place}`,
    role: line.startsWith('> ') ? 'user' : 'assistant',
    text: line.replace(/^> /, ''),
  }))

const STORED = ['> I keep bees.', 'How nice!', '> The hives are on my roof.', 'High up.']

/** Compares with the stored conversation; gives what is replaced, and how many messages are known. */
function changes(sent: readonly string[], stored = STORED, isNamed = false, sendsHistory = false) {
  const found = compareHistory(talk('s', ...stored), talk('t', ...sent), { isNamed, sendsHistory })
  const edited = Object.fromEntries([...found.edited].map(([index, ids]) => [index, ids.join(' ')]))
  return { known: found.stored.size, edited, again: found.answersAgain.join(' ') }
}

const unchanged = (known: number) => ({ known, edited: {}, again: '' })

test('a conversation that goes on changes nothing', () => {
  expect(changes([...STORED, '> And I have a goat.'])).toEqual(unchanged(4))
})

test('old messages that a client drops are no change', () => {
  expect(changes([...STORED.slice(2), '> And I have a goat.'])).toEqual(unchanged(2))
  expect(changes(['> I keep bees.', ...STORED.slice(3), '> And a goat.'])).toEqual(unchanged(2))
  expect(changes(['> Summary: bees on a roof.', ...STORED.slice(2), '> And a goat.'])).toEqual(unchanged(2))
})

test('a client that sends its last message alone changes nothing', () => {
  for (const sent of ['> What is honey?', '> I keep goats as well.', '> The hives are on my barn.'])
    expect(changes([sent])).toEqual(unchanged(0))
  expect(changes(['> My dog is 5.'], ['> My son is 5.', 'I see.'])).toEqual(unchanged(0))
  expect(changes(['> I live in Wismar.'], ['> I live in Rostock.', 'I see.'])).toEqual(unchanged(0))
})

test('another conversation that begins alike changes nothing', () => {
  const stored = ['> Hello', 'Hi, what can I do?', '> I am moving to Oslo.', 'Great.']
  expect(changes(['> Hello'], stored)).toEqual(unchanged(1))
  expect(changes(['> Hello', 'Hi, what can I do?', '> Dinner ideas?'], stored)).toEqual(unchanged(2))
})

test('an answer that is asked for again replaces the one before', () => {
  expect(changes(STORED.slice(0, 3))).toEqual({ known: 3, edited: {}, again: 's3' })
})

test('an edited message replaces the one before, and the answer that it had', () => {
  const edited = ['> I keep bees.', 'How nice!', '> The hives are on my balcony.']
  expect(changes(edited)).toEqual({ known: 2, edited: { 2: 's2 s3' }, again: '' })
})

test('a message edited to other words is no other conversation, where one begins hardly twice with the same words', () => {
  const start = ['> My hives stand on the roof.', 'How nice!']
  const stored = [...start, '> Mead is my favourite.', 'Cheers.']
  const edited = [...start, '> What do goats eat?']
  expect(changes(edited, stored)).toEqual({ known: 2, edited: { 2: 's2 s3' }, again: '' })
  const further = [...stored, '> I sing.', 'Lovely.']
  expect(changes(edited, further)).toEqual({ known: 2, edited: { 2: 's2 s3' }, again: '' })
  for (const begin of ['> Hi!', '> Can you help me with something?', '> 你好']) {
    const other = [begin, 'Sure.', '> What do goats eat?']
    expect(changes(other, [begin, 'Sure.', '> Mead is my favourite.', 'Cheers.'])).toEqual(unchanged(2))
  }
})

test('an earlier message that was edited replaces itself alone', () => {
  const edited = ['> I keep wild bees.', ...STORED.slice(1), '> And a goat.']
  expect(changes(edited)).toEqual({ known: 3, edited: { 0: 's0' }, again: '' })
  const answer = [STORED[0] ?? '', 'How sweet of you!', ...STORED.slice(2), '> And a goat.']
  expect(changes(answer)).toEqual({ known: 3, edited: { 1: 's1' }, again: '' })
})

test('a first message in which a word was corrected replaces the one before', () => {
  expect(changes(['> I keep beees.'], ['> I keep bees.', 'I see.'])).toEqual({
    known: 0,
    edited: { 0: 's0 s1' },
    again: '',
  })
})

test.each([
  ['> Hi!', ['> Hi', 'Hello!', '> I moved to Lyon.', 'Nice.']],
  ['> Hey there', ['> Hi there', 'Hello!']],
  ['> 你好！', ['> 你好', '你好呀', '> 我搬到里昂了。', '真好']],
  ['> 晚上好', ['> 早上好', '早！']],
] as const)('a short first message may begin another chat, and replaces nothing: %s', (text, stored) => {
  for (const isNamed of [true, false])
    for (const sendsHistory of [true, false])
      expect(changes([text], [...stored], isNamed, sendsHistory)).toEqual(unchanged(0))
})

test('in a named session the sent conversation holds', () => {
  const begin = '> I keep bees on my roof.'
  const long = [begin, ...STORED.slice(1)]
  expect(changes([begin], long, true, true)).toEqual({ known: 1, edited: {}, again: 's1 s2 s3' })
  const other = ['> I keep bees.', 'How nice!', '> What is mead?']
  expect(changes(other, STORED, true)).toEqual({ known: 2, edited: { 2: 's2 s3' }, again: '' })
})

test('answers that a client trims or reformats are the same', () => {
  const long = 'That is a fine place for them, with lime trees all around and nobody who minds.'
  const stored = ['> The hives are on my roof.', ` ${long}\n`]
  expect(changes(['> The hives are on my roof.', long.replace('minds.', 'minds'), '> Yes.'], stored)).toEqual(
    unchanged(2),
  )
})

test('a message with the same id is the same, whatever its words: secrets are masked in what is stored', () => {
  const masked: HistoryMessage = { id: 'a', role: 'user', text: 'My pin is [masked: pin].' }
  const sent: HistoryMessage = { id: 'a', role: 'user', text: 'My pin is 4711.' }
  expect([...compareHistory([masked], [sent], { isNamed: false }).stored]).toEqual([[0, 'a']])
})

test('a long conversation is compared by its end, and one that has nothing in common with it changes nothing', () => {
  const long = Array.from({ length: 6_000 }, (_, place) =>
    place % 2 === 0 ? `> Question ${place}` : `Answer ${place}`,
  )
  const end = long.slice(-21, -1)
  expect(changes(end, long)).toEqual({ known: 20, edited: {}, again: 's5999' })
  expect(changes(['> Something else entirely, and longer.'], long)).toEqual(unchanged(0))
  const other = Array.from({ length: 2_000 }, (_, place) =>
    place % 2 === 0 ? `> Other ${place * 7}` : `Reply ${place}`,
  )
  expect(changes([...other, '> And now?'], long)).toEqual(unchanged(0))
})

test('a message of another conversation that goes on meanwhile is no earlier form of this one', () => {
  const stored = talk('s', '> One.', 'a', '> Two.', 'b', '> Tell me about one.', 'c')
  const sent = talk('t', '> Two.', 'b', '> Tell me about two.')
  const inPlace = (id: string) => [
    ...sent.slice(0, 2),
    ...sent.slice(2).map((one) => ({ ...one, idOf: () => id })),
  ]
  expect(compareHistory(stored, inPlace('elsewhere'), { isNamed: false }).edited.size).toBe(0)
  expect([...compareHistory(stored, inPlace('s4'), { isNamed: false }).edited]).toEqual([[2, ['s4', 's5']]])
})

/** A message of a request or a store; `first:…` is the id of what was sent as the first message. */
const sentFirst = (text: string): HistoryMessage => ({
  id: `first:${text}`,
  role: 'user',
  text,
  idOf: (words) => `first:${words}`,
})

test('a beginning that a named session no longer has was edited, if the client goes on from another first message', () => {
  const isNamed = { isNamed: true }
  const [old, answer] = [sentFirst('I live in Delft.'), ...talk('a', 'A wet town.')]
  const [edited, next] = [sentFirst('What is mead?'), ...talk('b', 'Wine.')]
  const rest = talk('c', 'Wine.', '> Thanks.')
  const sent = [edited, ...rest]
  const stored = [old, answer, edited, next].flatMap((one) => one ?? [])
  expect([...compareHistory(stored, sent, isNamed).edited]).toEqual([[0, [old.id, 'a0']]])
  expect(compareHistory(stored, sent, { isNamed: false }).edited.size).toBe(0)
  // The stored message was sent with earlier ones, which the client drops now.
  const dropped = stored.map((one) => (one === edited ? { ...one, id: 'later' } : one))
  expect(compareHistory(dropped, sent, isNamed).edited.size).toBe(0)
  // A chat of several messages that began otherwise is another chat of the same name.
  const other = [old, ...talk('d', 'A wet town.', '> Quite.', 'Yes.'), edited, ...rest.slice(0, 1)]
  expect(compareHistory(other, sent, isNamed).edited.size).toBe(0)
  const alike = [sentFirst('What is mead'), ...other.slice(1)]
  expect([...compareHistory(alike, sent, isNamed).edited]).toEqual([
    [0, ['first:What is mead', 'd0', 'd1', 'd2']],
  ])
})

test('in a named session a message without history that repeats an earlier one is said anew', () => {
  const named = (text: string, sendsHistory: boolean, stored = STORED) =>
    compareHistory(talk('s', ...stored), talk('t', text), { isNamed: true, sendsHistory })
  const anew = { stored: new Map(), edited: new Map(), answersAgain: [], isRepeat: true }
  expect(named('> I keep bees.', false)).toEqual(anew)
  // A short message may begin another chat of the same name.
  expect(named('> 早上好', true, ['> 早上好', '早！', ...STORED])).toEqual(anew)
  expect(named('> The hives are on my roof.', false).answersAgain).toEqual(['s3'])
})
