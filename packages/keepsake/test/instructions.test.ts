import { expect, it } from 'vitest'
import type { ScopedMemory } from 'keepsake'
import { openForTest } from './open-for-test.ts'

async function say(...texts: readonly string[]): Promise<ScopedMemory> {
  const keepsake = await openForTest()
  const user = keepsake.scope({ user: 'u' })
  const at = Date.UTC(2024, 0, 1, 18)
  for (const [place, text] of texts.entries())
    await user.remember({ role: 'user', text, id: `t${place}`, at: at + place * 60_000 })
  await keepsake.drain()
  return user
}

const values = async (user: ScopedMemory) => (await user.instructions()).map(({ value }) => value)

it('in Japanese is no Chinese one', async () => {
  const user = await say('これからは日本語で答えて')
  expect((await user.instructions()).map(({ text }) => text)).toEqual([
    'The user asked: これからは日本語で答えて',
  ])
})

it.each([
  ['From now on, write to me in lower case.', 'lower case'],
  ['Answer briefly.', 'Answer briefly'],
  ['When I paste code, just review it', 'review'],
  ['离婚的事就别提了', '离婚'],
  ['Never mention my stepfather.', 'stepfather'],
  ['Please stop calling me buddy.', 'buddy'],
  ['以后请用英文回答我。', '英文'],
  ['叫我小满就好。', '小满'],
  ['Antworte bitte immer auf Deutsch.', 'Deutsch'],
  ['Llámame Nando.', 'Nando'],
  ['could you please always reply in lower case?', 'lower case'],
  ["one rule: don't bring up Henrik. ever.", 'Henrik'],
  ["whenever I complain about work, don't give me advice, just listen", 'advice'],
  ["I'd prefer if you wrote to me in plain English", 'plain English'],
  ['use metric units with me, im european', 'metric'],
  ['going forward, answers in bullet points only', 'bullet points'],
  ['别再提我前男友了', '前男友'],
  ['每次给我推荐菜的时候都别放香菜', '香菜'],
  ['说话温柔一点嘛', '温柔'],
  ["Don't ever bring up my weight, okay?", 'weight'],
  ["I'd like you to answer in Italian whenever I write.", 'Italian'],
  ["I'd rather you didn't mention calories.", 'calories'],
  ['Please avoid jargon in your answers.', 'jargon'],
  ['Whenever I send a photo, describe it first.', 'photo'],
  ['No spoilers, ever.', 'spoilers'],
  ['My name is Elizabeth but call me Lizzie.', 'Lizzie'],
  ['Use metric units when you give me recipes.', 'metric'],
  ['Could you keep your answers short in general?', 'short'],
  ['请一直叫我老王', '老王'],
  ['从今往后请叫我船长', '船长'],
  ['From today on, talk to me in Dutch.', 'Dutch'],
  ['不要在回答里用表情符号', '表情'],
  ['请不要问我的体重', '体重'],
  ['我要你每次都先给结论', '结论'],
  ['菜谱里别放辣椒', '辣椒'],
  ["I'd appreciate it if you didn't swear.", 'swear'],
  ['Please give temperatures in Celsius.', 'Celsius'],
  ['never bring my stepdad up unless i do', 'stepdad'],
  ['No tables in anything you write me, please, my screen is tiny.', 'tables'],
  ['keep it short from now on, just the steps', 'just the steps'],
  ['when i ask for a hint dont give me the solution', 'hint'],
  ['from here on any dish you suggest has to be kosher', 'kosher'],
  ['回答我都用日文，练听力', '日文'],
  ['Duz mich ruhig, und stell bitte keine Fragen zurück', 'Duz mich'],
  ['não precisa falar da dieta toda vez, tá?', 'dieta'],
  ["Let's keep it formal from now on.", 'formal'],
  ['从今天起叫我阿乐', '阿乐'],
  ['你说话能不能温柔一点', '温柔'],
  ['每次聊完都要总结一下', '总结'],
  ['每次都要用中文回答', '中文'],
  ['每次先问我心情怎么样', '心情'],
  ['Bitte duze mich immer.', 'duze'],
  ['Immer siezen bitte.', 'siezen'],
  ['Siempre contesta breve.', 'breve'],
  ['これからは敬語を使わないで', '敬語'],
  ['When I paste code, only review it.', 'review'],
  ['Spell it colour, not color.', 'colour'],
  ['reply in plain language please', 'plain language'],
  ['give me shorter replies', 'shorter'],
  ['use bullet points pls', 'bullet points'],
  ["please don't use big words", 'big words'],
  ["don't sugarcoat anything", 'sugarcoat'],
  ["don't be so stiff with me", 'stiff'],
  ['could you be a little less wordy when you write to me?', 'less wordy'],
  ['no tips unless I ask for them', 'tips'],
  ["don't ask about my day unless I say so", 'my day'],
  ['回答请用大白话', '大白话'],
  ['用英文回我', '英文'],
  ['多用比喻', '比喻'],
  ['别总是跟我说教', '说教'],
  ['我紧张的时候请不要催我', '不要催'],
  ['我难过的时候抱抱我就好', '抱抱'],
  ['请每次都先问我今天吃了什么', '吃了什么'],
  ['每天都要鼓励我一下哦', '鼓励'],
  ['Llámame Nando de ahora en adelante', 'Nando'],
  ['Sempre me responda em inglês', 'inglês'],
  ['Appelle-moi Jo à partir de maintenant', 'Jo'],
  ['never ever bring up my uncle Saul again', 'Saul'],
  ['以后别再跟我提房贷的事', '房贷'],
  ['Erwähne meinen Bruder bitte nicht mehr', 'Bruder'],
  ['No me menciones más a mi jefe', 'jefe'],
  ['Ne me parle plus de mon régime', 'régime'],
  ['父の話はもうしないで', '父'],
  ['전 남친 얘기하지 마', '남친'],
  ['いつも簡潔に説明して', '簡潔'],
  ['毎回結論だけ教えてください', '結論'],
  ['これからはタメ口で話して', 'タメ口'],
  ['顔文字を使わないでね', '顔文字'],
  ['call me Bea not Beatrice', 'Bea'],
  ['can we never talk about my uncle Saul again?', 'Saul'],
  ["don't want to hear about my diet anymore", 'diet'],
  ["don't call me darling its creepy", 'darling'],
  ['every time i finish a chapter ask me two questions', 'chapter'],
  ['From now on you are my chess coach', 'chess'],
  ['always proofread my Dutch before you answer', 'Dutch'],
  ["I'd rather you replied in Danish", 'Danish'],
  ['please use she/her for me', 'she/her'],
  ['不用每天都问我睡得好不好', '睡'],
  ['和我聊天就像老同学一样', '老同学'],
  ['Please drop the subject of Henrik.', 'Henrik'],
  ['refer to me with they/them please', 'they/them'],
  ['以后每次我报体重都提醒我多喝水', '体重'],
  ['my brother is a closed subject, ok?', 'brother'],
  ['The subject of Henrik is closed.', 'Henrik'],
])('stands in every context: %s', async (text, part) => {
  const user = await say(text, 'It rained all day.')
  expect(await values(user)).toHaveLength(1)
  const { context } = await user.recall('How do whales breathe?')
  expect(context.text).toContain(part)
})

