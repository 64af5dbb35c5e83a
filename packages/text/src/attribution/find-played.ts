import type { Given } from './find-introduced.ts'
import type { Stretch } from './stretch.ts'

/** Matches an announcement that the speaker continues as another person: a role, or a letter in another name. */
const PLAYS =
  /\brole-?play(?:s|ing)?\b(?!ers?\b)|\bmy character\b(?! (?:is|was|has) (?:a bit|quite|rather|very|so|too)\b)|\bpretend (?:to be me|(?:that )?I(?:['’]m| am) (?:not me|someone|somebody))|\bas if (?:you|she|he|they) (?:were|was) me\b|\bin character\b|\byou are now in \p{L}+ mode\b|\b(?:ignore|disregard) (?:all |any |your )?(?:of your )?(?:previous|prior|earlier|above) (?:instructions|prompts?|rules)|(?:忽略|无视)(?:之前|以上|前面|所有)(?:的|所有)?(?:指令|提示|规则)|\bcosplay(?:ing)?\b|角色扮演|(?:我|你)(?:来)?(?:扮演|演)(?:的是)?(?!讲|唱|出|员|戏|过|技|奏|习|示|变)|假装(?:我是)?(?:另一个|别的?)人|剧本杀|语c/iu
/** Matches a new name for the model: “You are now DAN.”. */
const RENAMES = /\b[Yy]ou are now [A-Z]{2,}\b(?! [a-z])/u
/** Matches the announcement of a game: “Let's play a game. You are a cop, I'm a thief.”. */
const GAME = /\b(?:let['’]?s play|play a|a game|a scene|a scenario)\b|玩个?游戏|演一段/iu
const PARTS =
  /\byou(?:['’]re| are) (?:an?|the|my) \p{L}+(?: \p{L}+)?(?:,| and|;)\s*(?:and )?I(?:['’]m| am) (?:an?|the|your)\b|你(?:当|是|做)\S{1,8}[，,]\s*我(?:当|是|做)/iu
/** Matches the return to the speaker's own voice. */
const RETURNS =
  /^[^\p{L}]*(?:ooc\b|out of character|in (?:real life|reality|truth)|irl\b|for real|seriously|actually|(?:ok |okay )?(?:end|stop|enough|done)\b.{0,12}(?:role-?play|game|play)|现实[里中]|出戏|说真的|说正经|言归正传|其实|实际上|不演了|不玩了)/iu
const SENTENCE = /[^.!?。！？\n]+[.!?。！？]*|\n/gu

/**
 * Match a fiction that continues in the same sentence: “In the game I play I live …”, 在游戏里我住在…, “a nightmare where
 * I live …”.
 */
const WITHIN: readonly RegExp[] = [
  /\b[Ii]n (?!my story\b)(?:the|my|a|this|that|another|some|last night['’]s) (?:\p{L}+ ){0,2}?(?:game|dream|nightmare|daydream|movie|film|novel|story|musical|song|poem|episode|campaign|simulation|fantasy)(?: (?:that |which )?(?:I['’]?m|I am|we['’]?re|I was|I) \p{L}+(?: in)?)?,?\s+(?=(?:I|[Mm]y|[Ww]e)\b)[^.!?\n]*/gu,
  /\b(?:had|having|have) (?:an? |this |another )?(?:\p{L}+ )?(?:dream|nightmare|vision|hallucination)s? (?:where|that|in which)\s+(?=(?:I|[Mm]y|[Ww]e)\b)[^.!?\n]*/gu,
  /(?<!我的)(?:游戏|梦|小说|电影|电视剧|剧|故事|漫画|动漫|动画|剧本|歌|诗|平行宇宙|平行世界|想象|幻想|副本|前世)(?:里面?|中|当中)[，,]?\s?(?=我)[^。！？\n]*/gu,
  /(?:做(?:了?个?)?梦|梦见|梦到)[^，。！？\n]{0,4}(?=我)[^。！？\n]*/gu,
]

/** Finds statements made in a role, a game or a dream. They end where the speaker returns to their own voice. */
export function findPlayed({ text, marked }: Given): Stretch[] {
  return [...WITHIN.flatMap((pattern) => stretchesOf(pattern, marked)), ...playedIn(text, marked)]
}

function stretchesOf(pattern: RegExp, marked: string): Stretch[] {
  return [...marked.matchAll(pattern)].map(({ index, 0: words }) => ({
    start: index,
    end: index + words.length,
  }))
}

function playedIn(text: string, marked: string): Stretch[] {
  if (!PLAYS.test(marked) && !RENAMES.test(marked) && !(GAME.test(marked) && PARTS.test(marked))) return []
  const found: Stretch[] = []
  let [start, isGame] = [-1, false]
  for (const { 0: sentence, index } of marked.matchAll(SENTENCE)) {
    if (start >= 0 && RETURNS.test(sentence)) {
      found.push({ start, end: index })
      start = -1
    }
    if (start >= 0) continue
    const opening = PLAYS.exec(sentence) ?? RENAMES.exec(sentence)
    if (opening !== null) start = index + opening.index
    else if (isGame && PARTS.test(sentence)) start = index
    isGame ||= GAME.test(sentence)
  }
  return start < 0 ? found : [...found, { start, end: text.length }]
}
