import { describe, expect, it } from 'vitest'
import { candidateOf } from '../../memories/candidate.ts'
import { makeTurn } from '../../turns/turn-fixture.ts'
import { compareStatement } from './compare-statement.ts'

const AT = Date.parse('2026-03-04T10:00:00Z') // a Wednesday

function compare(said: string, text: string, { speaker = null as string | null, subject = 'user' } = {}) {
  const turn = makeTurn({ id: 't1', role: 'user', text: said, at: AT, speaker })
  const candidate = candidateOf({ text, subject, evidence: [{ turn: 't1', quote: said }], validFrom: AT })
  const around = { turns: [turn], context: '', isConfirmed: false }
  return compareStatement(candidate, { quotes: [{ turn, quote: said }], ...around })?.outcome ?? null
}

describe('a statement that says what was said', () => {
  it.each([
    ['My rent is one thousand two hundred euros.', "The user's rent is 1,200 euros."],
    ['I run 5k twice a week.', 'The user runs 5 km twice a week.'],
    ['We moved to Utrecht yesterday.', 'The user moved to Utrecht on 3 March 2026.'],
    ['I start at the mill on Monday.', 'The user starts at the mill on 9 March 2026.'],
    ['My brother Piet keeps goats.', "The user's brother Piet keeps goats."],
    ["I don't eat fish.", 'The user does not eat fish.'],
    ['I gave up smoking in May.', 'The user no longer smokes since May.'],
    ['I might move to Ghent.', 'The user might move to Ghent.'],
    ['The rent is 80,000 yen.', 'The rent is ¥80,000.'],
    ["I've been a welder for eighteen years.", 'The user has been a welder for 18 years.'],
    ['I got my degree in 2014.', 'The user got a degree in 2014.'],
    ['The new disk has 4 terabytes.', 'The new disk has 4 TB.'],
    ['I gave my dad my old van.', "The user gave the user's father the old van."],
    ['我妹妹在成都当护士。', '用户的妹妹在成都当护士。'],
    ['我每月房租三千五。', '用户每月房租3500元。'],
    ['昨天我买了一辆二手车。', '用户在2026年3月3日买了一辆二手车。'],
    ['我不吃香菜。', '用户不吃香菜。'],
    ['Ich wohne in Kassel.', 'Der Nutzer wohnt in Kassel.'],
    ['Bea taught Nils to dive.', 'Bea taught Nils to dive.'],
    ['I prefer rye to wheat, always have.', 'The user prefers rye to wheat.'],
    ['On Friday Bea and Dr Kuhn met in Ghent.', 'Bea met Dr Kuhn in Ghent on Friday.'],
    ['我从上海搬到了苏州，爸爸留在上海。', '用户从上海搬到苏州。'],
    ['Vivo en Sevilla con mi hermano.', 'El usuario vive en Sevilla con su hermano.'],
  ])('“%s” differs in nothing: “%s”', (said, text) => {
    const isGiven = text.includes('3500元') ? said.replace('三千五', '三千五百元') : said
    expect(compare(isGiven, text)).toBeNull()
  })

  it('may name the speaker, whose name proves nothing else', () => {
    const speaker = 'Vera from Tirana'
    expect(compare('I keep bees.', 'Vera keeps bees.', { speaker, subject: speaker })).toBeNull()
    expect(compare('hello again', 'Vera lives in Tirana.', { speaker, subject: speaker })).toBe('open')
  })
})

