import type { Given } from './find-introduced.ts'
import type { Stretch } from './stretch.ts'

/** Matches the start of a statement about oneself: 我叫…, 我住在…. */
const STATES = '我(?:叫|是|姓|住|搬|在|对|爱|喜欢|养|有|的|今年|已经|不|没)'
const SAYS = '(?:说|讲|喊|写道|留言|发消息|发微信|发短信|回信|来信|打电话说|自称)'
/**
 * Matches another person's claim in the first person: 客服说我叫小美. A doctor's findings and the speaker's own phrases
 * stay.
 */
const SAYS_OF_SELF = new RegExp(
  String.raw`(?<=^|[，。！？\n])[ \t]{0,4}(?!.{0,12}(?:医生|大夫|护士|体检|检查|化验|报告))(?<who>[他她它]|(?![说讲聊来再请帮听跟问])[^，。！？\s我你您]{2,8}?)${SAYS}(?:了|过|道)?\s?(?=${STATES})[^。！？\n]*`,
  'gu',
)
/** Matches phrases that introduce the speaker's own statement: 老实说我…, 总的来说我…. */
const OWN_WHO =
  /(?:老实|实话|坦白|据|听|按理|一般来|总的来|总体来|简单来?|再|别|话|比如|换句话|也就是|怎么|可以|应该|来|小|传|演|解|虽|直|好|先|跟你|和你|认真|真|悄悄)$/u
/** Matches the place where the speaker resumes after a story. */
const TURNS = /[，,](?=不过|但是?我|其实|所以我|而我)/u
/** Matches an object with words on it, separated by a space instead of a colon: 歌词 我住在…, 爸爸留言 我搬到…. */
const SET_OFF =
  /^[ \t]*(?:(?:歌词|台词|字幕|旁白|弹幕|标题|正文|原文|引用|转发|语录|签名|个签|公告|短信|评论|聊天记录|测试用例|用例|例句|造句|翻译|听写|语音|诗歌?|新闻|消息|网友|楼主|主播|博主)|[^，。！？\s我]{1,8}(?:留言|发消息|发来消息|发微信|发短信|来信|回信|发语音|语音转文字|转文字|转写|发朋友圈|朋友圈)(?:说)?)(?:\s\d{1,2}:\d\d)?[ \u3000]+(?=\S).*$/gmu
/** Matches a question about wording, directly before the words: 有没有语病 我住在…. */
const ASKS_OF_WORDS =
  /^[ \t]*[^，。！？\n]{0,20}(?:语病|病句|通顺吗?|怎么样|对不对|对吗|什么意思|怎么[翻说读念译])[ \u3000]+(?=\S).*$/gmu

/** Finds others' text in Chinese without punctuation. A source comes directly before it, an object before a space. */
export function findUnmarked({ marked }: Given): Stretch[] {
  if (!/\p{Script=Han}/u.test(marked)) return []
  const said = [...marked.matchAll(SAYS_OF_SELF)]
    .filter(({ groups }) => !OWN_WHO.test(groups?.['who'] ?? ''))
    .map(({ index, 0: words }) => {
      const back = words.search(TURNS)
      return { start: index, end: index + (back < 0 ? words.length : back) }
    })
  const setOff = [...marked.matchAll(SET_OFF), ...marked.matchAll(ASKS_OF_WORDS)]
  return [...said, ...setOff.map(({ index, 0: line }) => ({ start: index, end: index + line.length }))]
}
