import { describe, expect, it } from 'vitest'
import type { Turn } from '../turns/turn.ts'
import type { Extraction, Request } from './extractor.ts'
import { matchRequest, type RequestTarget } from '../requests/match-request.ts'
import { personaRules } from './rules/persona-rules.ts'
import { shippedRules } from '@keepsake/text'

/** What is asked to be forgotten; `undefined` for nothing. */
const sureRequestsIn = (text: string) => shippedRules().requestIn(text)?.about

describe('requests to forget', () => {
  it.each([
    ['Forget that I live in Lyon.', 'I live in Lyon'],
    ['Remove my medication.', 'medication'],
    ["Forget that, it's private.", null],
    ['Please forget about my ex.', 'my ex'],
    ["please don't remember my address", 'my address'],
    ['Delete what I said about Anna.', 'Anna'],
    ['Could you delete everything I told you about my job?', 'my job'],
    ['Never mind what I said about the trip.', 'the trip'],
    ['Remove my phone number from your memory.', 'phone number'],
    ['Actually, forget what I told you about my brother', 'my brother'],
    ['Forget what I just said.', null],
    ["don't remember this", null],
    ['Please erase the last thing I told you.', null],
    ['Forget my previous remark, please.', null],
    ['Could you delete the message I just sent?', null],
    ['Never mind what I said a minute ago.', null],
    ['Please take my last sentence off the record.', null],
    ["Let's pretend I didn't say that last bit.", null],
    ["Let's pretend I never sent that last message.", null],
    ['把我上一句话忘掉吧', null],
    ['请删掉刚才那条', null],
    ['前一条消息请忘掉', null],
    ['我刚刚发的那句当我没说', null],
    ['别把我刚才讲的记下来', null],
  ])('are read in “%s”', (text, about) => {
    expect(sureRequestsIn(text)).toBe(about)
  })
  it.each([
    'Please remember this.',
    'Please keep it.',
    'Could you remember that?',
    'I need you to remember this.',
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
    'Forget the last train.',
    'Delete the last line.',
    'Take that last turning.',
    '把最后一块蛋糕删掉',
    '上一条围巾忘了带',
    "Don't remember that film.",
    "Don't keep me waiting.",
    'Forget that film.',
    'Delete that file.',
    'Save the best for last.',
  ])('are not read in “%s”', (text) => {
    expect(sureRequestsIn(text)).toBeUndefined()
  })
  it.each([
    ["please forget what I said about Tom, it isn't mine to tell.", 'Tom'],
    ["Actually, please forget what I said about Tom, it isn't mine to tell.", 'Tom'],
    ['Forget what I told you about Tom - thanks!', 'Tom'],
    ['Please forget what I said about Tom; I promised to keep quiet.', 'Tom'],
    ["Could you forget everything I told you about the interview because it's not public?", 'the interview'],
    ['Please delete what I said about Anna since she would hate it.', 'Anna'],
    ['Please forget about my ex, please.', 'my ex'],
    ['Please forget what I said about Tom, thanks.', 'Tom'],
    ['Please forget what I said about Tom，it is private。', 'Tom'],
    ['Juno, please forget what I told you about my sister.', 'my sister'],
    ["It isn't mine to tell, so please forget what I said about Tom.", 'Tom'],
    ["I shouldn't have said that, can you delete what I told you about Tom?", 'Tom'],
    ['Can you drop what I told you about Priya?', 'Priya'],
    ["Let's pretend I never mentioned Priya.", 'Priya'],
    ["Can we just pretend I didn't bring up the divorce?", 'the divorce'],
    ["Pretend I never said anything about Priya, she'd be upset.", 'Priya'],
    ["I'd rather you didn't keep what I said about Priya.", 'Priya'],
    ["I don't want you to remember what I said about Priya.", 'Priya'],
    ["My salary is private, don't store it.", 'My salary'],
    ["The thing about Priya is confidential, so please don't record it.", 'The thing about Priya'],
    ['What I told you about Priya is off the record.', 'Priya'],
    ['Forget I ever mentioned Priya.', 'Priya'],
    ['Forget that I told you about Priya.', 'Priya'],
    ['Would you mind forgetting what I said about Priya?', 'Priya'],
    ['Please forget what I said about Tom, Anna and Bo.', 'Tom, Anna and Bo'],
    ['Take my address off your records, please.', 'address'],
    ['Delete what I said about Dr. Miller.', 'Dr. Miller'],
    ['Forget what I said about the wedding in May, we changed it.', 'the wedding in May'],
    ["I'd rather you didn't keep that.", null],
    ["I'd prefer if you didn't remember this.", null],
    ['Strike that.', null],
    ['Strike that from the record, please.', null],
    ["That's off the record.", null],
    ['Off the record, please.', null],
    ["Let's pretend I never said that.", null],
    ["That's private, please don't store it.", null],
    ['Forget I said anything.', null],
    ['No need to remember that.', null],
  ])('are read in the words of “%s”', (text, about) => {
    expect(sureRequestsIn(text)).toBe(about)
  })
  it.each([
    'Forget about dinner, let us just order in.',
    "Forget about Tom, let's get pizza.",
    'Forget about the gym today.',
    'Strike that, I meant Tuesday.',
    'She told me to forget what I said about Tom.',
    'He said, please forget what I said about Tom.',
    'If I cry, forget what I said about Tom.',
    'Why would I forget what you said about Tom?',
    "Pretend I'm a pirate.",
    "Let's pretend we never met.",
    'My diary is private.',
    "That's a secret, but I trust you.",
    'It stays between us.',
    'The interview was off the record.',
    "Don't mention it!",
    "Don't bring up dessert yet.",
    "Don't talk about work at dinner.",
    "I'd rather you didn't call me that.",
    "I'd rather stay home.",
    'They went on strike at the factory.',
    'I keep my records in a drawer.',
    'Drop me a line.',
    "Don't save my seat.",
    "Forget Paris, we're going to Rome.",
    'Can you drop by on Sunday?',
    'I dropped what I was holding.',
    'I wish I could forget about my ex.',
    'I want to forget my ex.',
    "I don't want to forget my grandmother.",
    "You can't make me forget about Tom.",
    'Please remember my address.',
    'I will never mention Tom again.',
    "Don't mention the divorce again, it hurts.",
    "Let's never speak of Tom again.",
    'My boss told me not to bring up Tom again.',
  ])('are not read in the everyday “%s”', (text) => {
    expect(sureRequestsIn(text)).toBeUndefined()
  })
  it.each([
    ['忘掉我说的关于安娜的事', '安娜'],
    ['请忘了我的地址。', '我的地址'],
    ['别记我的电话号码', '我的电话号码'],
    ['不要记住我的生日', '我的生日'],
    ['请把我的工作忘掉', '我的工作'],
    ['忘掉我刚才说的话', null],
    ['当我没说', null],
    ['算了,请忘掉我刚才说的关于王敏的事,我不想再提她。', '王敏'],
    ['算了，请忘掉我刚才说的关于王敏的事，我不想再提她。', '王敏'],
    ['哎,那个,忘掉我跟你说过的关于王敏的事吧,谢谢。', '王敏'],
    ['我想了想,请你把我说的关于王敏的事都删掉', '王敏'],
    ['就当我没提过王敏。', '王敏'],
    ['就当我没说过王敏的事吧,太尴尬了', '王敏'],
    ['关于王敏的事请不要记下来', '王敏'],
    ['我的工资是隐私,别记下来', '我的工资'],
    ['我希望你忘掉我说的关于王敏的事', '王敏'],
    ['我不希望你记住我的地址', '我的地址'],
    ['能不能忘掉我说的关于王敏的事?', '王敏'],
    ['可以把我的住址删掉吗？', '我的住址'],
    ['麻烦你删除我之前说的关于体检的内容', '体检'],
    ['请不要记录我的病情,谢谢', '我的病情'],
    ['这个别记', null],
    ['这个别记了,不太方便。', null],
    ['刚才那句话别记', null],
    ['这件事要保密,别记下来。', null],
    ['就当我什么都没说', null],
    ['算了,当我没说。', null],
  ])('are read in “%s”', (text, about) => {
    expect(sureRequestsIn(text)).toBe(about)
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
    '出门太急,把钥匙忘了。',
    '他昨天喝多了,把我的生日忘了。',
    '别再提醒我了',
    '王敏的事别再提了。',
    '以后别再跟我提王敏了',
    '别再提要求了',
    '过去的事别再提了',
    '伤心的事就别再提了',
    '别提了,今天累死了。',
    '忘掉那些不开心的事吧',
    '忘掉烦恼',
    '帮我保密哦',
    '公司要求我们保密',
    '你当我没长眼吗',
    '他当我没说过一样',
    '如果你愿意,请忘掉我说的关于王敏的事',
    '她跟我说:忘掉我说的关于王敏的事',
    '医生让我忘掉我说的那些症状',
    '我想忘掉王敏',
    '别记仇',
    '不用记得那么清楚',
    '我把文件删除了',
    '请记住我的生日',
    '我没提过这件事',
    '忘了我的生日也没关系',
    '忘了告诉你,我换工作了',
    '我跟你说的事别告诉别人',
    '我刚才说的你都记住了吗?',
  ])('are not read in “%s”', (text) => {
    expect(sureRequestsIn(text)).toBeUndefined()
  })
})