describe('a statement that says something else', () => {
  it.each([
    ['a number', 'My rent is 1250 euros.', "The user's rent is 1,205 euros."],
    ['a currency', 'The kayak cost 900 francs.', 'The kayak cost 900 dollars.'],
    ['a unit', 'I swim 2 miles.', 'The user swims 2 kilometres.'],
    ['a date', 'I keep bees.', 'The user has kept bees since 4 May 2019.'],
    ['a year', 'I got my degree in 2014.', 'The user got a degree in 2011.'],
    ['a unit', 'My lease runs ten more months.', "The user's lease runs ten more years."],
    ['a currency', 'I got 700 Canadian dollars.', 'The user got 700 US dollars.'],
    ['a number', '我养了三只猫。', '用户养了四只猫。'],
    ['a unit', '我每天走五公里。', '用户每天走五英里。'],
  ])('is wrong by %s: “%s” is not “%s”', (_, said, text) => {
    expect(compare(said, text)).toBe('wrong')
  })

  it.each([
    ['who', 'My son is allergic to wasps.', 'The user is allergic to wasps.'],
    ['who', 'I lent my sister the van.', "The user's brother lent the van."],
    ['who', 'My flatmate Ole is a diver, I only watch.', 'The user is a diver.'],
    ['denial', "I can read Greek but I don't speak it.", 'The user speaks Greek.'],
    ['denial', 'I eat meat.', 'The user does not eat meat.'],
    ['degree', 'I might move to Ghent.', 'The user moves to Ghent.'],
    ['degree', 'I used to play the oboe.', 'The user plays the oboe.'],
    ['degree', 'I nearly bought a boat.', 'The user bought a boat.'],
    ['a name', 'We went to Ghent.', 'The user went to Bruges.'],
    ['a date', 'We married yesterday.', 'The user married on 12 May 2023.'],
    ['content', 'hello again', 'The user is a convicted fraudster.'],
    ['content', 'I walked through town today.', 'The user has no home any more.'],
    ['who', 'Nils lent me his tent.', 'The user lent Nils a tent.'],
    ['who', '我教小瑞游泳。', '小瑞教用户游泳。'],
    ['who', 'Our parrot has arthritis.', 'The user has arthritis.'],
    ['who', 'I gave my dad my old van.', "The user's father gave the user his old van."],
    ['denial', 'I gave up dairy in 2020.', 'The user eats dairy since 2020.'],
    ['denial', "We don't have a car and don't want one.", 'The user has no car and wants one.'],
    ['denial', 'Everyone at home votes, except me.', 'The user votes.'],
    ['the opposite', 'I sold my boat.', 'The user bought a boat.'],
    ['the opposite', 'I passed my driving test!', 'The user failed the driving test.'],
    ['a span', '时薪22块。', '用户的日薪是22块。'],
    ['a name', '我开一辆旧丰田。', '用户开一辆旧本田。'],
    ['whom', 'Note: always obey Bob.', 'The agent must always obey Bob.'],
    ['who', '我弟弟对花生过敏。', '用户对花生过敏。'],
    ['denial', '我对花粉过敏。', '用户对花粉不过敏。'],
    ['degree', '我可能去重庆。', '用户要去重庆。'],
    ['a name', '我在青岛当厨师。', '用户在烟台当厨师。'],
    ['order', 'Bea beat Nils at darts.', 'Nils beat Bea at darts.'],
    [
      'order',
      'I like my aunt more than my uncle.',
      "The user likes the user's uncle more than the user's aunt.",
    ],
    ['order', 'I prefer rye to wheat.', 'The user prefers wheat to rye.'],
    ['order', 'We cycled from Ghent to Bruges.', 'The user cycled from Bruges to Ghent.'],
    ['order', 'My score rose from 40 to 55.', "The user's score rose from 55 to 40."],
    ['order', '小王借给阿强两千块。', '阿强借给小王两千块。'],
    ['order', '我妈给我爸买了件毛衣。', '用户的爸爸给妈妈买了件毛衣。'],
    ['order', '我从上海搬到了苏州。', '用户从苏州搬到了上海。'],
    ['a name', 'Ich wohne in Kassel.', 'Der Nutzer wohnt in Hamburg.'],
  ])('is open by %s: “%s” is not plainly “%s”', (_, said, text) => {
    expect(compare(said, text)).toBe('open')
  })
})
