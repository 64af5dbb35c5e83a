// Counts words that mark an end, a change or a continuation: cues of the update classifier, whose weights are trained.
/** The meaning of a cue word for its context. */
export type Cue = (typeof CUES)[number]
export const CUES = ['denies', 'ends', 'changes', 'now', 'before', 'keeps', 'plans', 'forgets'] as const

const ENGLISH: Readonly<Record<Cue, string>> = {
  denies: `no not never nor neither none nobody nothing without hardly isnt arent wasnt werent dont doesnt didnt wont cant
    couldnt havent hasnt hadnt`,
  ends: `stop stopped stopping stops quit quits quitting give\\s(?:it\\s)?up gave\\s(?:\\w+\\s)?up given\\s(?:\\w+\\s)?up giving\\sup
    over finished finish ended ends ending done\\swith through\\swith gone lost lose losing leave leaves leaving left resign resigned
    resigning retire retired retiring cancel cancelled canceled cancelling called\\soff call\\soff off dropped drop dropping
    dropped\\sout sold sell selling closed closes closing shut broke\\sup broken\\sup split\\sup separated divorced died dead
    death passed\\saway buried recovered cured healed rid threw\\sout thrown\\sout got\\srid returned gave\\sback
    handed\\sin handed\\sback packed\\sin pulled\\sout backed\\sout fell\\sthrough expired deleted scrapped abandoned
    no\\slonger any\\s?more any\\slonger last\\sday laid\\soff fired moved\\sout ran\\saway broke broken worn\\sout`,
  changes: `change changed changing changes switch switched switching swap swapped swapping replace replaced replacing
    replacement instead rather\\sthan move moved moving exchange exchanged trade traded upgraded became become turned\\sinto
    took\\sover taken\\sover taking\\sover renamed transferred promoted postponed pushed\\sback rescheduled brought\\sforward
    different another other\\sthan new converted shifted in\\sits\\splace turns\\sout turned\\sout actually mistaken wrong`,
  now: `now nowadays these\\sdays currently today since as\\sof from\\snow\\son lately recently already finally at\\slast
    just started start starting begin began begun taken\\sup took\\sup picked\\sup joined`,
  before: `used\\sto formerly previously before former old ex back\\sthen once ago earlier until`,
  keeps: `still always again usual usually as\\sever every often same keep keeps keeping kept continue continues`,
  plans: `will going\\sto gonna plan planning plans might maybe perhaps would could thinking\\sof considering hope want wish if`,
  forgets: `forget delete erase remove strike scratch disregard drop\\sit don'?t\\sremember don'?t\\smention keep\\sout unsay off\\sthe\\srecord`,
}

const CHINESE: Readonly<Record<Cue, string>> = {
  denies: `不 没 别 无 未 非 甭 勿`,
  ends: `不再 停了 停掉 停止 停 戒了 戒掉 戒 辞了 辞职 辞掉 离职 退了 退掉 退出 退休 退学 取消 放弃 结束 卖了 卖掉 卖 分手 分开 离婚 离开 搬走
    搬出 走了 去世 过世 死了 死 没了 丢了 丢 扔了 扔掉 关门 关了 倒闭 好了 痊愈 康复 送走 送人 送给 还了 断了 算了 作罢 吹了 黄了 泡汤 读完
    看完 做完 完了 到期 注销 解散 散了 拆了 坏了 不干 不做 不去 不练 不学 不用 不喝 不吃 不住 不养 不开 不想`,
  changes: `换 改 变 调到 调去 转到 转去 转学 转行 转岗 搬到 搬去 搬家 搬进 搬 升 代替 取代 接替 接手 替 推迟 提前 延到 挪 而是 另 新 别的
    原来是 其实 弄错 搞错`,
  now: `现在 如今 目前 眼下 这阵子 最近 从今 起 开始 刚 已经 终于 总算 这学期 这个月 今年`,
  before: `以前 之前 从前 原来 原先 本来 曾经 过去 早先 那时 当年 旧 老`,
  keeps: `还是 还在 仍 依然 一直 照旧 又 老是 总是 每天 每周 经常 再 继续 照常`,
  plans: `打算 准备 想 要 会 可能 也许 如果 要是 计划 希望`,
  forgets: `忘 删 抹 别记 不要记 别提 不要提 当我没 撤回`,
}