async function requestsIn(text: string): Promise<readonly Request[]> {
  return (await extractionOf(text)).requests
}

async function extractionOf(text: string): Promise<Extraction> {
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
    metadata: null,
  }
  return personaRules().extract({ scope: 1, session: 's', sessionNumber: 1, round: 1, turns: [turn] })
}

describe('announcements of change', () => {
  it.each([
    ['I no longer live in Lyon.', 'residence', 'Lyon'],
    ["I don't work at Siemens anymore.", 'employer', 'Siemens'],
    ["I don't like jazz any more.", 'likes', 'jazz'],
    ["I'm no longer a vegetarian.", 'diet', 'vegetarian'],
    ['我不再住在里昂了', 'residence', '里昂'],
    ['我已经不喝咖啡了', 'habits', '喝咖啡'],
    ['我不再喜欢爵士乐了', 'likes', '爵士乐'],
    ["Funny you ask, I don't like jazz anymore.", 'likes', 'jazz'],
    ["Funny you should ask, I don't like jazz anymore.", 'likes', 'jazz'],
    ["Now that you mention it, I don't like jazz anymore.", 'likes', 'jazz'],
    ["Maybe it's my age, but I don't like jazz anymore.", 'likes', 'jazz'],
    ['Ugh, no, I no longer live in Lyon.', 'residence', 'Lyon'],
    ['Since you asked, I no longer live in Lyon.', 'residence', 'Lyon'],
    ['说来好笑,我现在不喝咖啡了', 'habits', '喝咖啡'],
    ['你别说，我已经不喜欢爵士乐了。', 'likes', '爵士乐'],
    ['我已经不喜欢爵士乐了', 'likes', '爵士乐'],
    ['说起来,我戒咖啡了', 'habits', '咖啡'],
    ['我戒了咖啡。', 'habits', '咖啡'],
    ['我把咖啡戒了。', 'habits', '咖啡'],
  ])('“%s” ends what was so', async (text, key, value) => {
    expect(await requestsIn(text)).toMatchObject([{ kind: 'end', key, value, evidence: { turn: 'r' } }])
  })
  it.each([
    "She said, I don't like jazz anymore.",
    "If you ask me, I don't like jazz anymore.",
    "Imagine: I don't like jazz anymore.",
    "Don't I like jazz anymore?",
    "They joked that I don't like jazz anymore.",
    '她说我不喜欢爵士乐了',
    '如果我不喝咖啡了,会瘦吗?',
    '我弟弟戒了咖啡',
  ])('“%s” ends nothing', async (text) => {
    expect((await requestsIn(text)).filter((request) => request.kind === 'end')).toEqual([])
  })
  it('reads work whose subject the sentence before names', async () => {
    const read = async (text: string): Promise<(string | null)[][]> =>
      (await extractionOf(text)).candidates.map(({ key, value }) => [key, value])
    for (const before of ['我换工作了。', '我'])
      expect(await read(`${before}现在在苏州一家做教育软件的公司当产品总监。`)).toEqual([
        ['occupation', '产品总监'],
      ])
    for (const others of ['我弟弟换工作了。', '我朋友来了，她换工作了。', '你换工作了。', '天气真好。'])
      expect(await read(`${others}现在在苏州一家做教育软件的公司当产品总监。`)).toEqual([])
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
  return { memory, evidenceTexts: [text] }
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
    { ...annaPair, evidenceTexts: ['My sister Anna called me.'] },
    target('jazz', 'The user likes jazz.', { key: 'likes', value: 'jazz' }),
  ]
  const options = { speaker: 'user', justSaid: ['t-jazz'] }
  const evidence = { turn: 'r', quote: null }
  const forget = async (about: string | null): Promise<string[]> =>
    (await matchRequest({ kind: 'forget', about, evidence }, targets, options)).map((match) => match.memory)

  it('drops everything that tells of what is named', async () => {
    expect(await forget('Anna')).toEqual(['anna', 'annaPair'])
    expect(await forget('I live in Lyon')).toEqual(['lyon'])
  })
  it('drops what was just said', async () => {
    expect(await forget(null)).toEqual(['jazz'])
  })
  it('drops nothing when nothing fits', async () => {
    expect(await forget('my trip to Peru')).toEqual([])
    expect(await forget('it')).toEqual([])
  })
  it('never means the words of the request itself', async () => {
    const own = target('own', 'Forget Anna.', { evidence: [evidence] })
    expect(await matchRequest({ kind: 'forget', about: 'Anna', evidence }, [own], options)).toEqual([])
  })
  it('ends the fact with that key and value, of the speaker alone', async () => {
    const end: Request = { kind: 'end', about: 'Lyon', key: 'residence', value: 'Lyon', at: 9, evidence }
    expect((await matchRequest(end, targets, options)).map((match) => match.memory)).toEqual(['lyon'])
    expect(await matchRequest(end, targets, { ...options, speaker: 'Bo' })).toEqual([])
    expect(await matchRequest({ ...end, about: 'Oslo', value: 'Oslo' }, targets, options)).toEqual([])
  })
  it('takes a name as it is written, and each of several', async () => {
    const some = [
      target('rose', 'The user has a friend called Rose.'),
      target('rosy', 'The user rose early.'),
      target('tom', "The user's colleague is called Tom."),
      target('cabbage', '用户喜欢小白菜。'),
      target('cat', '用户的猫叫小白。'),
    ]
    const named = async (about: string): Promise<string[]> =>
      (await matchRequest({ kind: 'forget', about, evidence }, some, options)).map((match) => match.memory)
    expect(await named('Rose')).toEqual(['rose'])
    expect(await named('my friend Rose')).toEqual(['rose'])
    expect(await named('Tom and Rose')).toEqual(['rose', 'tom'])
    expect(await named('小白')).toEqual(['cat'])
    expect(await named('我的猫小白')).toEqual(['cat'])
  })
  it('takes a fact without the name, drawn from the clause that names it', async () => {
    const drawn = {
      ...target('drawn', "The user's colleague is interviewing at another hospital.", {
        value: 'colleague is interviewing at another hospital',
      }),
      evidenceTexts: ['Oh, and my colleague Tom is interviewing at another hospital.'],
    }
    const beside = {
      ...target('beside', 'The user works as a baker.', { value: 'baker' }),
      evidenceTexts: ['My friend Tom called, and I work as a baker now.'],
    }
    const found = await matchRequest({ kind: 'forget', about: 'Tom', evidence }, [drawn, beside], options)
    expect(found.map((match) => match.memory)).toEqual(['drawn'])
  })
  it('means only what was said before, and not said again', async () => {
    const orderOf = (one: { turn: string }): 'before' | 'after' =>
      one.turn === 't-later' ? 'after' : 'before'
    const later = target('later', 'Anna is a surgeon.')
    const both = target('both', 'Anna sings.', {
      evidence: [
        { turn: 't-anna', quote: null },
        { turn: 't-later', quote: null },
      ],
    })
    const found = await matchRequest({ kind: 'forget', about: 'Anna', evidence }, [anna, later, both], {
      ...options,
      orderOf,
    })
    expect(found.map((match) => match.memory)).toEqual(['anna'])
  })
  it('matches Chinese by its characters', async () => {
    const chinese = [target('a', '用户的妹妹安娜是医生。'), target('b', '用户住在里昂。')]
    expect(
      (await matchRequest({ kind: 'forget', about: '安娜', evidence }, chinese, options)).map(
        (match) => match.memory,
      ),
    ).toEqual(['a'])
  })
})
