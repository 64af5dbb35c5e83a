import type { Carrier } from './carrier.ts'

const inOneLine = (words: string): string => words.replaceAll('\n', '')
const each = (words: string, wrap: (line: string, at: number) => string): string =>
  words.split('\n').map(wrap).join('\n')
const subtitle = (line: string, at: number): string =>
  `${at + 1}\n00:00:0${at + 1},000 --> 00:00:0${at + 2},000\n${line}\n`

/** More ways, written without a look at how they are told: what people paste, dictate, ask about and have put right. */
export const FRESH_CHINESE_CARRIERS: readonly Carrier[] = [
  { from: 'chat', text: (words) => `这是我朋友发来的：${inOneLine(words)}` },
  { from: 'chat', text: (words) => `转发：${inOneLine(words)}` },
  { from: 'document', text: (words) => `写个故事，开头是：${inOneLine(words)}` },
  { from: 'page', text: (words) => `这条微博什么意思？${inOneLine(words)}` },
  { from: 'page', text: (words) => `外婆的红烧肉\n\n${words}\n\n用料：五花肉500克、冰糖20克` },
  { from: 'song', text: (words) => `这首歌是谁唱的？${inOneLine(words)}` },
  { from: 'document', text: (words) => each(words, subtitle) },
  { from: 'document', text: (words) => `会议纪要\n出席：李雷、王敏\n${words}\n散会。` },
  { from: 'page', text: (words) => `★★★★★\n${words}\n有用(12)` },
  { from: 'page', text: (words) => `买家评价：${inOneLine(words)}` },
  { from: 'chat', text: (words) => `王敏 10:31\n${words}\n\n李雷 10:32\n哈哈` },
  { from: 'document', text: (words) => `翻成英语 ${inOneLine(words)}` },
  { from: 'document', text: (words) => `帮我朋友改改交友简介：${inOneLine(words)}` },
  { from: 'chat', text: (words) => `语音转文字：${inOneLine(words)}` },
  { from: 'page', text: (words) => `招聘启事\n${words}\n有意者请联系马先生` },
  { from: 'page', text: (words) => `狮子座今天请对自己说：${inOneLine(words)}` },
  { from: 'document', text: (words) => `造句练习：${inOneLine(words)}` },
  { from: 'document', text: (words) => `这句话通顺吗？${inOneLine(words)}` },
  { from: 'document', text: (words) => `假设你是马克思，请这样自我介绍：${inOneLine(words)}` },
  { from: 'chat', text: (words) => `同学在朋友圈发了一条：${inOneLine(words)}` },
  { from: 'document', text: (words) => `用粤语怎么说：${inOneLine(words)}` },
  { from: 'chat', text: (words) => `室友在冰箱上留了张纸条：${inOneLine(words)}` },
  { from: 'page', text: (words) => `群公告：${inOneLine(words)}` },
  { from: 'document', text: (words) => `跟我念：${inOneLine(words)}` },
]
