import { openMemory, type Keepsake } from 'keepsake'
import { afterAll, describe, expect, it } from 'vitest'
import { isQuestioned } from '../memories/evidence.ts'

const DAY = 86_400_000
const START = Date.UTC(2026, 2, 2, 9)

/** Memories by the days that have passed in them. To open one takes longer than to hear two sentences. */
const opened = new Map<number, Keepsake>()
let people = 0
afterAll(async () => {
  for (const keepsake of opened.values()) await keepsake.close()
})

async function openAfter(days: number): Promise<Keepsake> {
  const keepsake = opened.get(days) ?? (await openMemory({ path: ':memory:', now: () => START + days * DAY }))
  opened.set(days, keepsake)
  return keepsake
}

/** A person of their own who said these words, a day between each. “key: value” is a fact of the application. */
async function heard(...said: readonly string[]) {
  const keepsake = await openAfter(said.length)
  const scope = keepsake.scope({ tenant: `t${(people += 1)}`, user: 'mara' })
  for (const [day, text] of said.entries()) {
    const at = START + day * DAY
    const [, key, value] = /^([a-z-]+): (.+)$/.exec(text) ?? []
    if (key === undefined || value === undefined) await scope.remember([{ role: 'user', text, at }])
    else await scope.addFact(`The user has among ${key} ${value}.`, { key, value, at })
  }
  await scope.drain()
  return scope
}

/** The facts of a statement alone. */
const statedBy = new Map<string, readonly string[]>()

/** Returns the facts of the first words, and those of them that hold at the end. */
async function factsOf(before: string, ...after: readonly string[]) {
  const known = statedBy.get(before)
  const stated = known ?? (await (await heard(before)).memories({ forms: ['fact'] })).map(({ text }) => text)
  statedBy.set(before, stated)
  const now = await (await heard(before, ...after)).memories({ forms: ['fact'] })
  const holds = stated.filter((text) =>
    now.some((one) => one.text === text && one.validUntil === null && !isQuestioned(one)),
  )
  return { stated, holds }
}

