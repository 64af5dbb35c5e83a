import { dashesOf, endOfParagraph, headsOf, type Given } from './find-introduced.ts'
import { isEmpty, type Stretch } from './stretch.ts'

const SAYING =
  /\b(?:says?|said|saying|tells|told|asks|asked|repl(?:ies|ied)|answers|answered|writes|wrote|texted|messaged|e-?mailed|posted|commented|tweeted|reads|states|stated|goes|shouts|shouted|yelled|whispered|claims|claimed|explains|explained|adds|added|sings|sang|announced|declared|quotes|quoted|(?:left|sent|slipped|handed|passed|gave) (?:\p{L}+ )?(?:an? )?(?:\p{L}+ )?(?:notes?|messages?|voice ?mails?|texts?|cards?|memos?|letters?)|(?:was|is|were|be|'s) (?:all )?like|according to|in (?:his|her|their) words)\b/giu
/** A dash parts off what was left to be read. */
const LEFT =
  /\b(?:left|sent|slipped|handed|passed|gave|texted|messaged|wrote) (?:\p{L}+ )?(?:an? )?(?:\p{L}+ )?(?:notes?|messages?|voice ?mails?|texts?|cards?|memos?|letters?|me|us)\b/iu
const SAYING_ZH =
  /(?:说|问道?|写道|写|回复|回答|答道|喊|表示|告诉我|发来|留言|评论|唱道|讲|声称|宣布|提到|(?:发|转|寄|传|贴|留)(?:来|过来|给我|给我们|出来|上来)?的?|(?:发|转|寄|传|贴|留|写)(?:来|给我|下|过来)?了?(?:一?[条段封张句个则份])(?:.{0,6}))(?:了|道|过|的是|我)?$/u
const OWN =
  /(?:^|[^\p{L}])(?:I|we|me|let)(?:['’]\p{L}+)?(?:\s+(?:\p{L}+ly|also|just|then|have|had|already|always|even|would|will|should|must|can|once|always|often|to|am|was))*\s*$/iu
const OWN_ZH =
  /(?:我|我们|咱|咱们)(?:也|就|还|想|要|都|先|再|刚|刚才|昨天|只|得|必须|跟你|和你|对你|老实|已经|之前)*$|(?:别|老实|不瞒[你您]|坦白|实话|听我|[跟和对][你您]|话|比如|比方|也就是|就是|可以|不用|应该|来|换句话|虽|理|怎么|直|好)$/u
/** What follows begins as if the speaker spoke. */
const AS_IF_OWN =
  /^\s{0,2}(?:I\b|I['’]|[Mm]y\b|[Ww]e\b|[Oo]ur\b|我|(?:[Pp]lease )?(?:forget|delete|erase|remove|ignore|remember|don['’]t)\b|\p{Lu}|[请忘删别])/u
/** “…, said Max.” behind what was said. */
const SAID_AFTER =
  /[,，]\s*(?:(?:said|says|wrote|writes|told|asked|replied|added|explained)\s+(?!I\b)(?:\p{Lu}|the |my |our |his |her |he\b|she\b|they\b)[^,，]{0,60}|(?!I\b|we\b)(?:he|she|they|\p{Lu}\p{L}+|(?:my|the|our|his|her) \p{L}+)\s+(?:says|said|wrote|writes|told|replied|added|explained|texted)(?:\s+(?:me|us|him|her|them|everyone|yesterday|today|once|to \p{L}+|in \p{L}+ \p{L}+))*|(?:(?!我)\p{Script=Han}){1,4}(?:说|写道|告诉我))\s*$/u

/**
 * What somebody else said, led in to by a verb of saying: “Max said: …” to the end of the line, of the text where it begins on the next; behind a comma to the sentence's. What one said
 * oneself is one's own.
 */
export function findReported(given: Given): Stretch[] {
  return [...afterColon(given), ...withinSentences(given)]
}

function afterColon({ marked, lines }: Given): Stretch[] {
  const found: Stretch[] = []
  for (const [at, line] of lines.entries()) {
    for (const head of [...headsOf(line), ...dashesOf(line)]) {
      if (!isReport(head.text.trimEnd()) || (head.isDash === true && !LEFT.test(head.text))) continue
      const isBelow = line.text.slice(head.end - line.start).trim() === ''
      const next = lines.findIndex((one, place) => place > at && !isEmpty(one))
      const end = !isBelow
        ? line.end
        : next < 0
          ? line.end
          : isListed(lines[next]?.text ?? '')
            ? endOfParagraph(lines, next)
            : marked.length
      found.push({ start: head.end, end })
      break
    }
  }
  return found
}

function isListed(line: string): boolean {
  return /^\s*(?:[-*•·]|\d+[.)、])\s*/.test(line)
}

function isReport(head: string): boolean {
  const saying = [...head.matchAll(SAYING)].at(-1)
  if (saying !== undefined && head.length - saying.index - saying[0].length <= 60)
    return (
      !OWN.test(head.slice(0, saying.index)) &&
      !/^\s*(?:that|which|all)? ?(?:being |having )?(?:says|said)\b/i.test(head)
    )
  const sayingZh = SAYING_ZH.exec(head)
  return sayingZh !== null && !OWN_ZH.test(head.slice(0, sayingZh.index))
}

function withinSentences({ marked }: Given): Stretch[] {
  const found: Stretch[] = []
  for (const { 0: sentence, index } of marked.matchAll(/[^.!?。！？\n]+/gu)) {
    // Spaces at its end stand for what was quoted there: then that is what was said.
    if (!/\s{3}$/.test(sentence) && SAID_AFTER.test(sentence))
      found.push({ start: index, end: index + sentence.length })
    const comma = reportingComma(sentence)
    if (comma >= 0) found.push({ start: index + comma, end: index + sentence.length })
  }
  return found
}

/** Behind which comma somebody else is quoted without marks: “Max told me, I live in Rome and my name is Max”. */
function reportingComma(sentence: string): number {
  for (const { index } of sentence.matchAll(/[,，]/g)) {
    const head = sentence.slice(Math.max(0, index - 100), index).trimEnd()
    const endsInSaying =
      /(?:\b(?:says?|said|tells|told (?:me|us|him|her|them|everyone)|repl(?:y|ies|ied)|answered|wrote|writes|texted|shouted|yelled|whispered|announced)|说|写道|回答|喊|告诉我|表示)$/iu
    if (endsInSaying.test(head) && AS_IF_OWN.test(sentence.slice(index + 1)) && isReport(head))
      return index + 1
  }
  return -1
}
