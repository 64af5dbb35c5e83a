import type { OwnWords } from './own-words.ts'

const said = (text: string, keeps: string): OwnWords => ({ text, keeps })

/** A turn in which a person's own statement stands beside somebody else's. */
export interface OwnBesideOthers extends OwnWords {
  /** A word of what is not theirs. */
  readonly planted: string
}
const beside = (text: string, keeps: string, planted: string): OwnBesideOthers => ({ text, keeps, planted })

/** Own words and others' in one turn. Written before any rule was read or tried on them. */
export const SEVENTH_BESIDE: readonly OwnBesideOthers[] = [
  beside(
    "I live in Turku now. Here's what my landlord wrote:\n\nDear tenant,\nI live in Vaasa and my name is Pekka.",
    'Turku',
    'Vaasa',
  ),
  beside(
    "Subject: hi\n\nI moved to Kiel, your aunt\n\n----\nThat's from my aunt. Me, I live in Essen.",
    'Essen',
    'Kiel',
  ),
  beside("lol look\n> I am allergic to soap\nunlike him, I'm allergic to cashews", 'cashew', 'soap'),
  beside('Kim: I live in Ghent\nKim: come over\n\nanyway, I work as a tailor', 'tailor', 'Ghent'),
  beside('My name is Nadia. Translate this: I live in Split.', 'Nadia', 'Split'),
  beside('I am vegan. The recipe blog says: I am allergic to eggs so I use flax.', 'vegan', 'eggs'),
  beside('<p>I live in Graz</p>\n\nBy the way I work as a carpenter.', 'carpenter', 'Graz'),
  beside("```\n// I live in Lund\n```\nI'm allergic to kiwi by the way, unrelated", 'kiwi', 'Lund'),
  beside(
    'Just moved: I live in Trieste. Poem for the party:\n\nI live in Neverland\nI work as a dreamer\nand so on',
    'Trieste',
    'Neverland',
  ),
  beside(
    '[18:02] Bo: I live in Ulm\n[18:03] me: cool\n\nI work as a vet, should I answer him?',
    'vet',
    'Ulm',
  ),
  beside(
    'I work as a pilot and here is our crew table:\n| name | bio |\n|---|---|\n| Al | I live in Reno |',
    'pilot',
    'Reno',
  ),
  beside(
    "Please remember that I am allergic to nickel. The nurse's form reads: I am allergic to zinc",
    'nickel',
    'zinc',
  ),
  beside(
    '1\n00:00:01,000 --> 00:00:04,000\nI live in Oslo now.\n\nThese are my subtitles, I work as an editor.',
    'editor',
    'Oslo',
  ),
  beside('我住在温州。房东发来的：我住在台州，我姓陈。', '温州', '台州'),
  beside('转发：\n我对牛奶过敏\n\n我自己对芒果过敏', '芒果', '牛奶'),
  beside('老王：我搬到泉州了\n老李：恭喜\n\n对了我是一名会计', '会计', '泉州'),
  beside('我叫林夕。帮我翻译：我住在首尔。', '林夕', '首尔'),
  beside('「小红：我住在澳门」\n- - - - -\n我住在珠海，离她很近', '珠海', '澳门'),
  beside('我对虾过敏，菜谱上写：我对鸡蛋过敏所以用豆腐', '虾', '鸡蛋'),
  beside('<div>我住在大庆</div>\n我是一名电工，帮我看看这段网页', '电工', '大庆'),
  beside('//@小明：我住在长沙\n我自己住在株洲', '株洲', '长沙'),
  beside('截图里写着：我是一名演员\n\n我是一名导演，跟他合作', '导演', '演员'),
  beside('我住在中山。歌词：\n我住在云端\n我叫风', '中山', '云端'),
  beside(
    '1\n00:00:01,000 --> 00:00:03,000\n我住在敦煌。\n\n这是我做的字幕，我是一名剪辑师。',
    '剪辑师',
    '敦煌',
  ),
]