it.each([
  'I never use emojis.',
  'My boss always answers in German.',
  'Translate this: "Always answer in German."',
  'Answer the door.',
  'From now on I will run every day.',
  '以后我要多跑步。',
  'Give it to me.',
  'call me an ambulance haha',
  "don't ask me why but I cried at the vet",
  'stop saying sorry, I told my mum',
  'can you answer in French this time?',
  "don't mention it, happy to help",
  '叫我起床的闹钟坏了',
  '别提多开心了！',
  'Answer in Italian just this once.',
  'My teacher always said: never use passive voice.',
  'She screamed, never call me again.',
  "I'd like you to meet my dog one day.",
  'Every door here hangs straight, which is more than can be said for me.',
  '永远不要放弃，这是我爸的话',
  '我以后不会再提前妻了',
  '他俩去领证，喊我跟思敏去拍照片。',
  '以后再说吧',
  '别问我为什么',
  'Never give up!',
  'always be kind, mum always said',
  "never whistle indoors, that's a rule in our house",
  '每次出门老婆都提醒我带钥匙',
  'always answer politely is what gran drilled into us',
  'never give up was dad’s saying',
  'Ibuprofen is off limits for me.',
  'Always be yourself.',
  '过去的事就别提了',
  '每次都要我先道歉，烦死了',
  '每次都是我先认错，累了',
  '每次都要排队，无语',
  '每次都要我去接孩子',
  '每次开会都要被骂',
  '每次都要给我妈打电话',
  '每次都先吃药再吃饭',
  'Mein Chef will, dass ich ihn immer sieze.',
  'Siempre contesta tarde mi hermana.',
  'これからは会社に行かないで済む',
  'When I share food, my dog gets jealous.',
  'When I give a talk, I always check my slides.',
  'I try to use bullet points in my notes',
  'my boss writes short messages',
  'Should I use bullet points?',
  'use bullet points for this list',
  'My teacher said don’t use long words.',
  'please never end, summer',
  'be more careful on the road!',
  "don't be so sad",
  'no dessert unless I ask for it',
  'can you be there when I talk to my mum?',
  'he never sugarcoats things',
  '我回消息多用表情包',
  '多用表情包会显得幼稚吗？',
  '我难过的时候别人都不理我',
  '我哭的时候他不要我了',
  '我吃饭的时候陪我妈看电视就好',
  '我妈每天都要夸我一句',
  '他老是反问我',
  '别老是熬夜',
  '每天都要喝水哦',
  "never talk about salaries at work, that's my dad's rule",
  'always say thank you is our family motto',
  "always answer the phone standing, that's how my aunt raised us",
  '永远先说谢谢，这是我家的家训',
  'Immer erst fragen, dann handeln ist das Motto meiner Chefin',
  'every time i visit my parents tell me to eat more',
  '彼はいつも短く答えてくれる',
])('is no instruction: %s', async (text) => {
  expect(await values(await say(text))).toEqual([])
})

