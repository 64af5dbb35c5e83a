import { estimateTokens, findTerms } from '@keepsake/text'
import { describe, expect, it } from 'vitest'
import type { RecalledEvidence } from '../retrieval/recall-types.ts'
import { AnalysedText, AnalysedTexts } from '../user-state/analysed-text.ts'
import { clipText, formatExchange, saidTurns } from './context-lines.ts'

const countTokens = estimateTokens

const TALK =
  'So, about the weekend, it rained on us all the way. We walked to the mill and back. I lost my keys there, of all places. Then we had soup.'

describe('clipText', () => {
  it('leaves what fits as it is, on one line', () => {
    expect(
      clipText(new AnalysedText('I lost\n my keys.'), { terms: new Set(), tokens: 20, countTokens }),
    ).toBe('I lost my keys.')
  })

  const asked = new Set(findTerms('keys'))

  it('keeps whole sentences: the one that holds what was asked, the first ones, and its neighbours', () => {
    const text = new AnalysedText(`I woke up late. Nobody else was up yet. ${TALK} It was still hot.`)
    expect(clipText(text, { terms: asked, tokens: 28, countTokens })).toBe(
      'I woke up late. Nobody else was up yet. … I lost my keys there, of all places. Then we had soup. …',
    )
  })

  it('keeps the sentence that holds what was asked also where that alone costs more', () => {
    expect(clipText(new AnalysedText(TALK), { terms: asked, tokens: 5, countTokens })).toBe(
      '… I lost my keys there, of all places. …',
    )
  })

  it('keeps clauses where nothing was asked', () => {
    expect(clipText(new AnalysedText(TALK), { terms: new Set(), tokens: 5, countTokens })).toBe(
      'So, about the weekend, it rained on us all the way. We walked to the mill and back. …',
    )
  })

  it('takes what is written without a full stop in pieces', () => {
    const text = new AnalysedText(
      `${'on and on '.repeat(300)}the keys were in the soup ${'and so on '.repeat(300)}`,
    )
    const clipped = clipText(text, { terms: asked, tokens: 100, countTokens })
    expect(clipped).toContain('the keys were in the soup')
    expect(clipped.length).toBeLessThan(1_300)
  })

  it('shortens Chinese by characters', () => {
    const long = `${'我们昨天去爬山，'.repeat(10)}后来我把钥匙丢了。`
    const clipped = clipText(new AnalysedText(long), { terms: new Set(['钥匙']), tokens: 90, countTokens })
    expect(clipped).toContain('后来我把钥匙丢了。')
    expect(long.startsWith(clipped.slice(0, 60))).toBe(true)
  })
})

type Said = readonly [role: 'user' | 'assistant', text: string | null, score?: number]

function tell(said: readonly Said[], question = '', asks: 'user' | 'assistant' | null = null): string {
  const evidence = said.map(([role, text, score = 0], place): RecalledEvidence => ({
    turn: `t${place}`,
    session: 's',
    role,
    speaker: null,
    at: place,
    timeZone: null,
    text,
    metadata: null,
    score,
  }))
  const terms = new Set(findTerms(question))
  const turns = saidTurns({ evidence }, new AnalysedTexts())
  return formatExchange(turns, { terms, asks, tokens: 100, countTokens: estimateTokens })
}

