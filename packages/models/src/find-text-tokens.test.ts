import { describe, expect, it } from 'vitest'
import { findTextTokens } from './find-text-tokens.ts'

const BROKEN = '\uFFFD'

describe('findTextTokens', () => {
  it('takes the tokens after the border', () => {
    const tokens = ['Hi', '!', '\n', 'Oh', ' no']
    expect(findTextTokens({ before: 'Hi!\n', text: 'Oh no', tokens })).toEqual([3, 4])
    expect(findTextTokens({ before: '', text: 'Hi!\nOh no', tokens })).toEqual([0, 1, 2, 3, 4])
    expect(findTextTokens({ before: 'Hi!\n', text: 'Oh no', tokens, offsets: [0, 2, 3, 4, 6] })).toEqual([
      3, 4,
    ])
  })

  it('gives a token across the border to the text when at least half of it lies there', () => {
    const most = { before: 'so ', text: 'fine', tokens: ['so', ' fine'] }
    const least = { before: 'so much', text: 's fun', tokens: ['so', ' muchs', ' fun'] }
    const half = { before: '\n', text: '\nyes', tokens: ['\n\n', 'yes'] }
    expect(findTextTokens(most)).toEqual([1])
    expect(findTextTokens(least)).toEqual([2])
    expect(findTextTokens(half)).toEqual([0, 1])
  })

  it('does not believe offsets that count special tokens, or are none', () => {
    const tokens = ['<s>', 'Hi', '\n', 'there']
    expect(findTextTokens({ before: 'Hi\n', text: 'there', tokens, offsets: [0, 3, 5, 6] })).toEqual([3])
    const none = [BROKEN, BROKEN, '\n', BROKEN, BROKEN]
    expect(findTextTokens({ before: 'é\n', text: 'ü', tokens: none, offsets: none.map(() => -1) })).toEqual([
      3, 4,
    ])
  })

  it.each([
    ['spaces lost before words', ['<s>', 'One', 'two', '\n', 'three', 'four']],
    ['spaces marked', ['<s>', '▁One', '▁two', '\n', 'three', '▁four']],
    ['an end token', ['One', ' two', '\n', 'three', ' four', '</s>']],
  ])('copes with %s', (_, tokens) => {
    const from = tokens.indexOf('three')
    expect(findTextTokens({ before: 'One two\n', text: 'three four', tokens })).toEqual([from, from + 1])
  })

  it('shares characters out among the tokens that hold their bytes', () => {
    // Three tokens of 你's bytes, a line break, two of 🙂's.
    const tokens = [BROKEN, BROKEN, BROKEN, '\n', BROKEN, BROKEN, '!']
    expect(findTextTokens({ before: '你\n', text: '🙂!', tokens })).toEqual([4, 5, 6])
    const empty = ['', '', '你', '\n', '', '🙂', '!']
    expect(findTextTokens({ before: '你\n', text: '🙂!', tokens: empty })).toEqual([4, 5, 6])
  })

  it('counts characters, not UTF-16 units, as servers do', () => {
    const prompt = { before: '🙂🙂\n', text: '\u00e9t\u00e9', tokens: ['🙂', '🙂', 'bytes:\\x0a', 'ét', 'é'] }
    expect(findTextTokens({ ...prompt, offsets: [0, 1, 2, 3, 5] })).toEqual([3, 4])
  })

  it('passes over a first token that is not shown', () => {
    const tokens = [null, ' are', ' you', '\n', 'Fine']
    expect(findTextTokens({ before: 'How are you\n', text: 'Fine', tokens })).toEqual([4])
  })

  it('finds its way again after a character that the tokenizer changed', () => {
    const tokens = ['Ok', '.', '.', '.', '\n', 'A', 'bc', ' yes']
    expect(findTextTokens({ before: 'Ok…\n', text: 'Ａbc yes', tokens })).toEqual([5, 6, 7])
  })

  it.each([
    ['nothing', []],
    ['only what was generated', [' Sure']],
    ['numbers in place of strings', ['token_id:5', 'token_id:17', 'token_id:2', 'token_id:8', 'token_id:9']],
    ['less than the prompt', ['How', ' are']],
  ])('says so when it is given %s', (_, tokens) => {
    expect(
      findTextTokens({ before: 'How are you today, my friend?\n', text: 'Quite well, thanks', tokens }),
    ).toBeNull()
  })

  it('is quick on long text without a single readable token', () => {
    const text = '好'.repeat(6_000)
    const tokens = Array.from({ length: 18_000 }, () => BROKEN)
    expect(findTextTokens({ before: '\n', text, tokens: ['\n', ...tokens] })).toHaveLength(18_000)
  })
})
