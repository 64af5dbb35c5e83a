import { describe, expect, it } from 'vitest'
import type { Turn } from '../turns/turn.ts'
import type { Request } from './candidate.ts'
import { readForgetRequestEn, readForgetRequestZh } from './explicit-requests.ts'
import { matchRequest, type RequestTarget } from './match-request.ts'
import { personaRules } from './persona-rules.ts'

describe('requests to forget', () => {
  it.each([
    ['Forget that I live in Lyon.', 'I live in Lyon'],
    ['Please forget about my ex.', 'my ex'],
    ["please don't remember my address", 'my address'],
    ['Delete what I said about Anna.', 'Anna'],
    ['Could you delete everything I told you about my job?', 'my job'],
    ['Never mind what I said about the trip.', 'the trip'],
    ['Remove my phone number from your memory.', 'phone number'],
    ['Actually, forget what I told you about my brother', 'my brother'],
    ['Forget what I just said.', null],
    ["don't remember this", null],
  ])('are read in “%s”', (text, about) => {
    expect(readForgetRequestEn(text)).toEqual({ about })
  })
  it.each([
    "Don't forget to call me.",
    "Don't forget that I live in Lyon.",
    "I'll never forget that day.",
    'Forget it.',
    'Forget about it!',
    'Forget that!',
    'I forgot my keys.',
    'I forgot that she lives in Lyon.',
    'I always forget about my appointments.',
    'Did you forget that I live in Lyon?',
    'How do I delete my account?',
    "I can't remember my password.",
    'Remember that I like tea.',
    'I removed the cover.',
    'Stop it.',
    "Don't remember the title though.",
    "Don't remember that film.",
    "Don't keep me waiting.",
    'Forget that film.',
    'Delete that file.',
    'Save the best for last.',
  ])('are not read in “%s”', (text) => {
    expect(readForgetRequestEn(text)).toBeNull()
  })
  it.each([
    ['忘掉我说的关于安娜的事', '安娜'],
    ['请忘了我的地址。', '我的地址'],
    ['别记我的电话号码', '我的电话号码'],
    ['不要记住我的生日', '我的生日'],
    ['请把我的工作忘掉', '我的工作'],
    ['忘掉我刚才说的话', null],
    ['当我没说', null],
  ])('are read in “%s”', (text, about) => {
    expect(readForgetRequestZh(text)).toEqual({ about })
  })
  it.each([
    '别忘了带伞',
    '我忘了带钥匙。',
    '我永远不会忘记那一天',
    '你忘了我吗？',
    '他忘了我的生日',
    '不要忘记我',
    '我记得你的名字',
    '我差点忘了这件事',
    '忘了他吧',
  ])('are not read in “%s”', (text) => {
    expect(readForgetRequestZh(text)).toBeNull()
  })
})

async function requestsIn(text: string): Promise<readonly Request[]> {
  const turn: Turn = {
    id: 'r',
    scope: 1,
    session: 's',
    position: 9,
    role: 'user',
    speaker: null,
    text,
    at: 900,
    timeZone: null,
  }
  return (await personaRules().extract({ scope: 1, session: 's', sessionNumber: 1, round: 1, turns: [turn] }))
    .requests
}

describe('announcements of change', () => {
  it.each([
    ['I no longer live in Lyon.', 'residence', 'Lyon'],
    ["I don't work at Siemens anymore.", 'employer', 'Siemens'],
    ["I don't like jazz any more.", 'likes', 'jazz'],
    ["I'm no longer a vegetarian.", 'identity', 'vegetarian'],
    ['I stopped drinking coffee.', 'habits', 'drinking coffee'],
    ['I quit smoking.', 'habits', 'smoking'],
    ['我不再住在里昂了', 'residence', '里昂'],
    ['我已经不喝咖啡了', 'habits', '喝咖啡'],
    ['我不再喜欢爵士乐了', 'likes', '爵士乐'],
  ])('“%s” ends what was so', async (text, key, value) => {
    expect(await requestsIn(text)).toMatchObject([{ kind: 'end', key, value, evidence: { turn: 'r' } }])
  })
  it.each([
    ['Actually I moved to Rome.', 'residence', 'Rome'],
    ["I'm from Portugal, not Spain.", 'origin', 'Portugal'],
    ['其实我搬到了苏州', 'residence', '苏州'],
  ])('“%s” corrects what was known', async (text, key, value) => {
    expect(await requestsIn(text)).toMatchObject([{ kind: 'change', candidate: { key, value } }])
  })
})

function target(id: string, text: string, rest: Partial<RequestTarget['memory']> = {}): RequestTarget {
  const memory = {
    id,
    form: 'fact' as const,
    subject: 'user',
    key: null,
    value: null,
    text,
    evidence: [{ turn: `t-${id}`, quote: null }],
    validUntil: null,
    ...rest,
  }
  return { memory, evidenceText: text }
}

describe('matchRequest', () => {
  const lyon = target('lyon', 'The user lives in Lyon.', { key: 'residence', value: 'Lyon' })
  const anna = target('anna', "The user's sister Anna is a doctor.", {
    key: 'siblings',
    value: 'sister Anna',
  })
  const annaPair = target('annaPair', '', { form: 'utterance' })
  const targets = [
    lyon,
    anna,
    { ...annaPair, evidenceText: 'My sister Anna called me.' },
    target('jazz', 'The user likes jazz.', { key: 'likes', value: 'jazz' }),
  ]
  const options = { speaker: 'user', justSaid: ['t-jazz'] }
  const evidence = { turn: 'r', quote: null }
  const forget = (about: string | null): string[] =>
    matchRequest({ kind: 'forget', about, evidence }, targets, options).map((match) => match.memory)

  it('drops everything that tells of what is named', () => {
    expect(forget('Anna')).toEqual(['anna', 'annaPair'])
    expect(forget('I live in Lyon')).toEqual(['lyon'])
  })
  it('drops what was just said', () => {
    expect(forget(null)).toEqual(['jazz'])
  })
  it('drops nothing when nothing fits', () => {
    expect(forget('my trip to Peru')).toEqual([])
    expect(forget('it')).toEqual([])
  })
  it('never means the words of the request itself', () => {
    const own = target('own', 'Forget Anna.', { evidence: [evidence] })
    expect(matchRequest({ kind: 'forget', about: 'Anna', evidence }, [own], options)).toEqual([])
  })
  it('ends the fact with that key and value, of the speaker alone', () => {
    const end: Request = { kind: 'end', about: 'Lyon', key: 'residence', value: 'Lyon', at: 9, evidence }
    expect(matchRequest(end, targets, options).map((match) => match.memory)).toEqual(['lyon'])
    expect(matchRequest(end, targets, { ...options, speaker: 'Bo' })).toEqual([])
    expect(matchRequest({ ...end, about: 'Oslo', value: 'Oslo' }, targets, options)).toEqual([])
  })
  it('matches Chinese by its characters', () => {
    const chinese = [target('a', '用户的妹妹安娜是医生。'), target('b', '用户住在里昂。')]
    expect(
      matchRequest({ kind: 'forget', about: '安娜', evidence }, chinese, options).map(
        (match) => match.memory,
      ),
    ).toEqual(['a'])
  })
})
