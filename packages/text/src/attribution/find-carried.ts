// Finds statements after a noun for others' words, such as “review” or “report”, without any mark. Such a noun is a carrier.
// Called by mask-unspoken.ts.
import { either, pattern } from '../pattern.ts'
import type { IntroducedText } from './find-introduced.ts'
import { speaksOfSelf } from './leading-words.ts'
import type { Stretch } from './stretch.ts'

/** Finds statements after a carrier: “one star review. I am …”, 点评里有人写 我…. */
export function findCarried({ marked }: IntroducedText): Stretch[] {
  const end = marked.length
  const [first, second] = marked.matchAll(NUMBERED)
  if (first !== undefined && second !== undefined) return [{ start: first.index, end }]
  const part = marked.matchAll(OTHERS_PART).next().value
  if (part !== undefined) return [{ start: part.index + part[0].length, end }]
  if (marked.search(CARRIER) < 0) return []
  const start = [...marked.matchAll(SPEAKS)].find(({ index, 0: word }) =>
    isCarried(marked.slice(0, index), word),
  )
  return start === undefined ? [] : [{ start: start.index, end }]
}

/** Matches a heading on one's own work, which is a topic: “My novel.”. */
const OWN_HEADING = /^\s*(?:my|our) (?:novel|book|script|screenplay|poem)s?\.\s*$/iu

/** Reports whether one of the sentences before a statement has a carrier. A sentence in the first person ends the search. */
function isCarried(text: string, word: string): boolean {
  const lead = text.slice(-LONGEST_LEAD)
  const sentences = lead.match(/[^.!?。！？…\n]+(?:[.!?。！？…\n]+\s*|$)/gu) ?? []
  const unfinished = /[.!?。！？…\n]\s*$/.test(lead) ? '' : (sentences.at(-1) ?? '')
  if (CONTINUES.test(unfinished)) return false
  for (const sentence of sentences.toReversed()) {
    if (carries(sentence, /^[a-z]/i.test(word))) return true
    if (OF_SELF.test(sentence)) return false
  }
  return false
}

/** Reports whether a sentence has a carrier that is neither the speaker's own nor a topic of the sentence. */
function carries(sentence: string, isSpaced: boolean): boolean {
  if (BEFORE_OWN.test(sentence) || OWN_HEADING.test(sentence)) return false
  const found = [...sentence.matchAll(CARRIER)].map(({ index, 0: noun }) => ({
    noun,
    before: sentence.slice(0, index),
    after: sentence.slice(index + noun.length),
  }))
  if (
    found.some(
      ({ before, after }) => HAS_VERB.test(after) || speaksOfSelf(isSpaced ? before : before + after),
    )
  )
    return false
  const isObject = (before: string): boolean => HAS_OBJECT.test(before) && !ORDERS.test(sentence)
  return found.some(
    ({ noun, before, after }) =>
      (INVENTED.test(noun) || !MINE.test(before)) &&
      (!isSpaced || (LEADS_ON.test(after) && !isObject(before))),
  )
}

/** Reports whether a text has a word that {@link findCarried} looks for. */
export function mayCarry(text: string): boolean {
  return text.search(CARRIER) >= 0 || text.search(NUMBERED) >= 0 || text.search(OTHERS_PART) >= 0
}

