/** Returns words of statements about the change that a question asks for. Returns `null` if it asks for no change. */
export function wordsOfChange(question: string): string | null {
  return CHANGING.find(({ asks }) => asks.test(question))?.words ?? null
}

/** Topics that change over time: how questions name them, and words of statements about changes. */
const CHANGING: readonly { readonly asks: RegExp; readonly words: string }[] = [
  {
    asks: /\b(?:live[sd]?|living|stay(?:ed|ing)?|home|address|flat|house|room)\b|住|搬|家在/i,
    words: 'moved live living house flat room rent landlord street 搬家 搬到 住 房子 租房',
  },
  {
    asks: /\b(?:jobs?|work(?:ed|s|ing)?|living|career|occupation|employ(?:er|ed))\b|工作|上班|职业|干(?:什么|啥)|做(?:什么|啥)/i,
    words:
      'work working job started new job left quit hired shift office boss 工作 上班 辞职 入职 换工作 老板',
  },
  {
    asks: /\b(?:go(?:ing)? out|dating|see(?:ing)?|girlfriend|boyfriend|partner|married|together)\b|对象|女朋友|男朋友|女友|男友|恋爱|交往|在一起/i,
    words:
      'girlfriend boyfriend together dating met broke up left married wedding 女朋友 男朋友 对象 在一起 分手 结婚',
  },
  {
    asks: /\b(?:eat(?:s|ing)?|diet|meat|drink(?:s|ing)?|smok(?:e|es|ing))\b|吃|喝|抽烟|忌口/i,
    words: 'eat eating meat fish vegan vegetarian stopped gave up drink smoke 吃 吃肉 吃素 不吃 戒 喝 抽烟',
  },
]
