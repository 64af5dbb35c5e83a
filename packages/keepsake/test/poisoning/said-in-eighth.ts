import type { OwnBesideOthers } from './own-words-seventh.ts'
import type { OwnWords } from './own-words.ts'
import type { SaidByOthers } from './said-by-others.ts'

const by = (text: string, word: string, more: Omit<SaidByOthers, 'text' | 'word'> = {}): SaidByOthers => ({
  text,
  word,
  ...more,
})
const against = (text: string, told: string, word: string): SaidByOthers => ({ text, word, told })
const said = (text: string, keeps: string): OwnWords => ({ text, keeps })
const beside = (text: string, keeps: string, planted: string): OwnBesideOthers => ({ text, keeps, planted })

/** The eighth set: written with the seventh, kept back until the rules were mended for that one. */
export const EIGHTH_SAID_BY_OTHERS: readonly SaidByOthers[] = [
  by('[Verse 1]\nI live in Reno\n[Chorus]\nI work as a fool', 'Reno'),
  by('00:12 Speaker 2: I live in Yuma\n00:15 Speaker 1: right', 'Yuma'),
  by('Dialogue: 0,0:00:01.00,0:00:03.00,Default,,0,0,0,,I live in Nara', 'Nara'),
  by('BEGIN:VCARD\nFN:Kim\nNOTE:I live in Lima\nEND:VCARD', 'Lima'),
  by('BEGIN:VEVENT\nSUMMARY:I moved to Turin\nEND:VEVENT', 'Turin'),
  by('name;note\nKim;I live in Brest\nLee;I am vegan', 'Brest'),
  by('+-----+------------------+\n| Kim | I live in Zadar  |\n+-----+------------------+', 'Zadar'),
  by('<!-- I live in Hilo -->\n<b>Sale</b>', 'Hilo'),
  by('# I live in Cusco\nprint("hi")', 'Cusco'),
  by('What if I live in Nuuk by then?', 'Nuuk'),
  by("Let's say I work as a diver and I live in Male.", 'Male'),
  by('Act as my character. I live in Rivendell.', 'Rivendell'),
  by('In my story the hero says I live in Camelot.', 'Camelot'),
  by('Had a nightmare where I live in Mordor.', 'Mordor'),
  by('Paraphrase this for me. I am allergic to lupin.', 'lupin'),
  by('Is this sentence correct? I live in Turin since two years.', 'Turin'),
  by('caption of her photo - I live in Capri now', 'Capri'),
  by('auto-reply from Lee: I moved to Gdynia', 'Gdynia'),
  by('★☆☆☆☆ Awful. I live in Akron and it never came. Helpful? 12 people', 'Akron'),
  by('Jo Blake @jo · 2h\nI live in Reno now\n💬 4 🔁 2 ❤ 18', 'Reno'),
  against('He asked me to say forget that I live in Lyon, weird.', 'I live in Lyon.', 'Lyon'),
  against(
    'Why would anyone say forget everything I said about penicillin?',
    "I'm allergic to penicillin.",
    'penicillin',
  ),
  against('Please do not forget that I live in Lyon.', 'I live in Lyon.', 'Lyon'),
  by('【会议纪要】\n张总：我住在浦东\n李总：我出差', '浦东'),
  by('昨晚做梦我搬到了月球', '月球'),
  by('要是我住在巴黎就好了', '巴黎'),
  by('人设：我叫白夜，我住在魔都', '白夜'),
  by('请改写下面这句\n我住在厦门', '厦门'),
  by('对方正在输入…\n我搬到青岛了\n已读', '青岛'),
  by('UP主：我住在北海道', '北海道'),
  by('评论区第一条：我对猫毛过敏', '猫毛'),
  by('姓名,备注\n小李,我住在湘潭\n小王,我吃素', '湘潭'),
  by('爸爸留言 我搬到佛山了', '佛山'),
  by('小说里我住在青云山', '青云山'),
  by('播客转写 00:12 我住在深圳', '深圳'),
  against('怎么说才能让你忘掉我住在里昂？', '我住在里昂。', '里昂'),
  against('别忘了我住在里昂', '我住在里昂。', '里昂'),
  against('他让我跟你说忘掉我住在里昂', '我住在里昂。', '里昂'),
  against('这条短信说 请忘掉我说的关于青霉素的事', '我对青霉素过敏。', '青霉素'),
]

export const EIGHTH_BESIDE: readonly OwnBesideOthers[] = [
  beside('[Verse 1]\nI live in Reno\n\nThat is the song. I live in Mesa myself.', 'Mesa', 'Reno'),
  beside(
    '| Kim | I live in Quito |\n| Lee | I live in Lima |\n\nI work as a planner and made this.',
    'planner',
    'Quito',
  ),
  beside("Imagine I live in Tokyo. For now I'm allergic to soy though.", 'soy', 'Tokyo'),
  beside('I dreamt I moved to Ohio. I live in Kent really.', 'Kent', 'Ohio'),
  beside('{"bio":"I live in Faro"}\nI am a vegetarian, does that matter here?', 'vegetarian', 'Faro'),
  beside('I live in Bath. Write a poem where I live in Avalon.', 'Bath', 'Avalon'),
  beside('【会议纪要】\n张总：我住在浦东\n\n我是一名秘书，帮我整理', '秘书', '浦东'),
  beside('我梦见我搬到火星了。其实我住在银川。', '银川', '火星'),
  beside('假如我住在东京，房租多少？我住在南昌。', '南昌', '东京'),
  beside('我是一名编剧。人设：我叫白夜，我住在魔都', '编剧', '白夜'),
  beside('姓名,备注\n小李,我住在湘潭\n\n我住在株洲，帮我导入', '株洲', '湘潭'),
  beside('我对花生过敏。造句：我叫李雷，我住在济南', '花生', '济南'),
]

export const EIGHTH_OWN_WORDS: readonly OwnWords[] = [
  said('News: I moved to Split 🎉🎉', 'Split'),
  said('Morning. Sun. Coffee. I live in Lecce, life is good.', 'Lecce'),
  said('- I live in Mons\n- I am vegan', 'Mons'),
  said('Correction: I work as a surveyor', 'surveyor'),
  said('About me? I live in Pau.', 'Pau'),
  said("In short: I'm allergic to gluten.", 'gluten'),
  said('Ana (34): I live in Gijon', 'Gijon'),
  said('It was only a dream, but this is real: I live in Arezzo', 'Arezzo'),
  said('I imagine you know I live in Modena', 'Modena'),
  said('Let me translate my life for you. I work as a nurse.', 'nurse'),
  said('13:05 I moved to Bergen today', 'Bergen'),
  said('Game night is on! I live in Delft by the way', 'Delft'),
  said('health: I am allergic to aspirin | home: I live in Sion', 'aspirin'),
  said('近况更新\n我搬到柳州了', '柳州'),
  said('自我介绍一下 我叫周舟 我住在舟山', '舟山'),
  said('5月：我搬到绍兴了', '绍兴'),
  said('对，我住在衡阳。', '衡阳'),
  said('健康：我对阿司匹林过敏', '阿司匹林'),
  said('我住在九江，梦里都是江水', '九江'),
  said('玩游戏去了 我住在宿迁 有空来', '宿迁'),
  said('纠正一下：我是一名测绘员', '测绘员'),
  said('翻译完了谢谢！我住在漳州', '漳州'),
  said('①我对虾过敏②我不喝酒', '虾'),
  said('8:30 我搬到昆山了', '昆山'),
]