/** Pairs of a statement and words by which it is over, or in doubt. */
const OVER: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  'findings and papers': [
    ['I have lupus.', 'doctor says i never had lupus'],
    ["I'm allergic to penicillin.", 'my allergist said I was never allergic to penicillin'],
    ['我对虾过敏。', '做了检查，医生说我其实对虾不过敏'],
    ['我有高血压。', '医生说我没有高血压，误诊'],
    ['My husband is called Omar.', 'divorce papers signed today!'],
    ['My wife is called Dot.', 'got divorced in April'],
    ['我老婆叫晓梅。', '今天拿到离婚证了'],
    ['我老公叫建国。', '离婚判下来了'],
  ],
  'illness and medicine that are over': [
    ["I'm allergic to bees.", 'the doctor says my bee allergy is no more, the treatment worked'],
    ["I'm allergic to kiwi.", 'my allergist says i can eat kiwi safely now'],
    ['I have anaemia.', "they told me today it isn't anaemia, it was a lab mix-up"],
    ['I have depression.', "i'm not depressed anymore"],
    ['I have sciatica.', 'sciatica is a thing of the past'],
    ["I've got a hernia.", 'had the hernia op, all fixed'],
    ['I have bronchitis.', "I'm finally over the bronchitis"],
    ['My dad has lung cancer.', "Dad's scan came back clear, he's in remission!"],
    ['我对猫过敏。', '我的猫过敏治好了'],
    ['我有胆结石。', '胆结石手术做完了，取出来了'],
    ['我在吃舍曲林。', '舍曲林停了两个星期了'],
    ['我有糖尿病。', '换了家医院复查，说不是糖尿病，上次弄错了'],
    ['我爸得了肺炎。', '我爸出院了，全好了'],
    ['我妈有高血压。', '我妈高血压好了'],
  ],
  'new starts': [
    ['I work as a waitress.', 'got promoted to manager!'],
    ["I'm a cook.", 'i retrained as a plumber'],
    ["I'm retired.", "retirement bored me so i've gone back to teaching"],
    ["I'm retired.", 'came out of retirement'],
    ["I'm unemployed.", 'got a job!!'],
    ['I run a bookshop in Ely.', 'we had to shut the bookshop for good'],
    ['I work at Halfords.', 'halfords made me redundant on monday'],
    ["I'm a student at Kent uni.", 'i dropped out'],
    ['I live in Gent.', "we've moved into our new house in Zeist"],
    ["I'm single.", "I'm in a relationship with Bea"],
    ['我在小米上班。', '小米把我裁了'],
    ['我抽烟。', '我上个月把烟戒了'],
    ['我男朋友叫阿杰。', '和阿杰分了'],
    ['我在吃氨氯地平。', '医生让我停了氨氯地平'],
    ['I work at Lidl.', 'Lidl let me go on Friday'],
    ['我是护士。', '我升护士长了'],
    ['我是幼师。', '我转行做保险了'],
    ['我退休了。', '单位又把我返聘回去了'],
    ['我开了家书店。', '书店上个月倒闭了'],
    ['我跟爸妈一起住。', '我搬出去自己住了'],
    ['我住在昌平。', '搬新家了，新家在顺义'],
  ],
  'everyday words': [
    ['I live in Leeds.', 'Finally unpacked the last box in Glasgow, so Leeds is behind me'],
    ['I live in Porto.', "I've left Porto for good and I'm back in Braga with my parents"],
    ['I live with my parents in Faro.', "moved out of my parents' place finally, got a room in Lisbon"],
    ["I'm engaged to Theo.", 'Theo and I broke off the engagement'],
    ["I'm married to Joanna.", "the divorce came through yesterday. so that's that with Joanna"],
    ['I work as a porter at the Ritz.', 'I got the sack'],
    ['I work at Tesco.', 'handed in my notice at Tesco on friday'],
    ["I'm doing a PhD in marine biology.", 'defended my PhD on Thursday!!! Doctor now'],
    ["I'm single and not looking.", 'not single anymore 🙈 his name is Ruben'],
    ["I'm single.", "met someone, we're together now"],
    ['I live with my parents.', 'finally got my own place in Ghent'],
    ['I smoke about ten a day.', 'three weeks smoke free'],
    ['I volunteer at the zoo.', "don't volunteer at the zoo any longer"],
  ],
  'events by part of life': [
    ["I'm allergic to kiwi.", "The test came back, so I'm not allergic to kiwi after all."],
    ['I have a latex allergy.', "Funny, I don't have a latex allergy after all"],
    ['I smoke a pack a day.', "I haven't touched a cigarette in three months"],
    ['I play the oboe.', "I haven't played the oboe for two years"],
    ["I'm six months pregnant.", 'Our son Milo was born last night'],
    ["I'm pregnant with twins.", 'We lost them both at 19 weeks'],
    ['My dog is called Biscuit.', 'Biscuit went over the rainbow bridge on Monday'],
    ['My gran Edie lives in Rhyl.', 'We lost Gran Edie on Friday'],
    ['I work at Halfords.', 'packed up my desk and handed back my lanyard'],
    ['I work as a cook.', 'I handed in my apron'],
    ['I live in Didcot.', 'gave both sets of keys back to the landlord this morning'],
    ['My husband is called Olaf.', 'it is just me and the boys now'],
    ['My boyfriend is called Ned.', 'I threw him out, his stuff is on the lawn'],
    ["I'm on ramipril.", 'My GP switched me to candesartan'],
    ["I'm vegetarian.", "I had bacon this morning and I'm not going back"],
  ],
  death: [
    ['My dad lives in Cork.', 'Dad died on Sunday, the funeral is next week.'],
    ['My grandmother is 91.', 'Granny passed away peacefully this morning.'],
    ['We have a cat called Pepper.', "Pepper had to be put to sleep, her kidneys weren't working."],
    ['My horse is called Juno.', 'Juno died in the night.'],
    ['My uncle Pat lives in Galway.', "It's Uncle Pat's funeral on Friday."],
    ['My brother Leo works at Renault.', "I lost my brother in January, I still can't say it."],
    ['We have a rabbit named Clover.', 'We buried Clover in the garden.'],
    ['My best friend Nadia lives in Split.', 'Nadia is dead. A car accident.'],
    ['My husband Karl is a baker.', 'Karl passed away three weeks ago.'],
    ['My mother lives in Porto.', "My mum didn't make it. She was 67."],
    ['I live with my grandmother.', 'Nan died yesterday.'],
    ['My wife Marit is a nurse.', 'Marit passed in March.'],
    ['My grandma Toos lives in Ede.', 'Toos passed on Sunday.'],
    ['My dad Karl lives in Bonn.', 'Dad passed last winter.'],
    ['I have a dog called Rex.', 'Rex passed two weeks ago.'],
    ['My aunt Rosa lives in Bari.', 'Aunt Rosa has passed on, bless her.'],
  ],
  parting: [
    ['My boyfriend is called Davide.', 'Davide and I split up.'],
    ["I'm married to Helen.", 'Helen and I got divorced in spring.'],
    ['My girlfriend is called Sanne.', 'Sanne dumped me on the phone.'],
    ['My wife is called Brigitte.', 'My wife left me for her trainer.'],
    ["I'm dating Oskar.", 'I broke up with Oskar.'],
    ['My partner is called Noa.', "We're not together any more."],
    ["I'm engaged to Luca.", "We've called off the engagement."],
    ['My fiancé is called Piet.', 'It’s over between Piet and me.'],
    ['My husband is called Alan.', 'I had coffee with my ex Alan today.'],
    ['My boyfriend is called Ruben.', "I'm single again, by the way."],
    ['My wife is called Ida.', 'Ida and I have separated.'],
    ['I live with my boyfriend.', 'My boyfriend and I broke up and he moved out.'],
  ],
  'parting in few words': [
    ['My girlfriend is called Orla.', 'me and orla are finished'],
    ['My girlfriend is called Orla.', 'orla ended things last night'],
    ["My boyfriend's name is Rashid.", 'dumped rashid on friday'],
    ["My boyfriend's name is Rashid.", 'things are over with Rashid'],
    ['My husband is called Olaf.', 'Kicked Olaf out this morning'],
    ['我女朋友叫若曦。', '若曦昨晚在电话里跟我提了分手'],
    ['我女朋友叫若曦。', '若曦把我踹了'],
    ['我老公叫志强。', '我跟志强的离婚手续办好了'],
    ['我男朋友叫浩然。', '浩然出轨了，我们完了'],
    ['我男友叫浩然。', '我跟浩然結束了'],
    ['我男朋友叫浩然。', '我又单身了'],
  ],
  'death in few words': [
    ['My dog is called Biscuit.', 'RIP Biscuit, best boy'],
    ['My cat is called Mog.', 'Mog lost her fight with kidney disease'],
    ['我养了只兔子叫雪球。', '雪球死了'],
    ['我养了只兔子叫雪球。', '雪球昨天夜里没挺过来'],
    ['我家猫叫布丁。', '布丁不在了'],
    ['我外公住在绵阳。', '外公走了，享年八十八'],
  ],
  'home and work in few words': [
    ['I live in Hull.', 'moved last week, still no furniture'],
    ['I live in Hull.', 'new house!! still in boxes'],
    ['I live in Hull.', 'finally out of Hull'],
    ['I live in Hull.', "I'm in Derby now, moved on friday"],
    ['I live in Hull.', 'left Hull for good on sunday'],
    ['I work at Greggs.', 'last day at Greggs today'],
    ['I work at Greggs.', 'goodbye Greggs, hello freedom'],
    ['我住在昆明。', '我搬家了，现在住大理'],
    ['我住在昆明。', '再见昆明'],
    ['我在海底捞上班。', '昨天是我在海底捞的最后一天'],
    ['我在幼儿园打工。', '我不在幼儿园干了'],
    ['我在学德语。', '德语太难，我放弃德语了'],
    ['我在学吉他。', '吉他放弃了'],
  ],
  job: [
    ['I work at Zalando.', 'I got laid off on Tuesday.'],
    ['I work as a paramedic.', "I've handed in my notice."],
    ['employer: council', 'They let me go last week.'],
    ['I work at the aquarium.', 'I resigned yesterday!'],
    ["I'm a receptionist.", 'I quit my job, finally.'],
    ['I work at Nokia.', 'I left Nokia after nine years.'],
    ['I work as a courier.', 'My boss fired me in front of everyone.'],
    ['I work at the cinema.', 'The cinema has closed down for good.'],
    ['I work as a surveyor.', 'My contract was not renewed.'],
    ["I'm a welder.", 'I retired in May.'],
    ['I work at Lidl.', "I don't work at Lidl anymore."],
  ],
  medicine: [
    ['I take metformin.', 'They have switched me from metformin to something newer.'],
    ['I take sertraline every morning.', "I've come off the sertraline."],
    ['I take enalapril.', 'They switched me to valsartan in June.'],
    ["I'm on omeprazole.", "I've been moved on to pantoprazole."],
    ['I take lithium.', 'My doctor took me off lithium.'],
    ["I'm on insulin.", "I'm no longer on insulin, just diet now."],
    ['I take a statin.', "I've stopped taking the statin."],
    ['I take ibuprofen and a beta blocker.', 'The consultant has changed me off the beta blocker.'],
    ['I take prednisolone.', "I'm finally off the prednisolone."],
    ['I take warfarin.', 'They replaced my warfarin with apixaban.'],
    ['I take levothyroxine.', "I don't take levothyroxine any more."],
    ['I take an antidepressant.', "I've been weaned off the antidepressant."],
  ],
  diet: [
    ["I'm vegetarian.", "I've started eating chicken again."],
    ['I am a vegan.', "I'm no longer vegan."],
    ["I'm pescatarian.", 'I gave up being pescatarian at Christmas.'],
    ["I don't drink.", 'I drink again, only at weekends.'],
    ["I'm vegan.", "I'm back on meat since the pregnancy."],
    ["I don't eat dairy.", 'I can eat cheese again!'],
    ["I'm vegetarian.", 'I used to be vegetarian.'],
    ["I don't eat fish.", "I'm eating fish again."],
    ["I'm a vegetarian.", "I'm not a vegetarian these days."],
    ["I don't eat gluten.", 'I am eating bread again, the test was wrong.'],
  ],
  pregnancy: [
    ["I'm four months pregnant.", 'I had a miscarriage.'],
    ["I'm pregnant.", 'We lost the baby on Monday.'],
    ["I'm pregnant, due in October.", 'There was no heartbeat.'],
    ["I'm pregnant.", 'Our daughter was born on Friday!'],
    ["I'm expecting a baby in July.", 'I miscarried in the tenth week.'],
    ["I'm newly pregnant.", "I'm not pregnant, the test was wrong."],
    ["I'm pregnant.", 'I gave birth last night.'],
    ["I'm heavily pregnant.", 'We had the baby!'],
    ["I'm pregnant.", 'It was ectopic, they operated.'],
    ["I'm six weeks pregnant.", "I'm no longer pregnant."],
  ],
  plan: [
    ["We're moving to Utrecht in May.", 'Utrecht fell through.'],
    ["I'm planning a trip to Iceland.", 'The Iceland trip is off.'],
    ["We're getting married in August.", "We've called off the wedding."],
    ["I'm flying to Boston in April.", "I'm not flying to Boston after all."],
    ['plans: opening a café', "I've given up on the café."],
    ['plans: buying a boat', 'We decided against the boat.'],
    ['plans: running the Berlin marathon', 'I pulled out of the marathon, my knee.'],
    ['Next month I am starting a course in welding.', 'The welding course got cancelled.'],
    ["We're visiting Granada in March.", "We've scrapped Granada, too expensive."],
    ['plans: applying for the head of year post', 'I changed my mind about the head of year thing.'],
    ["We're moving to Denver in July.", "We're no longer moving to Denver."],
  ],
  recovery: [
    ['I have long covid.', 'good news, no more long covid!'],
    ['I have asthma.', "good news, I've fully recovered"],
    ['I have tendonitis.', 'the physio gave me the all clear'],
  ],
  studies: [
    [
      "I'm in my final year at Leiden University studying law.",
      'GRADUATED!!! starting at a firm in september',
    ],
    ["I'm studying nursing at Hull.", 'finally finished my degree!!'],
    ["I'm a student at MIT.", 'dropped out of uni last week, no regrets'],
  ],
  friends: [
    ['My best friend is Dunja.', "Dunja and I aren't speaking anymore. big fight"],
    ['My roommate is called Jess.', 'I fell out with Jess and moved on'],
    ['My husband works at Tesco.', 'We finally got divorced on Monday'],
  ],
  'giving away': [
    ['possessions: motorbike', 'I sold the motorbike.'],
    ['I have a parrot named Kiwi.', 'We gave Kiwi away to a sanctuary.'],
    ['pets: goats Salt and Pepper', 'We had to rehome Salt and Pepper.'],
    ['possessions: kayak', 'My kayak was stolen.'],
    ['We have a dog called Moss.', 'We found a new home for Moss.'],
    ['possessions: caravan', "I've got rid of the caravan."],
    ['possessions: piano', 'I gave my piano to the school.'],
    ['I have a snake named Figaro.', 'I sold Figaro to a breeder.'],
    ['possessions: van', 'I wrote off the van on the ring road.'],
    ['possessions: telescope', 'I donated the telescope to the museum.'],
  ],
  'a broken engagement': [
    ["I'm engaged to Lucas.", "The engagement's off."],
    ['My fiancé is called Noor.', 'Our engagement is over.'],
  ],
  'no longer so': [
    ['I play the cello.', 'I gave up the cello.'],
    ['habits: drinking coffee', 'I stopped drinking coffee.'],
    ['habits: smoking', 'I quit smoking.'],
    ['My sister lives in Ghent.', "My sister doesn't live in Ghent anymore."],
    ['My sister lives in Ghent.', 'My sister moved to Turin.'],
    ['My boss is called Erik.', 'Erik is no longer my boss.'],
    ["I'm allergic to strawberries.", "I'm not allergic to strawberries any more."],
    ['My brother works at Siemens.', 'My brother no longer works at Siemens.'],
    ['living-with: Petra', 'Petra moved out.'],
    ["I'm learning Welsh.", "I've dropped Welsh, I stopped learning it."],
    ["I'm afraid of spiders.", 'I got over my fear of spiders.'],
    ['My flatmate is called Jo.', 'Jo is no longer my flatmate.'],
    ['I play badminton.', "I don't play badminton any longer."],
  ],
  'in Chinese': [
    ['我妈妈在乐山工作。', '我妈上周去世了。'],
    ['我奶奶八十岁了。', '奶奶走了，正月十四。'],
    ['我养了一只狗叫小黑。', '我家的狗昨天没了。'],
    ['我怀孕了。', '孩子没保住。'],
    ['我怀孕三个月了。', '我流产了，在家躺着。'],
    ['我对虾过敏。', '复查了，我对虾不过敏了'],
    ['我吃素。', '我不吃素了，身体扛不住。'],
    ['我有哮喘。', '我没有哮喘。'],
    ['我对芒果过敏。', '我不对芒果过敏。'],
    ['我養了一隻貓叫豆漿。', '我的貓昨天過世了。'],
    ['我养了一只柯基叫豆包。', '豆包去汪星了，家里一下子好安静'],
    ['我在美团上班。', '今天被优化了……拿了N+1走人'],
    ['我老公在台北工作。', '我跟老公上個月離婚了，小孩跟我'],
    ['我女朋友叫小美。', '我和小美分手了'],
    ['我女朋友叫小美。', '我们分了'],
    ['我女朋友叫小美。', '我跟她分了，好难过'],
    ['我男朋友叫阿杰。', '我和他分手了'],
    ['我养了一只猫叫团子。', '团子上周走了'],
    ['我在浙大读研二。', '终于毕业啦！！下个月去华为报到'],
    ['我有胃炎。', '胃炎终于好了'],
    ['我女朋友叫小雯。', '我和小雯分手了，她说累了'],
    ['我老公叫建国。', '我跟建国上个月把离婚证领了'],
    ['我在银行上班。', '我把银行的工作辞了'],
    ['我在武汉大学读书。', '我六月份毕业了'],
    ['我在星巴克打工。', '被星巴克开除了，就因为迟到两次'],
    ['我家有條狗叫Lucky。', 'Lucky前天過世了'],
    ['我懷孕了。', '生了生了！是個男生'],
    ['我怀孕三个月了。', '宝宝昨天出生了'],
    ['我在成都当小学老师。', '我换工作了，现在在出版社做编辑。'],
    ['我老婆怀孕了。', '老婆上周生了，是个女孩'],
    ['我是单身。', '我脱单了！他叫周屿'],
    ['我有一台钢琴。', '钢琴送给我外甥女了'],
  ],
}

