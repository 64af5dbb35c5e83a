/** Words by which a text turns to the machine that reads it rather than to whom it talks to. */
const INSTRUCTION = [
  /\b(?:ignore|disregard|forget|override|bypass)\b[^.!?\n]{0,40}\b(?:instructions?|prompts?|guidelines?|rules)\b/i,
  /\bsystem\s+(?:prompt|message|override|instruction)\b/i,
  /(?:^|["“‘'「『(])\s*(?:\[|<|#+\s*)?(?:system|assistant|developer)\b\s*[\]>]?\s*:/im,
  /\b(?:delete|erase|wipe|clear|remove)\b[^.!?\n]{0,40}\b(?:memory|memories|everything you know)\b/i,
  /\b(?:add|store|save|write|insert|record|output|append)\b[^.!?\n]{0,40}\b(?:memory|memories|json|database|persona sheet)\b/i,
  /(?:忽略|无视|忘掉|忘记|不要理会)[^。！？\n]{0,15}(?:指令|提示词?|规则|设定)/,
  /系统(?:提示|指令|消息|命令)|^\s*系统\s*[:：]/m,
  /(?:删除|清空|抹掉|清除)[^。！？\n]{0,12}(?:记忆|数据库|资料库)/,
  /(?:写入|存入|存进|加入|添加到|记入)[^。！？\n]{0,12}(?:记忆|数据库|资料库|JSON)/i,
]
/** People do not call themselves so. */
const OF_THE_USER =
  /\bthe user(?:'s|’s)?\s+\p{L}|^\W*user\s+(?:is|has|likes|loves|lives|wants)\b|(?<!其他|所有|新|老)用户(?:是|的|叫|喜欢|住|有|已|想)/iu

/**
 * How words stand to an instruction to this memory in their turn: `is` where they are the statement it wants stored,
 * in the third person, `after` where they only follow one; `null` where their turn holds none.
 *
 * @param quote words of the turn; `null` for all of it
 */
export function findInstruction(text: string, quote: string | null): 'is' | 'after' | null {
  const start = Math.min(...INSTRUCTION.map((pattern) => placeOf(pattern, text)))
  if (start === Number.POSITIVE_INFINITY) return null
  const end = quote === null ? text.length : text.indexOf(quote) + quote.length
  if (end <= start) return null
  return OF_THE_USER.test(quote ?? text) ? 'is' : 'after'
}

/** Whether words turn to the machine that reads them. */
export function isInstruction(text: string): boolean {
  return INSTRUCTION.some((pattern) => pattern.test(text))
}

function placeOf(pattern: RegExp, text: string): number {
  const place = text.search(pattern)
  return place === -1 ? Number.POSITIVE_INFINITY : place
}
