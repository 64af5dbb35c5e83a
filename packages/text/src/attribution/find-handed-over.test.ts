import { describe, expect, it } from 'vitest'
import { isMostlyUnspoken, maskUnspoken } from './mask-unspoken.ts'

describe('blocks with the signs of another author', () => {
  it.each([
    [
      'a letter',
      'Hallo zusammen,\n\nich wohne jetzt in Trier.\n\nLiebe Grüße\nMareike\n\nWas antwortet man da?',
    ],
    [
      'a letter',
      "Madame, Monsieur,\n\nj'habite à Metz.\n\nVeuillez agréer mes salutations.\nMme Faure\n\nTraduis",
    ],
    ['a letter', '担当者様\n私は松本に住んでいます。\n敬具\n石川\n\n失礼な文ですか'],
    ['a byline', 'Écrit le 7 juillet 2023 par Gontran_59\nJe vis à Roubaix.\n\nRéponds-lui'],
    ['a byline', 'Frage von Lisbeth88, 03.05.2023\nIch bin schwanger.\n\nStimmt die Antwort?'],
    ['an age', '2 semanas atrás · Local Guide\nMoro em Niterói.\n\nEscreva a resposta'],
    ['counts', 'Ich habe Rheuma.\n17 Personen fanden das hilfreich\n\nLohnt sich der Kauf?'],
    [
      'items of a page',
      'Sobre mim\nSou arquiteta e vivo em Aveiro.\nContacto | Portefólio | Cookies\n\nmelhora',
    ],
    ['a form', 'Name: Tomasz Rek\nBorn: 1988\nConditions? I have epilepsy.\n\nWhich fields are needed?'],
    [
      'a declaration',
      'Eu, Amadeu Teles, declaro que resido em Olinda.\nOlinda, 3 de maio\n\nPrecisa de firma?',
    ],
    ['a play', 'KONRAD (leise). Ich bin ein Dieb.\nAGNES (weint). Und ich?\n\nZu dick aufgetragen?'],
    ['a heading', '【弹幕】\n00:12 我也是左撇子\n00:21 我猫叫馒头\n\n统计一下'],
    ['a paste', 'The speech of the mayor (I pasted it) - is it good?\n\nI was raised on this estate.'],
    ['an ad', 'Flatmate wanted!\nI am a night nurse.\nCall Shauna, 07700 900318\n\nShould I answer?'],
    ['a chat', 'Mo ✨, 21:40\nI am allergic to bees\nYou, 21:43\nok!!\n\nwhat now?'],
    ['dictation', 'Take this down for my grandmother: I am ninety-one. Yours, Edith.'],
    ['dictation', '替我奶奶写封信：我今年八十八岁。'],
    [
      'a letter in a line',
      'Sehr geehrte Frau Maier, ich ziehe nach Wien. Mit freundlichen Grüßen, Oskar Blei\n\nIst das gültig?',
    ],
    [
      'a text with its source',
      "Salut, je suis à l'hôpital depuis hier. Bisous.\n\n(SMS de ma grand-mère) — que répondre ?",
    ],
    ['a verse', 'Meu pai morreu no mar,\nminha mãe vende sardinha,\neu moro na rua escura.\n\nOnde respiro?'],
    [
      'a note',
      'Hiya love,\n\nI sold the house and I sail with Derek.\n\nxx\n\ncan you write her a nice reply',
    ],
    ['a post', '네이트판\n결혼 3년차입니다. 저는 남편과 별거 중이에요.\n추천 120 반대 4\n\n댓글 달아줘'],
    ['a novel', '我叫阿寂，是一只住在钟楼上的猫妖。我没有尾巴。\n\n接着写'],
    ['a speech', '皆様、ありがとうございます。私は農家の三男です。\n\nこのスピーチを英訳して'],
    ['a ballad', 'Eu nasci há mil anos\neu moro na beira do rio\n\nde quem é essa música?'],
    [
      'an old letter',
      "Ma chère sœur, je suis au front et j'ai perdu deux doigts. Ton Lucien\n\nDe quelle guerre s'agit-il ?",
    ],
    ['a form', '体检问卷\n1. 您是否吸烟？ 我每天抽一包。\n2. 您有无病史？ 我有哮喘。\n\n帮我录入系统'],
  ])('%s is not the speaker’s: “%s”', (_, text) => expect(isMostlyUnspoken(text)).toBe(true))

  it.each([
    'Hello,\nI moved to Ghent and need a dentist.\n\nBest,\nTomasz\n\nPS: I only speak English.',
    'Hola,\n\nvivo en Murcia y soy celíaco.\n\n¿Qué pan compro?',
    'I am 44\nI have two kids\nI run a bakery in Leeds\n\nPlan my week please',
    '我的猫 | 5岁 | 绝育\n它不吃东西，我很担心。\n\n怎么办？',
    'UPDATE: I moved.\nEDIT: I found a flat.\n\nWhat now?',
    "Mon profil : j'ai 29 ans, je vis à Annecy",
    '自己紹介：私は京都に住んでいます。',
    '# Week 3\nI lost two kilos and I walk to work now.',
    '## Background\n\nI run a studio in Leuven.\n\n## Question\n\nHow do I raise prices?',
    'For my wedding speech: I met Kofi in Accra.',
    'Dear assistant,\n\nI am blind in one eye.\n\nThanks,\nRuben',
    'Mood: 4/5\nI slept badly and took ibuprofen.',
    'Weight 82.5 kg\n\nI eat no bread now.',
    'Plan A | Plan B | Plan C\nI live in Leeds, which one?',
    'eggs,\nmilk,\nI am vegan,\nso skip those',
    'I moved to Leeds,\nI got a job there,\nmy sister is with me',
    'My sister is getting married in Rome and I am pregnant.\n\nhow do I tell her?',
    'Ma mère est malade et je m’occupe d’elle. Que puis-je lui dire ?',
    'I bought a Panda today! 2019, 40k miles.\nIs it a good price?',
    'Mi currículum:\nSoy cocinera desde 2009.\n\nMejóralo.',
    'Schlafprotokoll von mir:\nMo 5,5 h\nDi 4 h\nwas lese ich daraus?',
    'CURRICULUM VITAE (mine, obviously)\n\n2018–now: crane operator\n\nIs one page enough?',
    'Te leo el mail que le mandé a mi casera: «Buenas, tengo un bebé de cinco meses.» ¿Fui suave?',
    '<h1>About me</h1>\n<p>I restore glass in Chartres.</p>\n\nmy homepage, is h1 ok there?',
    'Work history:\n2015-2019 I was a cook in Lyon',
  ])('leaves “%s” to the speaker', (text) => expect(isMostlyUnspoken(text)).toBe(false))
})

describe('a text that the speaker claims', () => {
  it.each([
    [
      'Help me polish my letter to the school: Dear Ms Reid, my son Ivo has asthma. Regards, Greta.',
      'asthma',
    ],
    ['Dear diary: I start at the bakery on Monday.', 'bakery'],
    ['```\nI am 37 and weigh 92 kg.\n```\nMake me a plan, those are my stats.', '92 kg'],
    ['帮我润色我写给老师的信：我儿子周五要做牙齿矫正。', '牙齿矫正'],
    ['Ich schreibe meiner Vermieterin: Seit Montag ist bei mir die Heizung kaputt.', 'Heizung'],
  ])('is theirs: “%s”', (text, own) => expect(maskUnspoken(text)).toContain(own))

  it.each([
    'Rate my novel: I killed my first goose at seven.',
    'My mail from the landlord: I live alone on the ground floor.',
  ])('is not theirs where they made it up or received it: “%s”', (text) =>
    expect(maskUnspoken(text)).not.toMatch(/goose|alone/),
  )
})