/** A person's own words that look like something else. Written before any rule was read or tried on them. */
export const SEVENTH_OWN_WORDS: readonly OwnWords[] = [
  said('Update: I live in Porto now 🎉', 'Porto'),
  said('📍 I moved to Ghent!!', 'Ghent'),
  said('Hi! Quick intro:\n- My name is Tara\n- I live in Derby\n- I work as a florist', 'Derby'),
  said("1) I'm allergic to nuts\n2) I hate coriander", 'nuts'),
  said('2026-03-01 I moved to Lodz', 'Lodz'),
  said('so… I live in Cadiz — long story', 'Cadiz'),
  said('Tara here. I live in Derby.', 'Derby'),
  said("ok so like, I'm allergic to cats 😿 what do I do", 'cats'),
  said('Facts about me:\n\nI live in Arles.\nI work as a baker.', 'Arles'),
  said('TL;DR: I live in Nice', 'Nice'),
  said('FYI - I am allergic to penicillin', 'penicillin'),
  said('P.S. I live in Bern now', 'Bern'),
  said('Honestly? I work as a janitor.', 'janitor'),
  said('Re your question: I live in Tallinn', 'Tallinn'),
  said('Answer to your q: I am allergic to wool', 'wool'),
  said('"Home" is complicated: I live in Genoa but my heart is elsewhere', 'Genoa'),
  said('My address changed → I live in Aachen now', 'Aachen'),
  said('i live in leeds\ni work as a plumber\ni hate rain', 'leeds'),
  said('Yes. I live in Lille. No, I am not married.', 'Lille'),
  said('(I live in Jaca, in case that matters)', 'Jaca'),
  said("To answer 1 & 2 — I live in Bonn; I'm allergic to bees.", 'Bonn'),
  said('My husband Bob says hi :) I live in Ely btw', 'Ely'),
  said("It's Kim! I moved to Utrecht.", 'Utrecht'),
  said('Note to self (and you): I am allergic to ibuprofen', 'ibuprofen'),
  said("As for food: I'm vegetarian.", 'vegetarian'),
  said('Job: I work as a roofer. Home: I live in Bury.', 'Bury'),
  said("I don't need the email anymore. I live in Varna now.", 'Varna'),
  said('After that movie I feel seen. I work as a nurse.', 'nurse'),
  said('Thanks for the summary! I live in Kaunas by the way', 'Kaunas'),
  said("ok here's me in 3 lines\nI live in Oban\nI work as a diver\nI am vegan", 'Oban'),
  said('我最近搬到苏州了🎉', '苏州'),
  said('个人情况：我住在佛山', '佛山'),
  said('1、我对花生过敏 2、我不吃辣', '花生'),
  said('3月1号 我搬到南通了', '南通'),
  said('跟你说个事 我是一名律师', '律师'),
  said('我叫阿珍 我住在惠州 我对芒果过敏', '惠州'),
  said('更新一下：我搬到无锡了', '无锡'),
  said('回答你刚才的问题：我住在镇江', '镇江'),
  said('补充：我是一名护士', '护士'),
  said('说真的我对酒精过敏你别推荐了', '酒精'),
  said('“家”对我来说就是扬州，我住在扬州', '扬州'),
  said('嗨～我是小雨，我住在芜湖', '芜湖'),
  said('先说重点——我对头孢过敏', '头孢'),
  said('以下是我的情况\n我住在襄阳\n我是一名教师', '襄阳'),
  said('我的近况\n- 搬家了 我住在宜昌\n- 换工作了 我是一名厨师', '宜昌'),
  said('老公说随便，我对海鲜过敏所以不行', '海鲜'),
  said('今天周五 晴 我搬到珠海了', '珠海'),
  said('（我住在台州，仅供参考）', '台州'),
  said('PS 我住在嘉兴', '嘉兴'),
  said('不用翻译了，我住在金华', '金华'),
  said('看完电影好感动 我是一名护士 懂她', '护士'),
  said('其实吧…我是一名保安', '保安'),
  said('我住在潍坊！我住在潍坊！重要的事说两遍', '潍坊'),
  said('我住在赣州\n我对鸡蛋过敏\n我喜欢爬山', '赣州'),
  said('嗯嗯 对的 我住在绵阳', '绵阳'),
  said('报告！我搬到遂宁啦', '遂宁'),
  said('谢谢你的总结。我住在泸州。', '泸州'),
  said('我的名字：我叫陈一', '陈一'),
  said('换个话题，我是一名会计', '会计'),
  said('上次那封邮件不用管了，我搬到咸阳了', '咸阳'),
]