it.each([
  ['Never use emojis with me.', 'You can use emojis again.'],
  ['Always answer in German.', "You don't have to answer in German anymore."],
  ['别用表情。', '可以用表情了。'],
  ['talk to me like a pirate from here on out lol', 'ok enough with the pirate talk'],
  ['以后别用表情符号', '算了，表情可以用了'],
  ["Never ask how I'm feeling.", "You may ask me how I'm feeling."],
  ['Always explain code line by line.', 'You no longer need to explain code line by line.'],
  ['Always use British spelling.', 'American spelling is fine from now on.'],
  ['Reply in German from now on.', 'No more German please.'],
  ['Answer me in Spanish from now on', 'Back to English please'],
  ['Always keep your answers short.', 'You can write longer answers again.'],
  ['Stop using emojis.', 'Actually I miss the emojis, use them again.'],
  ['Stop using emojis.', 'Emojis are fine again'],
  ['Please write in rhyme from now on.', 'ok the rhyme joke is over, back to prose'],
  ['Use bullet points in all answers.', 'bullet points no longer required, thanks'],
  ['以后菜谱都别放辣。', '胃好了，菜谱可以放辣了'],
  ['回答时不要用表情。', '表情用吧，没事了'],
  ['Always use bullet points.', 'Forget the bullet points.'],
  ['以后回答简短一点', '现在可以写长一点了'],
  ['菜谱里不要放辣椒', '菜谱里可以放辣椒了'],
  ['每次都分点回答', '别再分点了'],
  ['Schreib nie mit Smileys', 'Smileys sind wieder in Ordnung'],
  ['Verwende keine Fremdwörter', 'Du kannst jetzt wieder Fremdwörter benutzen'],
  ['No menciones mi dieta', 'ya puedes mencionar mi dieta'],
  ["N'utilise pas de listes", 'tu peux de nouveau utiliser des listes'],
  ['não uses gírias', 'podes usar gírias outra vez'],
  ['이모지 쓰지 마', '이제 이모지 써도 괜찮아'],
  ['顔文字を使わないで', '顔文字を使ってもいいよ'],
  ['これからは大阪弁で話して', 'もう大阪弁はやめて'],
  ['nenn mich Käpt’n', 'nenn mich nicht mehr Käpt’n'],
  ['call me Champ', 'use my real name please'],
])('is withdrawn by the user: %s – %s', async (asked, ended) => {
  expect(await values(await say(asked))).toHaveLength(1)
  const user = await say(asked, ended)
  expect(await values(user)).toEqual([])
  expect((await user.recall('Hello?')).context.text).not.toContain('asked:')
})