/** Pairs after which everything holds. */
const STANDS: readonly (readonly [string, string])[] = [
  ['I have asthma.', "my sister's asthma is gone, lucky her"],
  ['I have lupus.', 'the doctor said it is not the lupus that makes me tired'],
  ["I'm allergic to nuts.", 'my brother can eat nuts again'],
  ['I have epilepsy.', "i had a bad headache but i'm better now"],
  ['My dad has cancer.', "my friend's dad is in remission"],
  ['My mum has arthritis.', "mum's cold is all gone"],
  ['I own a pub.', 'we closed the pub early last night'],
  ['I work at Greggs.', 'feels like i stopped working hours ago, greggs was dead today'],
  ["I'm retired.", 'my wife went back to work'],
  ["I'm retired.", 'i got the job of cleaning the gutters'],
  ["I'm a waiter.", 'i promoted our gig on insta'],
  ['I live in Hull.', 'the new neighbours moved in yesterday'],
  ['I live in Hull.', 'moved the sofa into the new room'],
  ['我有高血压。', '我的感冒好了'],
  ['我有糖尿病。', '医生说不是糖尿病的问题，是睡得太少'],
  ['我有胃炎。', '胃炎好了又犯，烦死了'],
  ['我在吃舍曲林。', '我妈劝我把舍曲林停了'],
  ['我爸有糖尿病。', '我爸的感冒好了'],
  ['我是护士。', '我们护士长升职了'],
  ['我在书店上班。', '楼下的奶茶店倒闭了'],
  ['我开了家花店。', '今天下大雨，花店早早关门了'],
  ['我退休了。', '我老伴被返聘了'],
  ['我跟爸妈一起住。', '我不想搬出去'],
  ['I work at Lidl.', 'They let me go early on Fridays, which is nice'],
  ['I live in Preston.', 'we left Preston at six this morning to beat the traffic'],
  ['I work as a nurse.', 'I nearly quit today.'],
  ['I have a cat called Tib.', 'Left ear, right ear, both clean now.'],
  ['My mum lives in Hull.', "My colleague's mum passed away."],
  ['My mum lives in Hull.', 'Mum passed her driving test last night!'],
  ['My wife Marit is a nurse.', 'Marit passed her exam in March.'],
  ['My wife Marit is a nurse.', 'The law passed in March.'],
  ['My wife Marit is a nurse.', 'Marit passed me the salt on Sunday.'],
  ["I'm engaged to Lucas.", "My sister's engagement is off."],
  ['My dad lives in Cork.', 'A friend of mine lost her dad.'],
  ['My dad lives in Cork.', 'My phone died right in the middle of it.'],
  ['My husband Karl is a baker.', 'Karl nearly died laughing.'],
  ['My boyfriend is called Davide.', 'I broke up the chocolate and gave some to Davide.'],
  ['My boyfriend is called Davide.', 'My parents split up when I was four.'],
  ['My boyfriend is called Davide.', 'Davide and I split the bill.'],
  ['My boyfriend is called Davide.', 'Davide left me a note on the fridge.'],
  ['My wife is called Dot.', "my friend's divorce came through today"],
  ['我住在成都。', '室友退租了，搬到城东了'],
  ['My wife is called Ida.', 'Ida and I almost broke up over the wallpaper.'],
  ['My husband works at Tesco.', 'My parents split up when I was four.'],
  ['I have asthma.', 'my brother has fully recovered from covid'],
  ["I'm studying law at Leiden.", 'my sister graduated today'],
  ['I study at MIT.', 'I finished my essay for uni'],
  ['My best friend is Kofi.', 'kofi and I are not talking about anything else than the match'],
  ['I work at Zalando.', 'My sister got fired.'],
  ['I work at Zalando.', 'I might quit my job one day.'],
  ['I work at Zalando.', 'I left Zalando early today to catch the train.'],
  ['I work as a paramedic.', 'If I lost my job, I would move to the sea.'],
  ['I take enalapril.', 'They switched me to the night shift.'],
  ['I take enalapril.', 'My dad was switched to valsartan.'],
  ['I take enalapril.', 'They may have switched me to valsartan, I will check.'],
  ['I take valsartan.', 'They switched me to valsartan in the evening.'],
  ['I take metformin.', 'I came off the motorway at junction nine.'],
  ['I take metformin.', 'My aunt was taken off metformin.'],
  ["I'm vegetarian.", 'My brother eats meat again.'],
  ["I don't eat pork.", "I don't eat pork any more than I eat beef."],
  ["I'm pregnant.", 'My cousin lost the baby.'],
  ["I'm pregnant.", 'I was so afraid that I had lost the baby, but all is well.'],
  ["We're moving to Utrecht in May.", 'The dinner with the neighbours fell through.'],
  ["I'm planning a trip to Iceland.", 'We postponed the dentist.'],
  ['We have a dog called Moss.', 'We gave Moss a bath.'],
  ['We have a dog called Moss.', "The neighbours' dog died."],
  ['We have a dog called Moss.', 'Moss ran away from the hoover again, so funny.'],
  ['possessions: motorbike', 'He sold his motorbike.'],
  ['I play the cello.', 'My daughter gave up the violin.'],
  ["I'm learning Japanese.", 'Gave up on sleep and did some Japanese kanji at 4am instead'],
  ["I'm single.", 'My colleague met someone special.'],
  ['I own a bakery in Cork.', 'We sold out of sourdough by nine at the bakery.'],
  ['My sister lives in Ghent.', 'My cousin moved to Turin.'],
  ['My sister lives in Ghent.', "Tom's sister no longer lives in Ghent."],
  ['I live in Lyon.', 'Clara no longer lives in Lyon.'],
  ['I live in Lyon.', "She said, I don't live in Lyon anymore."],
  ['likes: jazz', "They joked that I don't like jazz anymore."],
  ['likes: jazz', "If you ask me, I don't like jazz anymore."],
  ['I work at Zalando.', 'Since I lost my job, I sleep badly.'],
  ['I work at Zalando.', 'I quit the game at level nine.'],
  ['I work as a paramedic.', 'I retired the old bike.'],
  ['My husband Karl is a baker.', 'I left my husband a note.'],
  ['My girlfriend is called Orla.', "we're done with dinner"],
  ['My girlfriend is called Orla.', "I'm done with Orla's laundry"],
  ['My girlfriend is called Orla.', 'Orla ended it with a joke, as always'],
  ['My girlfriend is called Orla.', 'I left Orla today at the station'],
  ['My girlfriend is called Orla.', 'kicked Orla out of the kitchen lol'],
  ['My girlfriend is called Orla.', 'me and Orla are done with the painting'],
  ['My dog is called Biscuit.', 'RIP my phone'],
  ['I live in Hull.', 'we moved desks last week'],
  ['I live in Hull.', 'bye, talk tomorrow'],
  ['I work at Greggs.', 'my last day at Greggs will be in May'],
  ['I work at Greggs.', 'last day at the beach today'],
  ['My mother lives in Porto.', 'In the film my favourite character lost her mother.'],
  ['My mother lives in Porto.', 'Did I say that my mum died?'],
  ['I smoke about ten a day.', "I haven't had a cigarette since lunch"],
  ['I play the oboe.', "I haven't played the oboe since Tuesday"],
  ['I live in Didcot.', 'I gave the car keys to the mechanic'],
  ["I'm six months pregnant.", 'My daughter was born in 2014'],
  ["I'm six months pregnant.", 'My niece was born yesterday'],
  ['My husband is called Olaf.', 'it is just me and the boys now until Sunday'],
  ["I'm on ramipril.", 'My boss moved me to the Leeds office'],
  ['I work at Halfords.', 'She packed up her desk today'],
  ["I'm vegetarian.", 'I had bacon flavoured crisps'],
  ['我妈妈在乐山工作。', '我同事的妈妈去世了。'],
  ['我养了一只狗叫小黑。', '隔壁的狗没了。'],
  ['我怀孕了。', '我表姐的孩子没保住。'],
  ['我怀孕了。', '我朋友的宝宝出生了'],
  ['我怀孕了。', '老板又生气了'],
  ['我在京东上班。', '我想换工作'],
  ['我吃素。', '她不吃素了。'],
  ['我吃素。', '他不吃素。'],
  ['我有哮喘。', '我没有车。'],
  ['我在京东上班。', '我朋友被裁了'],
  ['我有湿疹。', '我女儿的湿疹好了'],
  ['我在京东上班。', '我想辞职了'],
  ['我在北大读博。', '我妹妹毕业了'],
  ['我养了一只猫叫布丁。', '布丁好了，可以吃了'],
  ['我老婆在银行上班。', '我弟弟离婚了'],
  ['我女朋友叫若曦。', '我走了，明天聊'],
  ['我女朋友叫若曦。', '若曦走了一会儿又回来了'],
  ['我女朋友叫若曦。', '若曦爸妈离婚了'],
  ['我女朋友叫若曦。', '我跟若曦聊天结束了'],
  ['我女朋友叫若曦。', '我跟若曦分开了三天，好想她'],
  ['我女朋友叫若曦。', '我被若曦甩了两条街'],
  ['我女朋友叫若曦。', '若曦的猫死了'],
  ['我养了只兔子叫雪球。', '雪球饿死了，快喂它'],
  ['我养了只兔子叫雪球。', '雪球的粮没了'],
  ['我在海底捞上班。', '后天是我在海底捞的最后一天'],
  ['我在学德语。', '我放弃了德语考试'],
  ['我住在昆明。', '早上离开昆明去大理玩两天'],
  ['我女朋友叫佳佳。', '佳佳走了，去上海出差，周五回来'],
  ['我女朋友叫佳佳。', '我们分了一块蛋糕'],
  ['我女朋友叫佳佳。', '我们分了，一人一半'],
  ['我女朋友叫佳佳。', '奖金我们分了'],
  ['我女朋友叫佳佳。', '我跟她离得很近'],
  ['我养了一只狗叫小白。', '小李去世了'],
  ['我养了一只狗叫旺财。', '我带旺财走了十公里'],
  ['我在学吉他。', '今天的吉他课取消了，老师感冒'],
  ['我爷爷住在洛阳。', '爷爷走了，说明天再来'],
  ['我爷爷住在洛阳。', '爷爷走了。下周再来看我们。'],
  ['我爷爷住在洛阳。', '爷爷走了，坐的三点的火车'],
  ['我爷爷住在洛阳。', '爷爷刚走了，忘带手机'],
  ['我奶奶住在洛阳。', '奶奶走了，晚上打电话报平安了'],
  ['My aunt Sue lives in Hull.', "We said goodbye to Aunt Sue. She's coming again at Easter."],
  ['My dog is called Rex.', "Rex is gone, he'll be back from the kennel on Monday."],
  ['My boyfriend is called Ty.', "Ty walked out, he's coming back with milk."],
  ['I live in Leeds.', "I'm in York now, back on Friday."],
  ['I live in Leeds.', "I'm in York now for a conference."],
  ['I live in Leeds.', 'My sister has a new flat! I am in York now.'],
  ['I live in Leeds.', 'I viewed a new flat. We are in York now.'],
  ['I live in Leeds.', "The train was late. I'm in York now."],
]