/** Nouns for invented texts and dreams in European languages: “jokes”, “Traum”. */
const INVENTED_KINDS = either(
  /jokes?|riddles?|dreams?(?! (?:jobs?|hous|homes?|teams?|cars?|comes?))|nightmares?|novels?|chapters?|poems?|lyrics/u,
  /screenplays?|scripts?|scenes?|personas?|(?<!\b(?:his|her|its|their|the|main|even|these|all) )characters?|Traum|geträumt|Witz|Roman|Drehbuch|rêves?|rêvé|blagues?/u,
  /scénario|sueños?|soñé|chistes?|gui[oó]n|sonhos?|sonhei|piadas?|roteiro|novela|(?:o|um|meu) romance/u,
)
/** Matches nouns of fiction and dreams, which are no statement even where they are the speaker's own. */
const INVENTED = pattern(
  'iu',
  String.raw`(?<![\p{L}])(?:${INVENTED_KINDS})(?![\p{L}])`,
  /梦(?!想)|段子|笑话|剧本|台词|小说|造句|人设|歌词|夢|冗談|小説|脚本|台本|歌詞|꿈|농담|소설|대본|가사/u,
)
/** Matches nouns for things that others write, say or show, and for work on language. */
const CARRIER = new RegExp(
  String.raw`${INVENTED.source}|(?<![\p{L}])(?:reviews?|reports?|tickets?|e-?mails?|letters?|(?:text )?messages?|sms|voice ?mails?|posts?(?!-| office)|comments?|tweets?|threads?|articles?|(?<!\d )pages?|blogs?|bios?|profiles?|worksheets?|exercises?|example (?:sentences?|for)|textbooks?|(?:character|data|fact) sheets?|surveys?|respondents?|participants?|diary|diaries|transcri(?:pts?|ptions?)|podcasts?|songs?|verses?|essays?|captions?|stickers?|posters?|readme|spam|scams?|phishing|gpt|(?:chat)?bots?|hinge|tinder|adverts?|ads?|homework|grammar|tenses?|manuals?|customers?|clients?|Mail|Nachricht|Brief|Rezension|Bewertung|Kund(?:e|in)|Rollenspiel|Übung|Arbeitsblatt|Anleitung|übersetze?|wie sagt man|Tagebuch|Anzeige|courriel|lettre|avis|client(?:e|s)?|jeu de rôle|exercice|mode d.emploi|tradui[st]|comment dit-on|annonce|correo|mensaje|carta|reseña|clienta?|ejercicio|traduce|cómo se dice|anuncio|mensagem|avaliação|resenha|clientes?|exercício|ficha|traduz|como se diz|anúncio)(?![\p{L}])|来信|的信|邮件|短信|留言|[点差好]评|评[论价]|工单|缺陷单|反馈|问卷|例句|课[本文]|练习|作文|日记|截图|字幕|自我介绍(?!一下)|相亲|交友|合同|条款|说明书|贴纸|机器人|播客|转写|语病|发消息|(?<![A-Za-z'’]|(?:嗨|嘿|你好|您好)[，,！!]?\s?)(?:AI|GPT)(?![A-Za-z])|骗子|诈骗|中奖|翻[译成]|译成|怎么[说讲译]|病句|你[演当扮]|嚷嚷|(?:那人|有人|有个.{1,3}|大[叔妈爷]|阿姨).{0,6}(?:打电话|喊|叫)|メール|手紙|レビュー|問い合わせ|お客様|練習|説明書|翻訳|訳して|何と言い|日記|例文|메일|문자|편지|리뷰|후기|문의|고객|연습|설명서|번역|어떻게 말|일기|예문`,
  'giu',
)
/** Matches a role in a game, and words that introduce another's speech: “she was like I am …”. */
const OTHERS_PART = pattern(
  'giu',
  /\b(?:some(?:body|one)|a \p{L}+|he|she|they)\b[^.!?]{0,30}\btells? you (?=I\b)/u,
  /(?<!\b(?:I|it|that|this|life|there) )\b(?:was|were|is)(?: all| just)? like,? (?=(?:I|my)\b)/u,
  /\byou(?:['’]re| are|['’]ll be| be| play)? (?:the|an?) \p{L}+(?: \p{L}+)?[,;]? (?:and )?(?=I(?:['’]m| am|['’]ll be| will be| play))/u,
  /\bdu bist d(?:er|ie|as) \p{L}+, (?=ich)|\btu es l[ea'’]\s?\p{L}+, (?=je)|\b[Tt]ú eres (?:el|la) \p{L}+,? (?=yo)/u,
)
/** Matches numbered parts of a document: “Clause 8.”, 第五步. */
const NUMBERED =
  /(?<![\p{L}])(?:step|clause|section|article|exercise|rule|Schritt|Übung|étape|exercice|paso|ejercicio|passo|exercício)(?:\s?\d{1,3}|\s[A-Z](?=[.:)]))|第[一二三四五六七八九十\d]{1,3}[步条款项]|手順\s?\d|\d\s?단계/giu
