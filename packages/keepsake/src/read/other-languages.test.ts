import { expect, it } from 'vitest'
import { openMemory } from 'keepsake'

const DAY_MS = 86_400_000
const START = Date.parse('2026-03-02T09:00:00Z')

it.each([
  ['meine Katze heißt Minka', 'Minka ist gestern gestorben', 'Wie geht es meiner Katze?'],
  ['je travaille à la mairie', 'la mairie m’a licencié', 'Où est-ce que je travaille ?'],
  ['vivo en Murcia', 'me mudé a León la semana pasada', '¿Dónde vivo?'],
  ['moro em Coimbra', 'mudei-me para Faro', 'Onde moro?'],
  ['仙台に住んでいます', '先週、大阪に引っ越しました', '今どこに住んでいますか'],
  ['저는 대전에 살아요', '지난주에 광주로 이사했어요', '나 지금 어디 살아?'],
])('shows a newer statement that shares few words with the question: %s', async (before, after, question) => {
  const memory = await openMemory({ path: ':memory:' })
  const scope = memory.scope({ user: 'u' })
  await scope.remember({ role: 'user', text: before, at: START })
  await scope.remember({ role: 'user', text: after, at: START + 9 * DAY_MS })
  await scope.drain()
  const { context } = await scope.recall(question, { now: START + 10 * DAY_MS })
  expect(context.text).toContain(before)
  expect(context.text).toContain(after)
  await memory.close()
})

it.each([
  ['meine Tante ist 58', 'Wie alt ist mein Onkel?'],
  ['ma tante a 58 ans', 'Quel âge a mon oncle ?'],
  ['compré una lámpara, 40 euros', '¿De qué color es la lámpara?'],
  ['fui a Creta em maio', 'Já fui a Chipre?'],
  ['叔母は58歳です', '叔父は何歳ですか'],
  ['고모는 58세야', '삼촌은 몇 살이야?'],
])('does not claim to know by half a question in a language without rules: %s', async (said, question) => {
  const memory = await openMemory({ path: ':memory:' })
  const scope = memory.scope({ user: 'u' })
  await scope.remember({ role: 'user', text: said, at: START })
  await scope.drain()
  expect((await scope.recall(question, { now: START + DAY_MS })).answerable).not.toBe('yes')
  await memory.close()
})
