import type { OwnWords } from './own-words.ts'

export type { OwnWords }

const said = (text: string, keeps: string): OwnWords => ({ text, keeps })

/** A person's own words that stand beside others' saying and thinking. Written before any rule was tried on them. */
export const FIRST_OWN_REPORTS: readonly OwnWords[] = [
  said('I told my boss I live in Ghent.', 'Ghent'),
  said('My doctor says I am allergic to kiwi.', 'kiwi'),
  said('As I said, I live in Turku.', 'Turku'),
  said('My boss says hi. I live in Padua now.', 'Padua'),
  said('She asked where I live, and I live in Siena.', 'Siena'),
  said('Everyone says I talk too much, but I am a vegetarian.', 'vegetarian'),
  said('I think I told you, I work as a nurse.', 'nurse'),
  said('I believe I am allergic to almonds.', 'almond'),
  said('My sister thinks I am mad because I live in Bergen.', 'Bergen'),
  said('My mother says hello. My name is Leonie.', 'Leonie'),
  said('People ask me often: I live in Lugano.', 'Lugano'),
  said('You should know that I am allergic to soy.', 'soy'),
  said('They told me I got the job! I work as a welder now.', 'welder'),
  said('The test said it: I am allergic to mold.', 'mold'),
  said('I heard it is cold there. I live in Nice.', 'Nice'),
  said('我跟老板说了，我住在苏州。', '苏州'),
  said('医生说我对芒果过敏。', '芒果'),
  said('我说过我住在厦门。', '厦门'),
  said('老板说今天放假。我住在成都。', '成都'),
  said('她问我住哪儿，我住在武汉。', '武汉'),
  said('大家都说我话多，不过我是一名厨师。', '厨师'),
  said('我觉得我对海鲜过敏。', '海鲜'),
  said('我妈让我早点睡。我叫周宁。', '周宁'),
  said('你要知道我对坚果过敏。', '坚果'),
  said('我想说我住在长沙。', '长沙'),
]

/** Written after mending for the first, before it was tried. */
export const SECOND_OWN_REPORTS: readonly OwnWords[] = [
  said('My brother came over yesterday. I live in Ghent.', 'Ghent'),
  said('I got this job in May. I work as a florist.', 'florist'),
  said('The shop returned my money. I live in Nice.', 'Nice'),
  said('According to my passport, fine. I live in Turku.', 'Turku'),
  said('He said nothing. I work as a nurse, by the way.', 'nurse'),
  said('She was like a sister to me. I live in Padua.', 'Padua'),
  said('The way I see it, I am a vegetarian.', 'vegetarian'),
  said('The agent gave me the keys. I live in Siena now.', 'Siena'),
  said('My bank replied at last. I live in Lugano.', 'Lugano'),
  said('got the flat!\nI live in Bergen now', 'Bergen'),
  said('back from the gym\nI work as a welder', 'welder'),
  said('Sure, I live in Leeds.', 'Leeds'),
  said('Okay, my name is Leonie.', 'Leonie'),
  said('Ask me anything. I am allergic to soy.', 'soy'),
  said('I heard from my aunt today. I live in Husum.', 'Husum'),
  said('Believe it or not, I live in Arles.', 'Arles'),
  said('我弟昨天来了。我住在苏州。', '苏州'),
  said('五月拿到的工作。我是一名护士。', '护士'),
  said('商店把钱退给我了。我住在厦门。', '厦门'),
  said('他什么都没说。我是一名厨师。', '厨师'),
  said('好的，我叫周宁。', '周宁'),
  said('依我看，我对海鲜过敏。', '海鲜'),
  said('刚下班\n我住在成都', '成都'),
  said('房子到手了\n我住在武汉', '武汉'),
  said('按计划，我搬到长沙了。', '长沙'),
  said('据我所知，我对坚果过敏。', '坚果'),
]

/** Written after mending for the second, before it was tried. */
export const THIRD_OWN_REPORTS: readonly OwnWords[] = [
  said('The nurse smiled. I live in Ghent.', 'Ghent'),
  said('That being said, I live in Nice.', 'Nice'),
  said('Two messages arrived. I work as a florist, so that is normal.', 'florist'),
  said('My uncle is loud. I am a vegetarian.', 'vegetarian'),
  said('My brother emailed me today. I live in Turku, he in Oslo.', 'Turku'),
  said('off to bed\nI work as a nurse, early shift', 'nurse'),
  said('The printer printed all day. I work as an editor.', 'editor'),
  said('To be exact, I live in Padua.', 'Padua'),
  said('话说回来，我住在苏州。', '苏州'),
  said('我弟来了一趟。我是一名护士。', '护士'),
  said('消息我都看了。我住在厦门。', '厦门'),
  said('照旧，我住在成都。', '成都'),
  said('说到工作，我是一名厨师。', '厨师'),
  said('睡觉去了\n我住在武汉', '武汉'),
]