describe('formatExchange', () => {
  it('tells the user’s words, and not what the agent said before them', () => {
    const exchange = [
      ['assistant', 'What a day! How did the job interview at the bakery go in the end?'],
      ['user', 'I start on Monday at the mill bakery, early shift, two euros more an hour.', 2],
    ] as const
    expect(tell(exchange, 'Where do I work?')).toBe(
      'user: "I start on Monday at the mill bakery, early shift, two euros more an hour."',
    )
  })

  it('tells the question as well, and of the agent’s turn no more than that, where the answer says little by itself', () => {
    const exchange = [
      ['assistant', 'I am glad. Take your time. How many kilometres did you run?'],
      ['user', 'Twenty, can you believe it', 2],
    ] as const
    expect(tell(exchange, 'How far did I run?')).toBe(
      'agent: "How many kilometres did you run?" / user: "Twenty, can you believe it"',
    )
  })

  it('tells what the agent said where that is what was asked about', () => {
    const exchange = [
      ['assistant', 'You could read Middlemarch next.', 2],
      ['user', 'I shall look for it in the library on the corner tomorrow morning.', 1],
    ] as const
    expect(tell(exchange, 'Which book did you recommend?', 'assistant')).toContain('Middlemarch')
    expect(tell(exchange, 'Where will I look for it?')).not.toContain('Middlemarch')
  })

  it('marks what the agent states of the user and nothing of theirs stands beside', () => {
    expect(tell([['assistant', 'Your sister lives in Porto, so you will see her often.', 2]])).toBe(
      'agent (unconfirmed): "Your sister lives in Porto, so you will see her often."',
    )
    expect(tell([['assistant', '你妹妹住在大理，你常去看她吧。']])).toMatch(/^agent \(unconfirmed\): /)
    expect(tell([['assistant', 'I promise to send the recipe on Friday.', 2]])).toBe(
      'agent: "I promise to send the recipe on Friday."',
    )
    expect(tell([['assistant', 'Does your sister live in Porto?', 2]])).toMatch(/^agent: /)
  })

  it('shows no word of the agent’s to a question about the user, unless the user’s next words take it up', () => {
    const guess = ['assistant', 'Valerian tea before bed helps most people sleep.', 3] as const
    const about = (...said: readonly Said[]) => tell(said, 'What do I take before bed?', 'user')
    expect(about(guess)).toBe('')
    expect(
      about(guess, [
        'user',
        'My neighbour is drilling again, through the kitchen wall, from six in the morning on, every blessed weekday.',
        1,
      ]),
    ).toBe(
      'user: "My neighbour is drilling again, through the kitchen wall, from six in the morning on, every blessed weekday."',
    )
    expect(
      about(guess, ['user', 'I bought some valerian at the market on Saturday, so tonight I shall see.', 1]),
    ).toMatch(/^agent: "Valerian tea.*" \/ user: "I bought some valerian/)
    expect(about(guess, ['user', 'Good idea.', 1])).toMatch(/^agent: "Valerian tea.*" \/ user: "Good idea."/)
    for (const mere of ['nah', 'ok thanks!', 'haha', '嗯，谢谢'])
      expect(about(guess, ['user', mere, 1])).not.toContain('Valerian')
    const claim = ['assistant', 'You may have a B12 deficiency.', 3] as const
    expect(tell([claim, ['user', 'thanks', 1]], 'Is there a B12 deficiency?')).not.toContain('may have')
    const asked = ['assistant', 'Do you take valerian?', 3] as const
    expect(about(asked, ['user', 'nope', 1])).toBe('agent: "Do you take valerian?" / user: "nope"')
    expect(tell([guess], 'What did you say helps before bed?', 'assistant')).toContain('Valerian')
  })

  it.each([
    'How much is one?',
    "Maybe. I'll think about it.",
    'Let me check the cupboard.',
    'Sounds expensive.',
    'Hm, not sure.',
    'Interesting.',
    'My aunt had that.',
    "I'd have to ask the doctor.",
    'Where do they sell it?',
    'We will see.',
    '多少钱一盒？',
    '再说吧。',
    '我去问问。',
    '有意思。',
    '考虑一下。',
    '不一定吧。',
  ])('takes the reply “%s” for no confirmation of what the agent said', (reply) => {
    const said: Said[] = [
      ['assistant', 'A cup of valerian tea before bed would do it.', 3],
      ['user', reply, 1],
    ]
    expect(tell(said, 'What do I take before bed?', 'user')).not.toContain('valerian')
  })

  it.each(['Yes, every night.', "That's right.", 'I do!', 'No, camomile.', '对，每天晚上。', '没错'])(
    'takes the reply “%s” for an answer to what the agent said',
    (reply) => {
      const said: Said[] = [
        ['assistant', 'You take valerian tea before bed.', 3],
        ['user', reply, 1],
      ]
      expect(tell(said, 'What do I take before bed?', 'user')).toContain('valerian')
    },
  )

  it('is empty where nothing may be shown', () => {
    expect(tell([['user', null]])).toBe('')
  })
})
