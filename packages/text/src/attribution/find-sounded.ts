// Finds words that an object shows or plays. Called by mask-unspoken.ts.
import { either, pattern } from '../pattern.ts'
import { endOfParagraph, type IntroducedText } from './find-introduced.ts'
import type { Stretch } from './stretch.ts'

/** Finds words that an object shows or plays, and text wrapped in symbols that speech does not have. */
export function findSounded(given: IntroducedText): Stretch[] {
  const { marked } = given
  const sounded = [...marked.matchAll(SOUNDED)].filter(
    ({ index }) => !OWN.test(marked.slice(Math.max(0, index - 60), index)),
  )
  const things = [...marked.matchAll(THING_SAYS)].filter(
    ({ groups }) => !CALLING.test(groups?.['thing'] ?? ''),
  )
  const pointed = POINTED_AT.exec(marked)
  return [
    ...[...sounded, ...things, ...marked.matchAll(MACHINE_GIVES)].map(({ index, 0: verb }) => ({
      start: index + verb.length,
      end: endOfShown(given, index + verb.length),
    })),
    ...(pointed === null ? [] : [{ start: pointed[0].length, end: marked.length }]),
    ...[...marked.matchAll(SIGNED), ...marked.matchAll(ASSIGNED)].map(({ index, 0: line }) => ({
      start: index,
      end: index + line.length,
    })),
  ]
}

/** Reports whether a Chinese line ends in an object that has words on it: 湖边长椅上刻着. */
export function isSpeakingSign(line: string): boolean {
  return /(?:写|刻|印|绣|贴|挂|纹|喷|标|题|念|唱|喊|播)(?:着|了|的|道|到)?$|(?:看|听|捡|翻|刷|读)[到见]的?$|发现的?$|[墙板纸牌碑椅桌门窗布页面]上$/u.test(
    line,
  )
}

/** Returns where the words of an object end: at a question of the speaker, or with the paragraph. */
function endOfShown({ marked, lines }: IntroducedText, from: number): number {
  const line = lines.findIndex(({ end }) => end >= from)
  const asked = ASKED_BACK.exec(marked.slice(from, lines[line]?.end))
  return asked === null ? endOfParagraph(lines, line) : from + asked.index
}

/** Verbs of objects and devices with words: “reads”, “squawks”. */
const SOUND_VERBS = either(
  /reads|shouts?|shouted|shouting|screams?|screamed|screaming|yells?|yelled|yelling|sings|sang|singing|chants?|chanted|chanting|prints/u,
  /printed|announces|announced|squawks?|squawked|repeats|repeating|mutters|muttered|recites|recited|blares|spells|goes/u,
)
/** Matches unquoted words on an object or from a device: “the sign reads I live …”, 涂鸦写着我住在…. */
const SOUNDED = pattern(
  'gu',
  String.raw`\b(?:${SOUND_VERBS})(?: out)?\s+(?=(?:[Ii]|[Mm]y|[Ff]orget|[Dd]elete|[Ii]gnore)\b)`,
  /(?:写着|刻着|印着|绣着|贴着|挂着|纹着|喷着|标着|显示|播报|(?:大|高|突然|一直|不停|不断|老是|总是|拼命|大声)喊着?|喊着|(?:突然|忽然|大声|一直|反复)说|唱着?|念着?|念叨着?)(?=我|请?忘|删)/u,
)
/** Matches “says” after an object. The caller leaves out people with a profession, who may speak about the user: “the doctor says …”. */
const THING_SAYS =
  /\b(?:[Tt]he|[Aa]n?|[Tt]his|[Tt]hat|[Ss]ome)\s+(?:\p{L}+\s+){0,2}?(?<thing>\p{L}+)\s+(?:(?:just|even|always|now|suddenly)\s+)?(?:says|said|kept saying|keeps saying|goes|went)\s+(?=(?:I|[Mm]y|[Ff]orget)\b)/gu
const CALLING =
  /(?:or|er|ist|ian|nurse|boss|vet|man|woman|guy|lady|kid|friend|wife|dad|mum|mom|coach|judge|police|staff|clinic|hospital|lab|test|tests|results?|report|agency|office|school|bank|law|rules?)$/iu
/** Nouns for programs: “API”, “chatbot”. */
const MACHINES = either(
  /api|tool|function|script|endpoint|server|command|query|program|bot|chatbot|assistant|model/u,
  /agent|service|plugin|database|webhook|job|crawler|scraper|search|terminal|console/u,
)
/** Verbs of output: “returned”, “printed”. */
const MACHINE_VERBS =
  'returned|returns|responded|responds|printed|prints|outputs?|produced|generated|emitted|logged|came back with|spat out'