/** Pairs of a statement and a death beside words of those who live on. */
const DOUBTED: readonly (readonly [string, string])[] = [
  ['我爷爷住在洛阳。', '爷爷走了，说没就没了'],
  ['我奶奶住在洛阳。', '奶奶走了，临走前还说想吃饺子'],
  ['我奶奶住在洛阳。', '奶奶走了，她说过想海葬'],
  ['我奶奶住在洛阳。', '奶奶走了，爸爸明天回来'],
  ['My dog is called Rex.', "Rex is gone, he'll never be back."],
  ['My aunt Sue lives in Hull.', 'We said goodbye to Aunt Sue. I wish she was coming back.'],
]

it.each([
  ['Our tortoise Olive died on Tuesday.', 'tortoise Olive'],
  ['My husband Aled died in May.', 'husband Aled'],
  ['We had to put our pony Fern to sleep.', 'pony Fern'],
  ['My late wife Irene was a nurse.', 'late wife Irene'],
])('names and ends in one sentence: %s', async (text, value) => {
  const facts = await (await heard(text)).memories({ forms: ['fact'] })
  expect(facts.find((fact) => fact.value === value)?.validUntil).not.toBeNull()
})

it.each([
  ["My sister Ida's cat died.", 'sister Ida'],
  ['My phone died, so my wife Irene rang me.', 'wife Irene'],
  ['My wife Irene is always late.', 'wife Irene'],
  ['My late shift colleague Tom is nice.', 'late shift colleague Tom'],
])('names and ends nobody: %s', async (text, value) => {
  const facts = await (await heard(text)).memories({ forms: ['fact'] })
  expect(facts.find((fact) => fact.value === value)?.validUntil).toBeNull()
})

