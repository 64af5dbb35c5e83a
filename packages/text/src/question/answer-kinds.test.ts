import { describe, expect, it } from 'vitest'
import { holdsAnswer, readWantedAnswer } from './answer-kinds.ts'

const kinds = (question: string) => readWantedAnswer(question).kinds
const holds = (question: string, text: string) => holdsAnswer(readWantedAnswer(question), text)

describe('what kind of answer a question wants', () => {
  it.each([
    ['How much rent do I pay?', ['amount']],
    ['How many cats do I have?', ['count']],
    ['How old is Bishop?', ['count']],
    ['How long was I a nurse?', ['duration']],
    ['When is my birthday?', ['time']],
    ['Which street do I live in?', ['name']],
    ['What is my dog called?', ['name']],
    ['Who is my boss?', ['person']],
    ['Why did I quit?', []],
    ['Where do I work?', ['place']],
    ['我在哪里上班？', ['place']],
    ['What did I say when I was eight?', []],
    ['房租多少钱？', ['amount']],
    ['我姐姐几岁？', ['count']],
    ['我哪天要搬家？', ['time']],
    ['我哪天搬的家？', []],
    ['When did I move?', []],
    ['我的狗叫什么？', ['name']],
    ['我为什么辞职？', []],
  ])('reads %s', (question, wanted) => {
    expect(kinds(question)).toEqual(wanted)
  })
})

describe('whether a text holds it', () => {
  it.each([
    ['How much rent do I pay?', 'I pay 1,340 a month.', 'The rent is a scandal.'],
    ['How many cats do I have?', 'Three cats and a parrot.', 'My cats hate the parrot.'],
    ['How long was I a nurse?', 'Eleven years on the wards.', 'I was a nurse before.'],
    ['When is our anniversary?', 'our anniversary is 3 May', 'we may forget it'],
    ['When is my birthday?', 'It is on 4 May, no, May 4th.', 'I never celebrate it.'],
    ['What is my dog called?', 'She came when I shouted Biscuit.', 'The dog ate my shoe.'],
    ['Who is my boss?', 'My boss is my uncle.', 'Work was slow.'],
    ['Where do I work?', 'At a bakery in Ghent.', 'Work was slow.'],
    ['我在哪里上班？', '我在苏州上班', '上班真让人累得慌'],
    ['房租多少钱？', '一个月三千块', '房租太贵了'],
    ['我姐姐几岁？', '我姐姐三十二了', '我姐姐很好'],
    ['我的狗叫什么？', '它叫豆豆', '狗又拆家了'],
  ])('%s', (question, told, untold) => {
    expect([holds(question, told), holds(question, untold)]).toEqual([true, false])
  })

  it('does not count the name that the question itself gives', () => {
    expect(holds("What is Hanneke's sister called?", 'The saddest is to leave Hanneke.')).toBe(false)
  })

  it('tells nothing of names in what is written without capitals', () => {
    expect(holds('What is my dog called?', 'the dog ate my shoe')).toBe(true)
  })

  it('is so of any text where no kind is wanted', () => {
    expect(holds('Why did I quit?', 'It rained.')).toBe(true)
  })
})
