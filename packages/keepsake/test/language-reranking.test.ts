import { describe, expect, it } from 'vitest'
import { ModelError } from 'keepsake'
import { type LanguageRequest, scriptedModel } from 'keepsake/model'
import { languageReranking } from '@keepsake/models'
import { openForTest } from './open-for-test.ts'
import { answering, shown } from './script-model.ts'

const AT = Date.parse('2024-03-04T18:00:00Z')

/** Answers as a model that knows which words tell what is asked: the number of each text with one of them. */
function finding(words: readonly string[], sure = 95) {
  return answering({
    weigh_texts: (request: LanguageRequest) => ({
      answering: numbersOf(shown(request), words).map((text) => ({ text, sure })),
    }),
  })
}

function numbersOf(prompt: string, words: readonly string[]): number[] {
  const texts = /<texts>\n([\s\S]*?)\n<\/texts>/.exec(prompt)?.[1] ?? ''
  return texts
    .split(/\n(?=\(\d+\))/)
    .flatMap((text) =>
      words.some((word) => text.includes(word)) ? [Number(/\((\d+)\)/.exec(text)?.[1])] : [],
    )
}

async function talkOf(texts: readonly string[], model: ReturnType<typeof finding>, most = 16) {
  const keepsake = await openForTest({ reranking: languageReranking(model, { most, retries: 0 }) })
  const ana = keepsake.scope({ user: 'ana' })
  await ana.remember(texts.map((text, index) => ({ role: 'user' as const, text, at: AT + index * 60_000 })))
  await ana.drain()
  return { keepsake, ana }
}

const SHOES = [
  'I bought my sister a pair of shoes for ninety euros.',
  'My sister is called Lena.',
  'It rained.',
]
const SKODA = ['The skoda went for scrap last week.', 'I wash the car on Sundays.', 'The car was dear to me.']

describe('a language model that reads what was found', () => {
  it('says that one property more of something told is not known', async () => {
    const { ana } = await talkOf(SHOES, finding([]))
    const { known, confidence } = await ana.recall('What colour were the shoes I bought my sister?')
    expect(confidence).toBeLessThan(0.45)
    expect(known).toBe(false)
  })

  it('is sure of what is told in other words, and puts it first', async () => {
    const { ana } = await talkOf(SKODA, finding(['skoda']))
    const { known, confidence, memories } = await ana.recall('What became of my car?')
    expect(memories[0]?.memory.text).toContain('skoda')
    expect(known).toBe(true)
    expect(confidence).toBeGreaterThan(0.7)
  })

  it('judges the only text there is', async () => {
    const { ana } = await talkOf(['My bike is blue.'], finding([]))
    expect((await ana.recall('Is my bike fast?')).known).toBe(false)
  })

  it('shows the model when things were said, the moment of asking, and no more texts than it may read', async () => {
    const model = finding([])
    const { ana } = await talkOf(SKODA, model, 2)
    await ana.recall('What became of my car?', { now: Date.parse('2024-03-09T10:00:00Z') })
    const [request] = model.requests
    const prompt = request === undefined ? '' : shown(request)
    expect(prompt).toContain('(2) 2024-03-04 Mon')
    expect(prompt).not.toContain('(3)')
    expect(prompt).toContain('It is now 2024-03-09 Sat 10:00')
  })

  it('asks in Chinese about talk in Chinese', async () => {
    const model = finding(['昆明'], 100)
    const { ana } = await talkOf(['我上个月搬到昆明了。', '我在银行上班。'], model)
    expect((await ana.recall('我现在住哪座城市？')).memories[0]?.memory.text).toContain('昆明')
    expect(model.requests[0]?.system).toMatch(/编号文字/)
  })

  it('costs the judgement when its answer is of no use, never the recall', async () => {
    const model = scriptedModel(() => 'I would rather not say.')
    const { keepsake, ana } = await talkOf(SKODA, model)
    const told: Error[] = []
    keepsake.on('background-failed', ({ error }) => told.push(error))
    expect((await ana.recall('What became of my car?')).memories.length).toBeGreaterThan(0)
    expect(told[0]).toBeInstanceOf(ModelError)
  })
})