describe('what is said to be over', () => {
  describe.each(Object.entries(OVER))('by %s', (_, pairs) => {
    it.each(pairs)('%s %s', async (before, after) => {
      const { stated, holds } = await factsOf(before, after)
      expect(stated).not.toEqual([])
      expect(holds).toEqual([])
    })
  })

  it.each(DOUBTED)('is in doubt: %s %s', async (before, after) => {
    expect((await factsOf(before, after)).holds).toEqual([])
  })

  it.each(STANDS)('is not what is said of others: %s %s', async (before, after) => {
    const { stated, holds } = await factsOf(before, after)
    expect(holds).toEqual(stated)
  })
})

describe('whom one has again', () => {
  it.each([
    ['My dog is called Rusty.', 'Rusty ran away', "rusty's back home!!"],
    ['My girlfriend is called Ana.', 'Ana and I broke up', 'me and ana are back together'],
    ['My boyfriend is called Nico.', 'Nico and I broke up', "we're back together"],
    ['我养了一只猫叫咪咪。', '咪咪跑丢了', '咪咪找到了！'],
    ['我女朋友叫小满。', '我和小满分手了', '我和小满复合了'],
  ])('is known again: %s', async (before, ...after) => {
    const { stated, holds } = await factsOf(before, ...after)
    expect(holds).toEqual(stated)
  })

  it.each([
    ['My dog is called Rex.', 'Rex died', 'dreamt that Rex is back home'],
    ['My dog is called Rex.', 'Rex ran away', "the neighbour's cat is back home"],
    ['My girlfriend is called Ana.', 'Ana and I broke up', 'saw that ana is back home for christmas'],
    ['我女朋友叫小满。', '我和小满分手了', '我闺蜜和她男朋友复合了'],
  ])('is nobody else: %s %s %s', async (before, ...after) => {
    expect((await factsOf(before, ...after)).holds).toEqual([])
  })
})

describe('a death that names nobody', () => {
  it.each([
    [['My aunt is called Vera.', 'My aunt is called Dot.', 'My aunt died in May.']],
    [['My uncles are called Ralf and Udo.', 'My uncle died in May.']],
  ])('puts all in doubt of whom it may be said, and not itself: %j', async (said) => {
    const facts = await (await heard(...said)).memories({ forms: ['fact'] })
    const deaths = facts.filter(({ text }) => text.includes('died'))
    const relatives = facts.filter((fact) => !deaths.includes(fact))
    expect(relatives.length).toBeGreaterThan(0)
    expect(relatives.every((fact) => fact.validUntil === null && isQuestioned(fact))).toBe(true)
    expect(deaths.every((fact) => fact.validUntil === null && !isQuestioned(fact))).toBe(true)
  })
})
