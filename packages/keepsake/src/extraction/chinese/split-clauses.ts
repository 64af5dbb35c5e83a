/** A clause of a Chinese sentence, with how it ends. */
export interface ChineseClause {
  readonly text: string
  readonly mark: string
}

/** Splits at commas, semicolons and stops. */
export function splitClauses(sentence: string): ChineseClause[] {
  const clauses: ChineseClause[] = []
  for (const match of sentence.matchAll(/([^，,；;。.！!？?：:～~…\n]+)([，,；;。.！!？?：:～~…\n]*)/g)) {
    const text = match[1]?.trim() ?? ''
    if (text !== '') clauses.push({ text, mark: match[2] ?? '' })
  }
  return clauses
}

const UNREAL =
  /如果|要是|假如|假设|倘若|若是|可能|也许|大概|或许|好像|应该|会不会|是不是|能不能|要不要|想象|要不|万一|差点|似乎|仿佛|恐怕|说不定|是否|据说|假装|开玩笑|的话$|除非|即使|哪怕|就算/
const ASKS = /[?？]|[吗么嘛呢]$|什么|怎么|怎样|如何|谁|哪|为何|为什么|多少|几[个点岁]|吧$/
const TAG_QUESTION = /^(?:对吗|对吧|是吗|是吧|好吗|行吗|对不对|是不是|好不好|可以吗)$/
/** 你别说, 老实说 and the like are the speaker's own. */
const REPORTED = /(?:(?<!别|老实|不瞒[你您]|坦白|实话|听我|跟[你您])说|问|告诉我?|回答|写道|喊|觉得|认为)$/

/**
 * Clauses that state something of the first person: no question, no hypothesis, nothing reported or said to the
 * listener.
 */
export function statingClauses(sentence: string): string[] {
  const clauses = splitClauses(sentence)
  if (clauses.some((clause) => TAG_QUESTION.test(clause.text))) return []
  const isHypothesis = clauses.findIndex(
    (clause) => UNREAL.test(clause.text) && !/^(?:可能|也许|大概|应该)/.test(clause.text),
  )
  return clauses.flatMap((clause, at) => {
    const before = clauses[at - 1]
    const isAsked = ASKS.test(clause.text + clause.mark)
    const isReported =
      before !== undefined &&
      (REPORTED.test(before.text) || before.mark.startsWith('：') || before.mark.startsWith(':'))
    const isSupposed = UNREAL.test(clause.text) || (isHypothesis >= 0 && at > isHypothesis)
    if (isAsked || isReported || isSupposed || /[你您妳]/.test(clause.text)) return []
    const after = clauses[at + 1]
    if (
      clause.mark.startsWith('，') &&
      after !== undefined &&
      /一[个位家种座条只部][^的]*$/.test(clause.text) &&
      OPEN_MODIFIER.test(after.text)
    )
      return []
    const goesOn =
      SUBJECT_KEPT.test(clause.text) &&
      clauses
        .slice(0, at)
        .findLast((one) => !SUBJECT_KEPT.test(one.text))
        ?.text.startsWith('我') === true
    return [goesOn ? `我${clause.text}` : clause.text]
  })
}

/**
 * 我换工作了。现在在苏州的公司当总监。: a sentence that begins with no subject goes on about the speaker, when the one
 * before is about them to its end.
 *
 * @returns the sentence with its subject, or as it is
 */
export function withSubjectOf(sentence: string, before: string | null): string {
  if (before === null || sentence.includes('我') || !GOES_ON.test(sentence)) return sentence
  const clauses = splitClauses(before)
  const isOwn =
    clauses.length > 0 &&
    clauses.every(({ text, mark }) => !/[?？]/.test(mark) && !OF_ANOTHER.test(text)) &&
    clauses.some(({ text }) =>
      /^(?:其实|对了|嗯|哦|最近|今年|上个?月|上周|昨天|今天|刚刚?)*我(?!们|的|家|妈|爸|哥|弟|姐|妹|朋友|同事|老|男|女|儿)/.test(
        text,
      ),
    )
  return isOwn ? `我${sentence}` : sentence
}
const GOES_ON =
  /^(?:现在|目前|如今|今年|已经)+(?:也|就|是)?(?:在.{2,24}?(?:当|做|担任|任|工作|上班|上学|读书|就职)|住在?|是一[名个位])/
const OF_ANOTHER =
  /他|她|它|你|您|我(?:们|的|家)?(?:妈|爸|哥|弟|姐|妹|朋友|同事|老板|老公|老婆|男友|女友|男朋友|女朋友|儿子|女儿|室友|邻居|同学)|(?:朋友|同事|老板|老公|老婆|儿子|女儿|室友|同学)$/

/** 一个风景优美，空气清新的地方: the comma stands inside what describes a noun that comes later. */
const OPEN_MODIFIER = /^[^我你他她它]{2,8}的[^我你他她它]{1,6}$/

/** 我叫小明，今年25岁: a clause without a subject keeps that of the one before; only where it can be no one else's. */
const SUBJECT_KEPT =
  /^(?:今年[0-9０-９一二三四五六七八九十]+岁|现年|来自|是一[名个位]|毕业于|住在|现在住在|在.{2,12}(?:工作|上班|上学|读书)$)/