it.each([
  [
    ['Always answer in French.', 'Never use emojis.', 'From now on answer in Spanish.'],
    [1, 2],
  ],
  [['Call me Doc.', 'Call me Harry from now on.'], [1]],
  [['Always be brief.', 'Actually, always give me long detailed answers.'], [1]],
  [['以后用英文回答我', '以后用中文回答我'], [1]],
  [['以後用繁體中文回覆', '改用英文吧'], [1]],
  [['以后都用英文回答我', '还是用中文吧'], [1]],
  [['Always answer in French.', 'Back to work tomorrow.'], [0]],
  [['Use bullet points in all answers.', "The last bullet point isn't right"], [0]],
  [['以后菜谱都别放辣。', '昨天的火锅没放辣'], [0]],
  [['Never mention my ex.', 'Always answer in French.', "It's fine to talk about my ex now."], [1]],
  [
    ['Never use emojis.', 'Stop using emojis.'],
    [0, 1],
  ],
  [
    ['Call me Doc.', "Don't call me Robert."],
    [0, 1],
  ],
  [['Always answer in French.', "Let's switch to English."], [1]],
  [['Always answer in German.', 'Speak English again, please.'], [1]],
  [['Answer in Italian from now on.', 'Actually, switch back to English for good.'], [1]],
  [['请用法语回答我。', '还是换回中文吧'], [1]],
  [['以后叫我阿乐', '别叫我阿乐了，叫我小乐'], [1]],
  [['Call me Doc.', 'You can call me tomorrow.'], [0]],
  [['Antworte immer auf Italienisch', 'antworte wieder auf Deutsch'], [1]],
  [['Responde siempre en francés', 'responde en español'], [1]],
  [['이제부터 일본어로 대답해', '한국어로 대답해줘'], [1]],
  [['これからは英語で話して', 'これからは日本語で話して'], [1]],
  [['Duz mich bitte', 'Siez mich bitte'], [1]],
  [['Always answer in Italian.', 'He said I can go back to the hotel now.'], [0]],
] as const)('yields to a newer one of its matter: %j', async (said, left) => {
  expect(await values(await say(...said))).toEqual(left.map((place) => said[place]))
})

it('is forgotten and brought back like any memory', async () => {
  const user = await say('Always answer in German.')
  const [asked] = await user.instructions()
  const { id } = await user.forget(asked?.id ?? '')
  expect(await values(user)).toEqual([])
  await user.undo(id)
  expect(await values(user)).toEqual(['Always answer in German.'])
})

it.each([
  [['call me Champ', 'stop calling me Champ'], []],
  [['You can call me Mo.', "don't call me Mo its weird"], []],
  [['Call me Ace.', 'just use my real name please'], []],
  [['call me Mo', 'call me Alexandra again please'], []],
  [['Call me Ace.', 'Call me Tess.'], ['Tess']],
  [['Call me Ace.', "Don't call me darling."], ['Ace']],
  [['叫我大王就行', '还是叫我的名字吧'], []],
] as const)('withdraws or replaces the form of address: %j', async (said, left) => {
  const facts = await (await say(...said)).memories({ forms: ['fact'] })
  const current = facts.filter(({ key, validUntil }) => key === 'form-of-address' && validUntil === null)
  expect(current.map(({ value }) => value)).toEqual(left)
})
