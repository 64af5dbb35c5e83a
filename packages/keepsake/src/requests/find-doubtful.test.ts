import { openMemory } from 'keepsake'
import { afterAll, expect, it } from 'vitest'

const START = Date.UTC(2026, 2, 2, 9)
const DAY_MS = 86_400_000

/** Each case is a tenant of it. */
const keepsake = await openMemory({ path: ':memory:', now: () => START + 60 * DAY_MS })
let cases = 0
afterAll(() => keepsake.close())

/** Remembers statements on days of their own. */
async function remember(statements: readonly string[]) {
  const scope = keepsake.scope({ tenant: `t${(cases += 1)}`, user: 'ana' })
  for (const [day, text] of statements.entries())
    await scope.remember({ role: 'user', text, at: START + day * DAY_MS })
  await scope.drain()
  return scope
}

/** Returns which of the statements are among the texts. */
const among = (statements: readonly string[], memories: readonly { readonly text: string }[]): string[] =>
  statements.filter((statement) => memories.some(({ text }) => text === statement))

it.each([
  ['Nils', ['My brother Nils has gout.'], ['He cannot walk far.', 'And his knee is swollen.']],
  ['my sister Eda', ['My sister Eda was in prison.'], ['Her cell mate still writes to us.']],
  ['my canoe', ['My canoe was stolen.'], ['It was a gift from work.']],
  ['my cat', ['My cat Mo is deaf.'], ['She sleeps all day.']],
  ['阿龙', ['我表弟阿龙吸过毒。'], ['他在戒毒所待了半年。']],
  ['我的摩托车', ['我的摩托车被偷了。'], ['它还没还完贷款。']],
  ['my brother Nils', ['My brother Nils drinks.'], ['Nils Holm sold me a rug.']],
  ['my boss Eda', ['My boss Eda shouts.'], ['Eda from choir lent me a score.']],
  ['我同事阿龙', ['我同事阿龙很吵。'], ['楼下的阿龙养了三只狗。']],
])('what may be about %s is listed and stays', async (topic, gone, unsure) => {
  const scope = await remember(['I live in Ulm.', ...gone, ...unsure, 'I like figs.'])
  const forgotten = await scope.forgetAbout(topic)
  const all = [...gone, ...unsure, 'I live in Ulm.', 'I like figs.']
  expect({ gone: among(all, forgotten.memories), unsure: among(all, forgotten.unsure) }).toEqual({
    gone,
    unsure,
  })
})

it.each([
  ['Nils', ['My brother Nils has gout.', 'My aunt came to stay.', 'She brought jam.']],
  ['Nils', ['My brother Nils has gout.', 'It snowed all night.']],
  ['my brother Nils', ['My brother Nils Holm drinks.', 'Nils Holm sold me a rug.']],
  ['my brother Nils', ['My brother Nils drinks.', 'My son Nils is four.']],
  ['阿龙', ['我表弟阿龙吸过毒。', '我妈来看我。', '她带了汤。']],
])('nothing is unsure about %s if someone else comes between or is meant', async (topic, statements) => {
  const scope = await remember(statements)
  expect((await scope.forgetAbout(topic)).unsure).toEqual([])
})

it('a request in the talk waits for a yes before it deletes what goes on about the person', async () => {
  const statements = ['I live in Ulm.', 'My brother Nils has gout.', 'He cannot walk far.']
  const scope = await remember(statements)
  const request = { role: 'user', text: 'Please forget about Nils.', at: START + 9 * DAY_MS } as const
  await scope.remember(request)
  await scope.drain()
  const utterances = () => scope.memories({ forms: ['utterance'] })
  expect(among(statements, await utterances())).toEqual(['I live in Ulm.', 'He cannot walk far.'])
  const [pending] = await scope.admin.pendingRequests()
  expect(pending).toMatchObject({ about: 'Nils', removes: { utterance: 1 } })
  await scope.confirmRequest(pending?.turn ?? '')
  expect(among(statements, await utterances())).toEqual(['I live in Ulm.'])
})

it.each([
  ['my other cat', ['My cat Mo is deaf.'], []],
  ['my first husband', ['My husband Ivo paints.'], []],
  ['the other job', ['My job at the mill is dull.'], []],
  ['my other cat', ['My cat Mo is deaf.', 'My other cat Tib is blind.'], ['My other cat Tib is blind.']],
  ['我的另一只猫', ['我的猫毛毛病了。'], []],
])('“%s” means one of several', async (topic, statements, gone) => {
  const scope = await remember([...statements, 'I like figs.'])
  const { memories, unsure } = await scope.forgetAbout(topic)
  expect(among(statements, memories)).toEqual(gone)
  expect(unsure.length > 0).toBe(gone.length === 0)
})

it.each(['the user', 'me', 'Myself', 'everything about me', 'all my data', '用户', '我', '关于我的一切'])(
  '“%s” is refused as a topic',
  async (topic) => {
    const scope = await remember(['I have asthma.'])
    await expect(scope.forgetAbout(topic)).rejects.toThrow(/erase\(\{ everything: true \}\)/)
  },
)

it.each([
  ["the user's asthma", 'I have asthma.'],
  ['用户的哮喘', '我有哮喘。'],
  ['我的工资', '我月薪一万八。'],
])('“%s” is a topic in the words of an application', async (topic, statement) => {
  const scope = await remember([statement])
  expect(among([statement], (await scope.forgetAbout(topic)).memories)).toEqual([statement])
})

it.each([
  ['the theft', 'My scooter was stolen.'],
  ['the pregnancy', 'I am pregnant.'],
])('other words of the same meaning are listed: %s', async (topic, statement) => {
  const scope = await remember([statement, 'I like figs.'])
  const { memories, unsure } = await scope.forgetAbout(topic)
  expect([memories, among([statement, 'I like figs.'], unsure)]).toEqual([[], [statement]])
})
