import { expect, it } from 'vitest'
import { readPlainRequest } from './plain-requests.ts'
import { shippedRules } from './rule-book.ts'

it.each([
  ['Kannst du alles vergessen, was ich dir gesagt habe? | Lösch alle meine Daten.'],
  ['Quiero que borres todo lo que te he contado. | ¿Podrías olvidar todo sobre mí?'],
  ['Pourrais-tu tout effacer sur moi ? | Je veux que tu oublies tout.'],
  ['Pode apagar tudo o que te contei? | Apague todos os meus dados, por favor.'],
  ['今まで話したことはすべて忘れてほしい | 私に関するデータをすべて削除してください'],
  ['지금까지 말한 거 다 잊어줘 | 나에 대한 기억을 모두 지워주세요'],
])('reads a request for everything: %s', (texts) => {
  for (const text of texts.split(' | ')) expect([text, shippedRules().isWide(text)]).toEqual([text, true])
})

it.each([
  ['Den Streit mit Oma kannst du wieder löschen.', 'Streit Oma'],
  ['Ich will, dass du meine Depressionen vergisst.', 'Depressionen'],
  ['Por favor, no guardes lo de la depresión.', 'depresión'],
  ['Preferiría que no guardaras mi dirección.', 'dirección'],
  ["N'enregistre pas l'histoire de la dépression.", 'dépression'],
  ['Tu peux effacer la dispute avec Hugo ?', 'dispute Hugo'],
  ['Não guardes isso da depressão.', 'depressão'],
  ['母との喧嘩は忘れてください', '母 喧嘩'],
  ['김 부장님 얘기는 잊어주면 좋겠어', '김 부장님'],
  ['엄마랑 싸운 일은 잊어줘', '엄마랑 싸운'],
  ['could you un-know my divorce', 'divorce'],
  ['take my tablets off your list will you', 'tablets'],
  ["I'd rather you didn't keep the thing about my knee.", 'knee'],
  ['lets pretend i never told u i owe Rita money', 'Rita'],
  ['scrub the locker code, i gave the key back', 'locker code'],
  ['lo de mi tía bórralo, anda', 'tía'],
  ['Kannst du das mit Ole, dass er trinkt, streichen?', 'Ole'],
  ['我的门牌号麻烦去了', '门牌号'],
  ['王敏那件事从你脑子里擦干净', '王敏'],
  ['我姐离婚那一条你帮我拿掉', '离婚'],
  ['Serait-il possible d’oublier ma dépression ?', 'dépression'],
  ['Je vous serais reconnaissant d’oublier Hugo.', 'Hugo'],
  ['Wärst du so nett, meine Schulden zu vergessen?', 'Schulden'],
  ['Könntest du bitte vergessen, dass Jonas im Gefängnis ist?', 'Jonas … Gefängnis'],
  ['¿Me harías el favor de olvidar lo de Lucía?', 'Lucía'],
  ['Eu gostaria que você esquecesse a Clara, por favor.', 'Clara'],
  ['Será que você poderia esquecer a Clara?', 'Clara'],
  ['Dürfte ich dich bitten, Jonas zu vergessen?', 'Jonas'],
  ['Ich wäre dir dankbar, wenn du Jonas vergessen könntest.', 'Jonas'],
  ['Veuillez oublier mon divorce.', 'divorce'],
  ['¿Sería posible que olvidaras mi dirección?', 'dirección'],
  ['Poderia, por favor, esquecer o meu divórcio?', 'divórcio'],
  ['이혼 얘기는 잊어 주셨으면 합니다', '이혼'],
  ['健太のことはお忘れください', '健太'],
  ['健太のことは忘れて頂けると嬉しいです', '健太'],
  ['민수 이혼한 거 잊어 주실 수 있나요?', '민수 이혼한'],
  ['민수 이야기를 잊어 주시면 감사하겠습니다.', '민수'],
])('reads what is to be forgotten: %s', (text, about) => {
  const read = readPlainRequest(text)?.about ?? ''
  for (const part of about.split(' ')) expect(read).toContain(part)
})

it.each([
  ['Ich habe mein Fahrrad am Bahnhof vergessen. | Kannst du mir sagen, wo ich das Fahrrad vergessen habe?'],
  ['Wie lösche ich die Fotos aus Rom? | Vergiss nicht, dass ich keine Nüsse esse.'],
  ['Siempre olvido las llaves. | No me quiero olvidar de la bici. | ¿Cómo borro las fotos de Roma?'],
  [
    "J'oublie toujours mes clés. | Il ne faut pas que j'oublie mon vélo. | Comment supprimer les photos de Rome ?",
  ],
  ['Esqueci a bicicleta na estação. | A Rita pediu para eu esquecer o dinheiro.'],
  ['自転車を駅に忘れた | 自転車のことを忘れたくない | 傘を電車に忘れてしまった'],
  ['맨날 열쇠를 잊어버려 | 자전거 얘기 잊으면 안 돼 | 그 사람을 잊을 수가 없어'],
  ["Forgetting Mia's birthday was awful. | Should I ask Ben to forget about the party? | 你忘了我的生日吗？"],
  ["Take comfort in knowing you've got us. | Take care of business first. | Throw that stuff away, Mia."],
  ['Clear your stuff out of the kitchen. | Take things one day at a time. | Drop by when you have time.'],
  ['Saca la basura, ya sabes. | Quita las cosas de la mesa. | Tira as coisas da mesa, sabes.'],
  [
    "forget Crete, we're going to Malta instead | can you take the dog for a walk | I didn't keep the receipt",
  ],
  ['Oublie pas que mardi je suis absent. | 科目三教训忘了算我没学过车 | 你别给我留饭了'],
  [
    'Pourrais-tu oublier Hugo un jour ? | Comment pourrais-tu oublier Hugo ? | Pourrais-tu oublier ton frère ?',
  ],
  [
    'Wie kannst du Jonas vergessen? | Könntest du Jonas je vergessen? | Kannst du vergessen, Jonas kommt nicht.',
  ],
  ['¿Se puede olvidar una deuda? | ¿Podrías olvidar a tu hermana? | ¿Podrías olvidar a Lucía algún día?'],
  ['Você poderia esquecer uma dívida? | Se pode esquecer a Clara? | Sie bat mich, Jonas zu vergessen.'],
  ['健太は私に忘れてくださいと言った | 忘れてもらえますかと聞かれた | 민수를 잊을 수 있을까요?'],
  [
    'Bitte hilf mir, Jonas zu vergessen. | Pourrais-tu ne pas oublier Hugo ? | Ich habe gebeten, Jonas zu vergessen.',
  ],
  ['Kannst du mir helfen, Paul zu vergessen? | Was würdest du tun, um Paul zu vergessen?'],
  [
    '忘れてもらえますかと彼に言った | ¿Podrías ayudarme a olvidar a Pablo? | Würdest du deinen Bruder vergessen?',
  ],
  ['Enlève tes trucs de la table. | Nimm die Sachen vom Tisch. | 眼鏡を外してください | 의자를 빼 줘'],
])('reads no request in: %s', (texts) => {
  for (const text of texts.split(' | ')) expect([text, readPlainRequest(text)]).toEqual([text, null])
})