/** First words of a statement about oneself or of a request: “I”, “my … is”, “forget”. */
const FIRST_WORDS = either(
  /I|[Mm]y(?= \p{L}+(?: \p{L}+)? (?:is|are|was|has|lives?|works?)\b)|i(?=['’]m| am | live | work )|[Ii]ch|[Mm]eine?|[Jj]e|[Jj](?=['’])/u,
  /[Vv]ivo|[Ss]oy|[Mm]e (?=mud)|[Mm]oro|[Ss]ou|[Ff]orget|[Dd]elete|[Ee]rase|[Vv]ergiss|[Oo]ublie|[Oo]lvida|[Ee]squece/u,
)
/** Matches the start of a statement about oneself, or of a request to forget. */
const SPEAKS = pattern(
  'gu',
  String.raw`(?<![\p{L}'’])(?:${FIRST_WORDS})(?![\p{L}])`,
  /我(?=[叫是姓住搬在对有养当做娶嫁爱吃]|今年|已经|怀|得了|的|喜欢|不[吃喝爱])|请?忘[掉记了]|删[掉除]|私|俺|僕|に住|に引|忘れ|저는|나는|잊어|으?로 이사/u,
)
/** First words of the speaker's own remark: “after”, “thanks”, “that was”. */
const OWN_OPENERS = either(
  /(?:ok(?:ay)?,? )?to|after|before|since|during|without|despite|besides|unlike|whatever|regardless|no|not|nothing|never|nice|great|good/u,
  /lovely|funny|thanks|sorry|as|what an?|there['’]?s|there (?:is|are|was)|that['’]?s|that (?:is|was)/u,
)
/** Matches a sentence that often precedes the speaker's own statement: contrast, occasion, praise, an order to write, an earlier message. */
const BEFORE_OWN = pattern(
  'iu',
  String.raw`^[^\p{L}]*(?:${OWN_OPENERS})\b(?!-)`,
  /n['’]t\b|\b(?:not|nothing|no|done|finished|over|write|draft|compose)\b|\byours?\b|\bdear diary\b|^\s{12,}|\S\s{4,}/u,
  /不|(?<!有)没|别|无论|跟|[你您]的|也[说写提讲]|[说写提讲]过|完了?|[帮给替]我写|写[一个篇首封]/u,
)
const MINE =
  /(?<![\p{L}])(?:my|our|mein[ems]?r?|mon|ma|mi|meu|minha)\s(?:\p{L}+\s){0,2}$|(?:私の|우리|내|제)\s?$/iu
/** Matches the verb of a sentence about a carrier: “My friend's review was funny.” */
const HAS_VERB = /^\s*(?:is|are|was|were|has|have|had)\b|^[，,]?(?:写得|是|太|很|真|挺|好|不错)/iu
/** Matches the words that may stand between an English carrier and the carried words. */
const LEADS_ON =
  /^\s*(?:$|[^\p{L}\s]|(?:of|from|by|on|in|at|for|to|about|as|that|which|here|below|says?|said|goes|reads?|writes|wrote|begins|starts|asks|we got|we have|I got|thoughts)\b)/iu
/** Matches words before a carrier that is the object of a verb: “My friend needs a …”. */
const HAS_OBJECT = /\p{L}['’]?\s(?:an?|the|my|his|her|their|some)\s/iu
/** Matches the start of an order or of an account of a dream, which may have an object. */
const ORDERS =
  /^[^\p{L}]*(?:(?:please|can you|could you|now|ok|okay|so)\s)*(?:correct|fix|tidy|check|read|translate|summari[sz]e|edit|improve|polish|answer|triage|rate|for|from|in|on|had|have|just had)\b|\b(?:this|these|following)\b|[?？]/iu
const CONTINUES =
  /\b(?:and|but|so|because|since|that|which|what|if|when|while|as|or)\s*$|[^\p{Script=Hangul}\p{Script=Hiragana}][:：]\s*$/iu
const OF_SELF = /\b(?:I|we|me|my|mine|us|our|ours)\b|[我咱]/iu
/** Maximum characters before a statement in which a carrier is searched. */
const LONGEST_LEAD = 240
