/** What hands a text over to be read: after it stands somebody's text, not the speaker's own word. */
const HANDED_OVER =
  /\b(?:summari[sz]e|translate|proofread|rewrite|rephrase|edit|correct|shorten|analy[sz]e|explain|reply to|answer|read|check|review|(?:this|the|following|below|an?) (?:page|article|e-?mail|mail|message|letter|text|post|story|transcript|chat|document|doc|note|paragraph|passage|review|essay|draft|log|excerpt|website|web ?page|form|cv|bio)|forwarded|fwd|copied|pasted|wrote|writes|here(?:[’']s| is) (?:what|the|a|an))\b[^\n]{0,80}[:：]|(?:总结|概括|翻译|润色|改写|改一?下|缩写|分析|解释|看看|看一?下|读一?下|回复|检查|校对|转发|原文|如下|以下|下面|这(?:篇|封|段|条|份|则)|那(?:篇|封|段|条|份|则)|网页|文章|邮件|聊天记录|作文|日记|故事)[^\n]{0,40}[:：]/i
/** So many lines are a document more often than talk. */
const LINES_OF_DOCUMENT = 8

/**
 * Whether words stand in what a turn may only hand over, a page or a mail or somebody's talk, without marks that would say so: behind
 * words that introduce it, or among many lines. Rules cannot tell more; a reader of the talk can.
 *
 * @param quote words of the turn; `null` for all of it
 */
export function mayBePasted(text: string, quote: string | null): boolean {
  const at = quote === null ? text.length : text.indexOf(quote)
  const handed = HANDED_OVER.exec(text)
  if (handed !== null && handed.index + handed[0].length <= at) return true
  return text.split('\n').filter((line) => line.trim() !== '').length >= LINES_OF_DOCUMENT
}