const wordsOf = (source: string): string[] => source.trim().split(/\s+/)

/** Returns the phrases of a cue: English as patterns, Chinese as plain text. */
export function phrasesOf(cue: Cue): { readonly english: string[]; readonly chinese: string[] } {
  return { english: wordsOf(ENGLISH[cue]), chinese: wordsOf(CHINESE[cue]) }
}

const ENGLISH_PATTERNS = CUES.map(
  (cue) => new RegExp(`(?<![\\p{L}\\p{N}])(?:${wordsOf(ENGLISH[cue]).join('|')})(?![\\p{L}\\p{N}])`, 'giu'),
)

/** Cues by the first word of their phrases, as bit sets: bit i stands for `CUES[i]`. */
const byFirstWord = new Map<string, number>()
/** Cues by the first letters of phrases whose first word varies, such as “any\s?more”, as bit sets. */
const byStart = new Map<string, number>()
for (const [index, cue] of CUES.entries())
  for (const phrase of wordsOf(ENGLISH[cue])) {
    const { start = '', rest = '' } = /^(?<start>[a-z]+)(?<rest>.*)$/.exec(phrase)?.groups ?? {}
    const startsWithWord = rest === '' || /^\\s(?![?*])/.test(rest)
    const cues = startsWithWord ? byFirstWord : byStart
    cues.set(start, (cues.get(start) ?? 0) | (1 << index))
  }

const WORD = /[\p{L}\p{N}]+/gu

/** Returns the cues that a text may contain, by the first words of their phrases. */
function likelyCues(read: string): number {
  let cues = 0
  for (const word of read.match(WORD) ?? []) {
    cues |= byFirstWord.get(word) ?? 0
    for (const [start, startCues] of byStart) if (word.startsWith(start)) cues |= startCues
  }
  return cues
}

/** Phrases of a cue with the same first character, in the order of matching. */
interface ChineseWords {
  readonly cue: number
  readonly words: string[]
}

const chineseByStart = new Map<string, ChineseWords[]>()
for (const [cue, name] of CUES.entries())
  for (const word of wordsOf(CHINESE[name])) {
    const start = word.charAt(0)
    const found = chineseByStart.get(start) ?? []
    chineseByStart.set(start, found)
    const sameCue = found.find((words) => words.cue === cue)
    if (sameCue === undefined) found.push({ cue, words: [word] })
    else sameCue.words.push(word)
  }

const HAN = /\p{Script=Han}/u

/** Counts the phrases of each cue from left to right, without overlaps within one cue. */
function addChinese(read: string, counts: number[]): void {
  /** By cue, the end of its last phrase. */
  const ends = CUES.map(() => 0)
  for (let index = 0; index < read.length; index += 1)
    for (const { cue, words } of chineseByStart.get(read.charAt(index)) ?? []) {
      if (index < (ends[cue] ?? 0)) continue
      const word = words.find((word) => read.startsWith(word, index))
      if (word === undefined) continue
      counts[cue] = (counts[cue] ?? 0) + 1
      ends[cue] = index + word.length
    }
}

const NOT_ASCII = /[^\0-\x7f]/

/** Returns a text in lower case, with “isn't” as “isnt not”, so that a negation is a word of its own. */
function normalise(text: string): string {
  const read = NOT_ASCII.test(text)
    ? text.normalize('NFKC').toLowerCase().replaceAll('’', "'")
    : text.toLowerCase()
  return read.includes("n't") ? read.replaceAll(/(\p{L})n't(?!\p{L})/gu, '$1nt not') : read
}

/** The number of each cue's phrases in a text, at most three. */
export type CueCounts = Readonly<Record<Cue, number>>

export function countCues(text: string): CueCounts {
  const read = normalise(text)
  const likely = likelyCues(read)
  const counts = ENGLISH_PATTERNS.map((pattern, index) =>
    (likely & (1 << index)) === 0 ? 0 : (read.match(pattern)?.length ?? 0),
  )
  if (HAN.test(read)) addChinese(read, counts)
  return Object.fromEntries(CUES.map((cue, i) => [cue, Math.min(3, counts[i] ?? 0)])) as Record<Cue, number>
}
