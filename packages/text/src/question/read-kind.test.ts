import { describe, expect, it } from 'vitest'
import { readKind, type QuestionKind } from './read-kind.ts'
import { readTimeRanges } from './read-time-range.ts'

const NOW = Date.UTC(2026, 10, 22)
const kindOf = (text: string): QuestionKind => readKind(text, readTimeRanges(text, NOW))

describe('readKind', () => {
  it.each([
    'What is my job?',
    'Who is Kofi going out with now?',
    'What is my new address?',
    'Where is my family from?',
  ])('takes “%s” for a question for one thing', (question) =>
    expect(kindOf(question)).toEqual({ kind: 'fact' }),
  )

  it.each([
    'Tell me about myself.',
    'What do you know about me?',
    'Who am I?',
    'Can you give me a short summary of my life?',
    'So what have you learned about me so far?',
    'Describe me.',
    '介绍一下我吧',
    '说说你了解的我。',
    '你对我了解多少？',
    '你都知道我些什么？',
    '我是个什么样的人？',
    '来，说说你眼里的我。',
    '跟我说说我自己',
    '我在你眼里是个怎样的人',
    '如果要向别人介绍我，你会怎么说？',
    '你对我印象怎么样？',
    '回顾一下关于我的一切',
  ])('takes “%s” for a question for the whole person', (question) => {
    expect(kindOf(question)).toEqual({ kind: 'overview', matters: ['person'] })
  })

  it.each([
    ['Who matters in my life?', ['people']],
    ['Who are the important people around me?', ['people']],
    ['我身边重要的人有谁？', ['people']],
    ['谁对我最重要？', ['people']],
    ['What should you know about my health?', ['health']],
    ['What should a new doctor know about my health and what I cannot eat?', ['health']],
    ['Tell me about my family and friends.', ['family', 'friends']],
    ['关于我的健康你该知道些什么？', ['health']],
    ['How is my family doing these days?', ['family']],
    ['What are my hobbies?', ['hobbies']],
    ['Which people play a part in my life?', ['people']],
    ['How is work going for me?', ['work']],
    ['What is new in my life?', ['person']],
    ['聊聊我的工作情况吧', ['work']],
    ['总结一下我家里人', ['family']],
    ['我家里都有谁？', ['family']],
    ['我身体怎么样？', ['health']],
    ['我平时都喜欢干什么？', ['hobbies']],
    ['我有哪些朋友？', ['friends']],
    ['Summarise what you know about my health.', ['health']],
    ['How has my money been lately?', ['money']],
    ['我的工作后来有什么变化？', ['work']],
    ['我的錢和收入情況怎麼樣？', ['money']],
    ['What has my year in Peru been like?', ['person']],
  ])('takes “%s” for a question for all of a matter', (question, matters) => {
    expect(kindOf(question)).toEqual({ kind: 'overview', matters })
  })

  it.each([
    'What did we talk about last time?',
    'Remind me where we left off.',
    'What was our last conversation about?',
    '我们上次聊了什么？',
    '上回咱们说到哪了？',
    '上次都聊了些啥',
  ])('takes “%s” for a question for the last talk', (question) => {
    expect(kindOf(question)).toEqual({ kind: 'last-talk' })
  })

  it.each([
    'What happened in October?',
    'What did I tell you about in early June?',
    'What was going on last week?',
    '十月份发生了什么？',
    '去年十月我跟你讲了什么？',
    '上个月我们聊了什么',
    '三月那回我跟你说了些什么？',
    '一月底那次我跟你讲了哪些事？',
    '我这一年经历了哪些变化？',
    '最近几个月我都遇到了什么？',
  ])('takes “%s” for a question for a time', (question) => {
    expect(kindOf(question)).toEqual({ kind: 'time' })
  })

  it.each([
    ['What happened the week before the move?', 'the move', 'before'],
    ['What was going on just before my exam?', 'my exam', 'before'],
    ['What happened after the wedding?', 'the wedding', 'after'],
    ['What else changed around the time I broke my leg?', 'I broke my leg', 'around'],
    ['Did anything happen before the wedding in Ghent?', 'the wedding in Ghent', 'before'],
    ['搬家前一周发生了什么？', '搬家', 'before'],
    ['我妈住院那阵子还发生了什么事？', '我妈住院', 'around'],
  ])('finds what “%s” asks the surroundings of', (question, event, side) => {
    expect(kindOf(question)).toEqual({ kind: 'around', event, side })
  })

  it.each([
    'Where do I live?',
    'Is Friday after next still good for the climb with Ola as usual?',
    'Do we meet on the Monday after Ola comes back?',
    'Are the weekends before Easter all taken by now?',
    'Where did I live before the move?',
    'When did we last talk?',
    'What did I say about my knee last time?',
    'What did I cook on May 4th?',
    'Who told me about the job?',
    'What is the name of my health insurer?',
    '我上次说的那家餐厅叫什么？',
    '我现在对手冲是什么态度，以前呢？',
    '我老板叫什么？',
    '我的工作是什么？',
    '我最好的朋友是谁？',
    '我女儿的爱好是什么？',
    '我丈夫以前是做什么的？',
    '我妈对我生气了吗？',
    'Good morning!',
  ])('takes “%s” for a question for one thing', (question) => {
    expect(kindOf(question)).toEqual({ kind: 'fact' })
  })

  it.each([
    ['What has been going on with my sister?', 'my sister'],
    ['What do you know about my boss?', 'my boss'],
    ['Catch me up on the shop.', 'the shop'],
    ['How have I been sleeping?', 'sleeping'],
    ['How did the trip come about?', 'the trip'],
    ['讲讲我上次面试的情况', '上次面试'],
    ['奶奶的腿最近怎么样了？', '奶奶腿'],
  ])('takes “%s” for a question for all about “%s”', (question, subject) => {
    expect(kindOf(question)).toEqual({ kind: 'subject', subject })
  })

  it.each([
    'How old is my sister?',
    'How is my sister called?',
    'How did I meet my sister?',
    'Tell me who bought the shop.',
    '我妹妹怎么称呼她？',
    '奶奶的腿什么时候好的？',
  ])('takes “%s” for a question for one thing about a subject', (question) => {
    expect(kindOf(question)).toEqual({ kind: 'fact' })
  })
})