it.each([
  ['drop the stuff about my divorce', 'divorce'],
  ["Strike what you've stored about Leo", 'Leo'],
  ['Tira da memória o meu endereço', 'endereço'],
  ['Enlève de ta mémoire mon adresse', 'adresse'],
])('reads a verb that moves things beside words of memory: %s', (text, about) => {
  expect(readPlainRequest(text)).toMatchObject({ isSure: true, about: expect.stringContaining(about) })
})

it.each([
  ['drop the Olaf thing', 'Olaf'],
  ['Could you drop the whole bankruptcy business?', 'bankruptcy'],
  ['Leave the Olaf story out of it.', 'Olaf'],
  ['please leave the bit about rehab out of your notes', 'rehab'],
  ['Get rid of the Olaf stuff', 'Olaf'],
  ['老周的那部分去掉吧', '老周'],
])('reads a verb that moves things before a matter, in doubt: %s', (text, about) => {
  expect(readPlainRequest(text)).toMatchObject({ isSure: false, about: expect.stringContaining(about) })
})

it.each([
  [
    'Drop the subject of Olaf. | Drop the Latin course. | Leave Olaf out of it! | Leave the onions out of it.',
  ],
  ['Leave the Olaf thing to me. | Drop the Oslo thing, we are going to Bergen. | He dropped the Olaf thing.'],
  [
    'Skip the part where he dies. | Scratch the surface. | Lose the tie. | Leave the jokes out of your answers.',
  ],
  ['我把那段录音删了 | 我昨天把照片都删掉了 | 这段路别走 | 那段舞去掉 | 别把我算进去'],
])('reads no request in ordinary words for things: %s', (texts) => {
  for (const text of texts.split(' | ')) expect([text, readPlainRequest(text)]).toEqual([text, null])
})

it.each(['bin it', 'scrub that please', '别留着'])(
  'reads what only points to what was said, in doubt: %s',
  (text) => {
    expect(readPlainRequest(text)).toEqual({ about: null, isWide: false, isSure: false })
  },
)

it('reads a long run of polite words at once', () => {
  expect(readPlainRequest(`${'can you please '.repeat(500)}dance`)).toBeNull()
})

it.each([
  ['Forget the divorce.', 'forget'],
  ['delete the bakery job', 'remove'],
  ['把面包店的工作删了', 'remove'],
  ["Forget the bakery, let's eat at home", undefined],
  ['Forget Crete.', undefined],
])('names the verb where a definite matter is all that is said: %s', (text, verb) => {
  expect(readPlainRequest(text)?.verb).toBe(verb)
})

it.each([
  [
    '小王说那二十块就算了，忘了吧 | 阿强让我把火锅的事忘了 | 丽丽叫我把吵架的事忘掉 | 老师安慰我，考研的事忘了吧',
  ],
  [
    '同事小陈劝我别再想那本书了，忘了吧 | 后来李雷跟我说，忘掉离婚的事 | Tom说离婚的事忘了吧 | 小王让我忘掉一切',
  ],
  ['朋友劝我：跟小李吵架的事忘了吧 | 小王叫我：吵架的事忘了吧 | 她劝我吵架的事忘了吧'],
])('reads no request in what another person said or asked for: %s', (texts) => {
  for (const text of texts.split(' | '))
    expect([
      text,
      readPlainRequest(text),
      shippedRules().requestIn(text),
      shippedRules().isWide(text),
    ]).toEqual([text, null, null, false])
})

it.each([
  ['小王说的那件事忘了吧 | 我说的二十块的事忘了吧 | 小王让我生气的事，忘了吧 | 老板要我加班的事忘了吧'],
  [
    '我让你把小王的事忘了 | 小王的二十块，忘了吧 | 老实说，离婚的事忘了吧 | 欣欣的事你忘掉好不好 她跟我说了别往外讲',
  ],
])('reads a request that mentions what others said: %s', (texts) => {
  for (const text of texts.split(' | '))
    expect([text, readPlainRequest(text) ?? shippedRules().requestIn(text)]).not.toEqual([text, null])
})
