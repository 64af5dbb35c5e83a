import { ModelError } from 'keepsake'
import { scriptedModel, type AnswerScript } from 'keepsake/model'
import { describe, expect, it } from 'vitest'
import type { AnswerInput, Judge } from './judge.ts'
import { JudgeError } from './judge-error.ts'
import { modelJudge } from './model-judge.ts'

function judging(answers: AnswerScript): Judge {
  return modelJudge({ model: scriptedModel(answers), language: 'en', runner: { retries: 0 } })
}

const asked: AnswerInput = {
  question: 'What does Ada grow?',
  reference: 'Figs and hops',
  keyPoints: [],
  answer: 'Figs.',
  answerable: true,
}

describe('the verdict of a model', () => {
  it.each([
    ['whole', 2],
    ['part', 1],
    ['none', 0],
  ])('of integrity: %s is %i', async (held, verdict) => {
    const judge = judging([JSON.stringify({ reason: 'so', held })])
    expect(await judge.integrity({ expected: 'x', memories: ['x'] })).toEqual({ verdict, reason: 'so' })
  })

  it.each([
    [['supported', 'supported'], [true, true], 2, true],
    [['supported', 'unsupported'], [true, false], 1, false],
    [['contradicted', 'supported'], [true, true], 1, true],
    [['contradicted', 'unsupported'], [true, true], 0, true],
  ])('of accuracy follows from the points: %j, in gold %j', async (supports, inGold, verdict, isTarget) => {
    const points = supports.map((support, place) => ({
      point: 'p',
      support,
      inGold: inGold[place],
    }))
    const judge = judging([JSON.stringify({ points, reason: 'so' })])
    expect(await judge.accuracy({ memory: 'm', dialogue: [], gold: [] })).toMatchObject({ verdict, isTarget })
  })

  it.each([
    [['given', 'given'], '', 'correct'],
    [['given', 'missing'], '', 'omitted'],
    [['given', 'vague'], '', 'omitted'],
    [['missing', 'different'], '', 'hallucinated'],
    [['given', 'given'], 'says she grows nothing', 'hallucinated'],
    [['given', 'different'], 'says it of figs', 'hallucinated'],
    [['given', 'vague'], 'or hemp', 'hallucinated'],
    [['missing', 'missing'], ' ', 'omitted'],
  ])(
    'of an answer follows from its elements: %j, contradiction “%s”',
    async (states, contradiction, verdict) => {
      const elements = states.map((state) => ({ element: 'e', state }))
      const { verdict: given, reason } = await judging([
        JSON.stringify({ elements, contradiction, reason: 'so' }),
      ]).answer(asked)
      expect(given).toBe(verdict)
      expect(reason).toMatch(/e: \w+; .*so$/)
    },
  )

  it('of an update, a likeness and a content is what it says', async () => {
    const judge = judging([
      '{"reason": "a", "outcome": "other"}',
      '{"reason": "b", "score": 4}',
      '{"reason": "c", "same": true}',
    ])
    expect(await judge.update({ updated: 'u', originals: ['o'], memories: ['m'] })).toEqual({
      verdict: 'other',
      reason: 'a',
    })
    expect(await judge.likeness({ label: 'l', memory: 'm' })).toEqual({ verdict: 4, reason: 'b' })
    expect(await judge.sameContent({ expected: 'e', actual: 'a' })).toEqual({ verdict: true, reason: 'c' })
  })

  it('is not asked for where there is nothing to judge', async () => {
    const judge = judging([])
    expect((await judge.integrity({ expected: 'x', memories: [] })).verdict).toBe(0)
    expect((await judge.update({ updated: 'u', originals: [], memories: [] })).verdict).toBe('omitted')
  })

  it('names the model, the prompts’ versions and the language', () => {
    expect(judging([])).toMatchObject({ name: 'scripted/model', kind: 'model' })
    expect(judging([]).version).toMatch(/judge-integrity\/\d+ .*judge-content\/\d+ en$/)
  })
})

describe('a judge that gives no verdict', () => {
  it('throws after one repair, with what the model said as cause', async () => {
    const failure = await judging(['nonsense', 'more nonsense'])
      .answer(asked)
      .catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(JudgeError)
    expect(failure).toMatchObject({ judge: 'scripted/model', call: 'answer', isRetryable: false })
    expect((failure as JudgeError).cause).toMatchObject({ answer: 'more nonsense' })
  })

  it('throws when the model cannot be reached, and says whether to try again', async () => {
    const busy = judging([new ModelError('busy', { isRetryable: true })])
    await expect(busy.update({ updated: 'u', originals: [], memories: ['m'] })).rejects.toMatchObject({
      name: 'JudgeError',
      isRetryable: true,
    })
  })

  it('throws at verdicts out of scale or resting on nothing, though twice given', async () => {
    const twice = (text: string): Judge => judging([text, text])
    await expect(twice('{"reason": "", "score": 7}').likeness({ label: 'l', memory: 'm' })).rejects.toThrow(
      /7 is no whole number/,
    )
    await expect(twice('{"elements": [], "contradiction": "", "reason": ""}').answer(asked)).rejects.toThrow(
      /no element/,
    )
    await expect(
      twice('{"points": [], "reason": ""}').accuracy({ memory: 'm', dialogue: [], gold: [] }),
    ).rejects.toThrow(/no point/)
  })
})