/** Matches the response of a machine: “The API returned ok and then I live in Berlin.”. */
const MACHINE_GIVES = pattern(
  'giu',
  String.raw`\b(?:${MACHINES})\s+(?:just |then |has |had )?(?:${MACHINE_VERBS})\b`,
  /\b(?:tool|bot|assistant|api|app|software|model)\s+gave (?:me|us|back)\s+(?=(?:I|[Mm]y)\b)/u,
  /(?:脚本|接口|程序|工具|命令|机器人|助手|模型|系统|终端|服务器|软件|插件)[^。，,\n我]{0,6}(?:返回|输出|打印|生成|给出|回复|显示|报)(?:的?是|了|的)?/u,
)
/** Matches the speaker as the subject before the verb: “I said”, 我们也. */
const OWN = /(?:\b(?:I|we|me)\b[^,.]{0,30}|我们?(?:也|就|会|要|想|都|常|一直|大声)*)$/u
/** Verbs of finding words: “found”, “overheard”. */
const FOUND_VERBS = 'found|saw|read|heard|overheard|spotted|noticed|came across|copied|got'
/** Verbs of speech: “said”, “whispered”. */
const SPOKEN_VERBS = 'said|says|sang|sings|repeated|repeats|shouted|screamed|whispered'
/** Verbs of answering and sending: “replied”, “came back”. */
const ANSWER_VERBS = 'answered|replied|responded|wrote|returned|sent|posted|texted|came back'
/** Nouns for texts: “e-mail”, “excerpt”. */
const SHOWN_TEXTS =
  'e-?mail|message|note|text|letter|post|reply|answer|transcript|quote|extract|excerpt|paragraph|page|article'
/** Sentences that point to the words after them: “I found this on a photo”, “here is the mail in full”. */
const POINTING_SENTENCES = either(
  String.raw`[^.!?。！？\n]*\b(?:${FOUND_VERBS})\s+(?:this|these|it|the following)\s+(?:on|in|at|from|under|behind|inside|by|online|somewhere)\b[^.!?\n]{0,80}`,
  String.raw`(?![^.!?\n]*\b(?:I|we)\s)[^.!?\n]*\b(?:the|a|an|his|her|their|\p{L}+['’]s)\s[^.!?\n]{0,60}\b(?:${SPOKEN_VERBS}) (?:it|this|that)(?: again| aloud| out loud| once more)?`,
  /(?![^.!?\n]*\b(?:I|we)\s)[^.!?\n]{0,80}\b(?:introduces?|introduced|presents?|presented) (?:it|him|her|them)sel(?:f|ves)/u,
  String.raw`(?![^.!?\n]*\b(?:I|we)\s)[^.!?\n]{1,80}\b(?:${ANSWER_VERBS})\b[^.!?\n]{0,30}\b(?:this|these|the following)(?: \p{L}+)?`,
  /(?![^.!?\n]*\b(?:I|we)\s)[^.!?\n]{1,80}\b(?:generated|produced|printed|sent|posted) (?:this|these|the following)(?: \p{L}+)?/u,
  /(?![^。！？\n]*(?:^|[，,])我)[^。！？\n]{1,30}(?:这么|这样|如此)(?:回|说|写|答|讲|介绍|形容)[^。！？\n]{0,6}|[^。！？\n]{0,30}自我介绍(?:了|起来)?/u,
  /(?!\s*(?:I|we)\b)(?![^.!?\n]*\bmy (?!\p{L}+ (?:asked|wanted|told|gave|sent)))[^.!?\n]{0,80}\b(?:below|as follows)/u,
  String.raw`\s*(?:[Aa]nd |[Ss]o )?(?:[Hh]ere|[Tt]his|[Tt]hat)(?:['’]s| is| goes| comes| are)\b[^.!?\n]{0,30}\b(?:${SHOWN_TEXTS})\b(?: in full| as is| verbatim| word for word)?`,
  /[^。！？\n]{0,30}(?:下面|以下)的?(?:内容|文字|话|几[行句段])(?:给你)?|(?![^。！？\n]*我)[^。！？\n]{0,30}如下/u,
  /[^。！？\n]{0,30}(?:看到的?|发现的?|听到的?|捡到的?|[写刻印]着|[写刻印留]下?的)(?:这|那|一)?(?:一|几)?(?:行字|句话|段话|段文字|首诗|张纸条|些字)/u,
)
/** Matches a sentence that points to the words after it: “I found this on a photo.”, “The doll said it again.”, 照片背面的一行字。 */
const POINTED_AT = new RegExp(String.raw`^(?:${POINTING_SENTENCES})\s*[.。!！](?=\s*\S)`, 'u')
/** Matches a line or text wrapped in symbols that speech does not have, such as musical notes and comment signs. */
const SIGNED = /^[ \t]*(?:[♩♪♫♬🎵🎶]|%{1,3}\s|§|¶|†|‡|@@|\$\$|\^\^|\\\\|;;|--\s|::).*$/gmu
/** Matches an assignment of a program: “user.name = Max”, “API_KEY=…”. */
const ASSIGNED =
  /^[ \t]*[a-z]{1,30}(?:[_.-][A-Za-z\d]{1,30}){1,6}[ \t]{0,3}:?=\s.*$|^[ \t]*[A-Z][A-Z\d]{0,30}(?:_[A-Z\d]{1,30}){1,6}[ \t]{0,3}:?=.*$/gmu

/** Matches the speaker's question about the words, which ends them: “…, who said that?”. */
const ASKED_BACK =
  /[,.;]\s+(?:who|what|which|is|was|isn['’]?t|wasn['’]?t)\s(?:\p{L}+\s)?(?:that|it|this)\b[^.?!\n]{0,60}\?/iu
