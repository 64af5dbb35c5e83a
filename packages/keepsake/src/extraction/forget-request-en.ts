import type { ForgetRequest } from './explicit-requests.ts'

/** Small words before a request that ask for nothing by themselves. */
const INTERJECTION = String.raw`(?:hey|ok|okay|alright|right|actually|well|oh|ah|hm+|um+|uh|er|sorry|and|also|now|so|but|no(?=[,.!-])|yes|yeah|wait|listen|look|honestly|anyway|again|then|just|kindly|by the way|btw|on second thoughts?|come to think of it|you know what|one more thing|one thing|thank you|thanks)`
const ASKING = String.raw`(?:please|pls|kindly|would you mind|(?:can|could|will|would) you|(?:can|could) i ask you to|i(?:'d| would) (?:like|love|want|prefer) (?:it if )?(?:for )?you to|i (?:want|need) you to|i'm asking you to|(?:i(?:'d| would) )?appreciate it if you(?: could| would)?|you (?:can|may))`
const OPENING = new RegExp(`^(?:(?:${INTERJECTION}|${ASKING})[\\s,.!…-]+)+`, 'i')
const IS_ASKING = new RegExp(`\\b${ASKING}[\\s,]`, 'i')
/** "Juno, please forget …": whoever is addressed. */
const ADDRESS = /^\p{Lu}[\p{L}'-]*,\s+/u

const TOLD = String.raw`(?:said|told you|mentioned|wrote|shared|brought up|confided)`
/** What points at something told before: what I said about, the part about, everything you know of. */
const TOLD_ABOUT = String.raw`(?:(?:what(?:ever)?|everything|anything|all|the things?|the stuff)(?: that)? (?:i|i've|i have)(?: just| ever)? ${TOLD}(?: to you)?(?: just now| earlier| before| yesterday)? (?:about|of|regarding|on|concerning)|what you know (?:about|of)|(?:the|that) (?:part|thing|fact|bit|stuff|story|message) (?:about|that|where|with)|(?:everything|anything|all)(?: you know)? about)`
const STATED = String.raw`that(?=\s+(?:(?:i|i'm|i've|my|we|our|he|she|they)\b|\w+ (?:is|was|has|had|lives|works|likes|loves)\b))`
const DROP =
  '(?:forget(?:ting)?|eras(?:e|ing)|delet(?:e|ing)|remov(?:e|ing)|drop(?:ping)?|disregard(?:ing)?|ignor(?:e|ing)|scratch|strik(?:e|ing)|wip(?:e|ing)|get(?:ting)? rid of)'
const KEEP = String.raw`(?:remember(?:ing)?|stor(?:e|ing)|sav(?:e|ing)|keep(?:ing)?|record(?:ing)?|hold(?:ing)? on ?to|retain(?:ing)?)`
const KEPT = String.raw`(?:remember(?:ed)?|store[d]?|save[d]?|keep|kept|record(?:ed)?|h[eo]ld on ?to|retain(?:ed)?)`
const NEVER = String.raw`(?:do not|don't|dont|not|stop|never|no need to|you (?:don't|do not) (?:need|have) to)`
const NAME = String.raw`\p{Lu}[\p{L}'-]*(?:\s\p{Lu}[\p{L}'-]*)*`
const OWN = String.raw`(?:my|our)\s.+?`

interface Form {
  readonly pattern: RegExp
  /** Needs a "please", "could you" or the like: without it the words are said every day. */
  readonly asks?: boolean
  /** Case tells a name from other words. */
  readonly named?: boolean
}

const form = (source: string, rest: Omit<Form, 'pattern'> = {}): Form => ({
  pattern: new RegExp(`^${source}[\\s.!?]*$`, rest.named === true ? 'u' : 'iu'),
  ...rest,
})

const FORMS: readonly Form[] = [
  form(
    String.raw`${DROP}\s+(?:that )?(?:i|i've)(?: ever| even| just)? (?:mentioned|brought up|told you about|said anything about|talked about|spoke about)\s+(.+?)`,
  ),
  form(String.raw`${DROP}\s+(?:${TOLD_ABOUT}|${STATED})\s+(.+?)`),
  form(
    String.raw`(?:erase|delete|remove|drop|wipe|strike|take)\s+(?:my|the|our)?\s*(.+?)\s+(?:from|out of|off) (?:your |the )?(?:memory|memories|records?|notes)`,
  ),
  form(String.raw`forget(?:ting)?\s+(?:all )?about\s+(.+?)`, { asks: true }),
  form(String.raw`forget(?:ting)?\s+(?:all )?about\s+(${OWN})`),
  form(String.raw`[Ff]orget(?:ting)?\s+(?:all )?about\s+(${NAME})`, { named: true }),
  form(String.raw`forget(?:ting)?\s+(${OWN})`, { asks: true }),
  form(String.raw`[Ff]orget(?:ting)?\s+(${NAME})`, { asks: true, named: true }),
  form(String.raw`${NEVER}\s+${KEEP}\s+(?:${TOLD_ABOUT}|${STATED}|about)\s+(.+?)`),
  // Without "please" it may be short for "I don't remember my …".
  form(String.raw`${NEVER}\s+${KEEP}\s+(${OWN})`, { asks: true }),
  form(String.raw`${NEVER}\s+(?:stor(?:e|ing)|record(?:ing)?)\s+(${OWN})`),
  form(
    String.raw`${NEVER}\s+(?:ever )?(?:bring(?:ing)? up|mention(?:ing)?|talk(?:ing)? about|speak(?:ing)? of)\s+(.+?)\s+(?:ever )?(?:again|anymore|any more)`,
  ),
  form(
    String.raw`(?:do not|don't|dont|never)\s+(?:ever )?bring\s+(.+?)\s+up\s+(?:ever )?(?:again|anymore|any more)`,
  ),
  form(String.raw`never ?mind\s+(?:about\s+)?(?:${TOLD_ABOUT})\s+(.+?)`),
  form(
    String.raw`i(?:'d| would)(?: much| really)? (?:rather|prefer(?: it)?(?: if| that)?)(?: that)? you (?:(?:didn't|did not|don't|do not|not)(?: to)? ${KEPT}|forgot|dropped|deleted|erased)\s+(?:(?:${TOLD_ABOUT}|${STATED})\s+)?(.+?)`,
  ),
  form(String.raw`i (?:don't|do not) want you to (?:${KEEP}|know)\s+(?:(?:${TOLD_ABOUT}|about)\s+)?(.+?)`),
  form(
    String.raw`(?:let's |let us |can we |could we |we can )?(?:just )?(?:pretend|act like|act as if)(?: that)? i(?:'ve| have)? ?(?:never|didn't|did not)(?: ever)? (?:mention(?:ed)?|bring up|brought up|t[eo]ld? you (?:about|that)|sa(?:id|y) (?:anything|something|a word) about|talk(?:ed)? about)\s+(.+?)`,
  ),
  form(
    String.raw`(.+?)(?:'s| is| are)(?: very| rather| quite| really| strictly)? (?:private|confidential|personal|a secret|off the record|between us|nobody's business)[,;.]?\s+(?:so\s+)?(?:and\s+)?(?:please\s+)?(?:do not|don't|dont|never) (?:remember|store|save|keep|record) (?:it|that|this|them)`,
  ),
  form(
    String.raw`(?:the (?:part|thing|bit) about|what i (?:just )?(?:said|told you) about) (.+?)(?:'s| is| was| stays)(?: strictly| all)? off the record`,
  ),
  form(String.raw`keep (?:what i (?:said|told you) about\s+)?(.+?) off the record`),
]

const LAST = String.raw`(?:(?:about )?(?:what|everything|all)(?: that)? (?:i|i've) (?:just )?(?:said|told you|wrote|mentioned)(?: just now| earlier| there)?|(?:that|my) last (?:message|turn|part|bit|thing|sentence|one)|(?:that )?i (?:ever )?(?:said|told you|mentioned|brought up|wrote) (?:that|this|it|anything|something))`
const THIS = '(?:this|that|it|any of (?:this|that|it))'
/** Of what was said last, without naming it. */
const JUST_SAID: readonly Form[] = [
  form(`${DROP} ${LAST}`),
  form(`never ?mind what i (?:just )?said`),
  form(
    String.raw`(?:do not|don't|dont|never)\s+(?:remember|store|save|keep|record)\s+(?:this|that|it|any of (?:this|that)|what i (?:just )?said)`,
  ),
  form(String.raw`(?:remember|stor(?:e|ing)|sav(?:e|ing)|keep(?:ing)?|record(?:ing)?)\s+(?:this|that|it)`, {
    asks: true,
  }),
  form(
    String.raw`i(?:'d| would)(?: much| really)? (?:rather|prefer(?: it)?(?: if| that)?)(?: that)? you (?:(?:didn't|did not|don't|do not|not) ${KEPT} ${THIS}|forgot ${LAST})`,
  ),
  form(`(?:i (?:don't|do not) want you to|no need to|you (?:don't|do not) (?:need|have) to) ${KEEP} ${THIS}`),
  form(
    String.raw`(?:let's |let us |can we |could we |we can )?(?:just )?(?:pretend|act like|act as if)(?: that)? i(?:'ve| have)? ?(?:never|didn't|did not)(?: ever)? (?:(?:mention(?:ed)?|bring up|brought up|t[eo]ld? you|sa(?:id|y)) (?:that|this|it|anything)(?: at all)?)`,
  ),
  form(`(?:pretend|act like|act as if) you (?:never|didn't|did not) hear(?:d)? ${THIS}`),
  form(String.raw`(?:strike|scratch) that(?: from (?:the|your) (?:record|memory))?(?: please)?`),
  form(
    String.raw`(?:strike|delete|erase|remove|take|wipe) (?:that|this|it) (?:from|off|out of) (?:the |your )?(?:record|records|memory|notes)`,
  ),
  form(
    String.raw`(?:that|this|it|what i (?:just )?(?:said|told you)|all (?:that|this|of that|of this))(?:'s| is| was| stays)(?: strictly| all)? off the record`,
  ),
  form('(?:this is |that was )?(?:strictly )?off the record'),
  form(`keep ${THIS} off the record`),
  form(
    String.raw`(?:that|this|it)(?:'s| is| was)(?: very| rather| quite| really| strictly)? (?:private|confidential|personal|a secret)[,;.]?\s+(?:so\s+)?(?:and\s+)?(?:please\s+)?(?:do not|don't|dont|never) (?:remember|store|save|keep|record) (?:it|that|this)`,
  ),
]

/** "Forget that!", "forget about it": said to wave something away, not to have it dropped. */
const WAVED_AWAY =
  /^(?:it|that|this|these|those|him|her|them|me|us|you|one|all|what|anything|everything|something|nothing|someone|somebody|here|there|now|today|tomorrow|to\b.*|who\b.*|everyone|everybody)$/i
/** What comes before a request makes it another's, or no request at all. */
const NOT_ASKED =
  /\b(?:if|unless|when|whenever|whether|suppose|imagine|wish|hope|wonder|until|remember|says?|said|told|tells|asked|asks|answered|replied|wrote|writes|shouted|screamed|begged|go|went|like|be|he|she|they|people)\s*[:,]?\s*$|^(?:if|unless|when|whenever|suppose|imagine|while|until)\b|\b(?:says?|said|told|tells|asked|asks|answered|replied|wrote|writes|shouted|begged)\b/i
/** The same word said in passing, to turn to something else. */
const MOVES_ON =
  /^[\s,;.–—-]*(?:and |but |so )?(?:let's|let us|we |how about|what about|what's|tell me|come on|who cares|there's|it's time|focus)/i

/** Where the object of a request ends and its reason, an aside or thanks begin. */
const ASIDE =
  /\s*(?:[;:(]|\s[-–—]+\s|[–—]|\.{3}|…|(?<!\b(?:dr|mr|mrs|ms|prof|st))[.!?]\s|\s(?:because|cause|cuz|cos|since (?=(?:it|i|he|she|they|we|you|that)\b)|as (?=(?:it|i|he|she|they|we|that)(?:'|\b))|so (?=(?:it|i|he|she|they|we|that|nobody|no)\b)|before (?=(?:it|i|he|she|they|we|someone|anyone)\b)|though|although|but|until|unless|if (?=you (?:can|could|would|don't)\b)|and (?=(?:i|it|it's|please|don't|never|let's|thanks|he|she|they|we|that)\b))).*$/iu
/** A comma of a list: "Tom, Anna and Bo"; any other begins an aside. */
const LISTS =
  /^,\s*(?:\p{Lu}[\p{L}'-]*|(?:my|the|our)\s\p{L}+)(?:,?\s+(?:and|or)\s+(?:\p{Lu}|my\s|the\s|our\s)|,\s*(?:\p{Lu}[\p{L}'-]*|(?:my|the|our)\s\p{L}+)(?:,|\s+(?:and|or)\s))/u
const CLOSING =
  /(?:[\s,]+(?:please|pls|thanks|thank you|thx|ok|okay|would you|will you|could you|can you|for me|for now|at all|altogether|completely|entirely|right now|just now|earlier|again|alright|if you (?:can|could|don't mind)))+[\s.!?]*$/i

/** Longer "sentences" are lists, logs or pasted texts; a request is short. */
const LONGEST = 500

function clean(sentence: string): string {
  return sentence
    .replace(/[‘’]/g, "'")
    .replace(/，|、/g, ', ')
    .replace(/；/g, '; ')
    .replace(/：/g, ': ')
    .replace(/。/g, '. ')
    .replace(/！/g, '! ')
    .replace(/？/g, '? ')
    .replace(/\s+/g, ' ')
    .trim()
}

/** Places at which a request can begin: the start, and after a mark or "so", "but", "and". */
function beginnings(sentence: string): number[] {
  const places = [0]
  for (const match of sentence.matchAll(/[,;:.!?…]\s+|\s[-–—]+\s|[–—]|\s(?:so|but|and)\s+/gi))
    places.push(match.index + match[0].length)
  return places
}

function withoutOpening(head: string): { words: string; asks: boolean } {
  const addressed = head.replace(ADDRESS, '')
  const from = OPENING.test(addressed) ? addressed : head
  const opening = OPENING.exec(from)?.[0] ?? ''
  return { words: from.slice(opening.length), asks: IS_ASKING.test(opening) }
}

function matchForm(one: Form, words: string, asks: boolean): RegExpExecArray | null {
  return one.asks === true && !asks ? null : one.pattern.exec(words)
}

function withoutAside(words: string): string {
  const cut = words.replace(ASIDE, '')
  for (const { index } of cut.matchAll(/,/g)) {
    if (!LISTS.test(cut.slice(index)) && !LISTS.test(cut.slice(cut.lastIndexOf(',', index - 1))))
      return cut.slice(0, index).trimEnd()
  }
  return cut
}

function objectOf(words: string): string {
  return words
    .replace(CLOSING, '')
    .replace(/\s+from (?:your )?(?:memory|records?)[\s.!?]*$/i, '')
    .replace(/[\s,.!?]+$/, '')
    .replace(/^(?:about|of|regarding)\s+/i, '')
    .trim()
}

/** The request that begins here, if any. Who says why first ("it's private, don't keep it") needs its aside. */
function readAt(head: string): ForgetRequest | null {
  const { words, asks } = withoutOpening(head)
  const bare = withoutAside(words)
  const tail = words.slice(bare.length)
  if ((BARE.test(words) && MOVES_ON.test(tail)) || TAKES_BACK_A_WORD.test(words)) return null
  return readForms(bare, asks) ?? (PRIVACY.test(bare) && bare !== words ? readForms(words, asks) : null)
}

/** "Strike that, I meant Tuesday" takes back a word, not a memory. */
const TAKES_BACK_A_WORD =
  /^(?:strike|scratch) that[\s,;–—-]+(?!please|thanks|thank|it |it's|that |from |[\s.!?]*$)/i
const BARE = /^[Ff]orget(?:ting)?\s+(?:(?:all )?about\s|\p{Lu}|my\s|our\s)/u
const PRIVACY =
  /\b(?:private|confidential|personal|a secret|off the record|between us|nobody's business)[\s.!?]*$/i

function readForms(words: string, asks: boolean): ForgetRequest | null {
  const closed = words.replace(CLOSING, '')
  const isAsked = asks || /(?:please|pls|(?:would|will|could|can) you)[\s.!?]*$/i.test(words)
  if (JUST_SAID.some((one) => matchForm(one, closed, isAsked) !== null)) return { about: null }
  for (const one of FORMS) {
    const found = (matchForm(one, closed, isAsked) ?? matchForm(one, words, isAsked))?.[1]
    if (found === undefined) continue
    const about = objectOf(found)
    if (about.length > 1 && !WAVED_AWAY.test(about)) return { about }
  }
  return null
}

const HINT =
  /forg[eo]t|eras|delet|remov|drop|disregard|scratch|strik|ignor|wipe|never ?mind|remember|stor|sav|keep|kept|record|pretend|act (?:like|as)|bring|mention|talk|speak|rid of|retain|hold|memory/i

/**
 * A request to forget in an English sentence: "forget that I live in Lyon", "please don't remember my address",
 * "let's pretend I never mentioned Anna". What is named ends where a reason or an aside begins. Everyday uses of the
 * words are none: "don't forget to call", "I forgot my keys", "forget it", "forget about dinner, let's dance".
 */
export function readForgetRequestEn(sentence: string): ForgetRequest | null {
  if (sentence.length > LONGEST) return null
  const plain = clean(sentence)
  if (!HINT.test(plain)) return null
  for (const start of beginnings(plain)) {
    const lead = plain.slice(0, start).replace(/[\s,;:.!?…–—-]+$/, '')
    const head = plain.slice(start)
    if (lead !== '' && !mayPrecede(lead, head)) continue
    const request = readAt(head)
    if (request !== null) return request
  }
  return null
}

/** "I shouldn't have said that" reports nobody else's words. */
const OWN_WORDS =
  /\bi(?:'ve)?\s+(?:(?:shouldn't|should|never|just|already|have|had|didn't|not)\s+)*(?:say|said|tell|told|asked|wrote|mentioned)\b/gi
const ONLY_OPENING = new RegExp(`^(?:(?:${INTERJECTION}|${ASKING})[\\s,.!…-]*)+$`, 'i')

/** Interjections may come before any request, a whole clause only before one that asks in so many words. */
function mayPrecede(lead: string, head: string): boolean {
  if (ONLY_OPENING.test(lead) || /^\p{Lu}[\p{L}'-]*$/u.test(lead)) return true
  return !NOT_ASKED.test(lead.replace(OWN_WORDS, '')) && (IS_ASKING.test(head) || ASKS_BY_ITSELF.test(head))
}
/** Points at what was told to the listener: nothing else can be meant. */
const ASKS_BY_ITSELF = new RegExp(
  `^(?:${INTERJECTION}[\\s,]+)*(?:${DROP} (?:${TOLD_ABOUT}|${LAST})|(?:let's )?pretend |i(?:'d| would) (?:rather|prefer)|strike that|scratch that|(?:do not|don't|dont) (?:store|save|record|keep|remember) (?:${TOLD_ABOUT}|it|this|that)|(?:that|this|it)(?:'s| is) off the record)`,
  'i',
)
