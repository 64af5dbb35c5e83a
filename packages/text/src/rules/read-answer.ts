// Reads the answer to “shall I?” in several languages: yes, no or neither.

/** The answer to “shall I?”; `null` for a text that answers nothing. */
export type Answer = 'yes' | 'no' | null

/** The words of a language for yes and no. Each field is a list of alternatives for a pattern. */
interface Answers {
  /** Words that mean yes, whatever follows. */
  readonly yes: string
  /** Words that mean yes if the text has only words of these lists: “go ahead”, “do it”. */
  readonly agrees: string
  /** Words that mean yes only right after a question: “ok”. Elsewhere they say that the user has understood. */
  readonly hears: string
  /** Words that neither agree nor refuse: “please”. */
  readonly filler: string
  /** Words that mean no at the start, or right after a yes: “no”, “yes, but”. */
  readonly no: string
}

/**
 * Reads a text that only answers “shall I?”, in the languages of the tables below.
 *
 * @param text in simplified characters
 * @param wasAsked whether the agent asked right before. Otherwise “ok” is no yes
 * @example
 * readAnswer('Ja, bitte.') // 'yes'
 */
export function readAnswer(text: string, wasAsked = false): Answer {
  if (text.trim().length > MAX_ANSWER_LENGTH) return null
  return READERS.map((read) => read(text, wasAsked)).find((answer) => answer !== null) ?? null
}

const join = (answers: readonly Answers[], part: keyof Answers): string =>
  answers.map((answer) => answer[part]).join('|')

/** Makes a function that reads the answer of a text. `end` matches the end of a word. */
function makeReader(answers: readonly Answers[], end: string): (text: string, wasAsked: boolean) => Answer {
  const gap = String.raw`[\s\p{P}]*`
  const wordOf = (...parts: readonly (keyof Answers)[]): string =>
    `(?:(?:${parts.map((part) => join(answers, part)).join('|')})${end}${gap})`
  const agrees = (...parts: readonly (keyof Answers)[]): RegExp =>
    new RegExp(
      `^${gap}${wordOf('filler', 'hears')}{0,16}${wordOf(...parts)}${wordOf('yes', 'agrees', 'hears', 'filler')}{0,16}$`,
      'iu',
    )
  const declines = new RegExp(`^${gap}${wordOf('yes', 'agrees', 'hears')}{0,4}${wordOf('no')}`, 'iu')
  const affirms = new RegExp(String.raw`^${gap}(?:${join(answers, 'yes')})(?=[\s\p{P}]|$)`, 'iu')
  const agreesUnasked = agrees('yes', 'agrees')
  const agreesToQuestion = agrees('yes', 'agrees', 'hears')
  return (text, wasAsked) => {
    if (declines.test(text)) return 'no'
    const agreement = wasAsked ? agreesToQuestion : agreesUnasked
    return affirms.test(text) || agreement.test(text) ? 'yes' : null
  }
}

/** Languages with spaces between words: English, German, Spanish, French, Portuguese, Korean. */
const SPACED: readonly Answers[] = [
  {
    yes: 'yes|yeah|yea|yep|yup|indeed|correct|exactly|of course|absolutely|definitely|(?:i )?confirm(?:ed)?',
    hears: 'right|alright|sure(?: thing)?|ok|okay|k|fine|good',
    agrees: `go ahead|go for it|do (?:it|that|so)|please do|i(?: a|['’])m (?:very |quite |absolutely )?(?:sure|certain)|(?:delete|erase|forget|wipe|remove)(?: it| that| them)?`,
    filler: `please|pls|thanks|thank you|all|everything|it|that|them|now|then|and|the|my|data|really|i do|about me|completely|away|for good|forever|forget|delete|by all means`,
    no: `no(?! (?:problem|worries|hay problema))|nope|nah|not|never|don['’]?t|do not|but|wait|stop|cancel|hold on|better not|rather not|keep|leave it|on second thoughts?|i changed my mind`,
  },
  {
    yes: 'ja|jawohl|jo|jep|jepp|genau|richtig|stimmt|natürlich|selbstverständlich|auf jeden fall',
    hears: 'klar|sicher|in ordnung|passt|gut',
    agrees: `gerne?|einverstanden|mach(?: das| es| mal| ruhig)?|tu(?: das| es)|nur zu|ich bin (?:mir )?sicher|lösch(?:e|en)?|vergiss|weg damit`,
    filler: 'bitte|danke|alles|das|es|damit|mal|ruhig|jetzt|doch|und|ganz|bin|ich|mir|sehr|gern',
    no: 'nein|nee|nö|nicht|doch nicht|lieber nicht|besser nicht|aber|halt|stopp|warte|lass(?: es| das)?|auf keinen fall|abbrechen',
  },
  {
    yes: 'sí|si|sip|por supuesto|exacto|correcto|desde luego|confirmo',
    hears: 'claro|vale|bueno|seguro',
    agrees:
      'claro que sí|dale|de acuerdo|adelante|hazlo|hágalo|venga|estoy segur[oa]|b[oó]rral[oa]|b[oó]rra(?:lo)? todo|olvídalo',
    filler: 'por favor|gracias|todo|lo|que|y|ya|muy|eso',
    no: '(?:claro )?que no|mejor no|pero|espera|para|déjal[oa]|cancela|ni hablar|todavía no',
  },
  {
    yes: 'oui|ouais|exactement|bien sûr|tout à fait|absolument|je confirme',
    hears: `d['’]accord|entendu|bon`,
    agrees: `vas[- ]y|allez[- ]y|volontiers|fais[- ]le|faites[- ]le|sûre?|je suis sûre?|efface(?:[- ]le)?|supprime(?:[- ]le)?`,
    filler: `s['’]il (?:te|vous) pla[iî]t|stp|svp|merci|tout|et|je|suis|ça|certaine?|bien`,
    no: 'non|pas|surtout pas|mais|attends|attendez|laisse|annule|plutôt pas|finalement non',
  },
  {
    yes: 'sim|com certeza|claro que sim|exato|isso mesmo|confirmo',
    hears: 'está bem|tá|beleza|certo',
    agrees:
      'pode(?:s)?(?: apagar| ser| esquecer)?|manda ver|vai em frente|faz isso|faça(?: isso)?|tenho certeza|apaga|apague|força',
    filler: 'por favor|obrigad[oa]|tudo|isso|e|já|agora',
    no: 'não|nao|mas|espera|deixa|melhor não|cancela|ainda não',
  },
  {
    yes: '네|넵|예|응|어|그래(?:요)?|맞아(?:요)?|물론(?:이죠|이지)?|당연하지',
    hears: '좋아(?:요)?|알았어(?:요)?',
    agrees:
      '부탁(?:해(?:요)?|드려요|합니다)|그렇게 해(?:줘|주세요)?|지워(?: ?줘| ?주세요)?|삭제해(?: ?줘| ?주세요)?|확실해(?:요)?|해 ?(?:줘|주세요)',
    filler: '제발|다|전부|모두|고마워(?:요)?|감사합니다',
    no: '아니(?:요|오)?|아뇨|싫어(?:요)?|됐어(?:요)?|괜찮아(?:요)?|취소(?:해)?|잠깐(?:만)?|하지 ?마(?:세요)?|안 돼|안돼|근데|하지만',
  },
]

/** Languages without spaces between words: Chinese in simplified characters, and Japanese. */
const UNSPACED: readonly Answers[] = [
  {
    yes: '是的?|是[啊呀]|对的?|对[啊呀]|没错|嗯+|当然|正确|可不是|确认|确定',
    hears: '好|行|ok|知道了',
    agrees: '好的|好[啊呀吧]|要|可以|同意|没问题|删|忘|清|动手吧|来吧',
    filler: '请|谢谢|麻烦|你|就|[了吧掉除空的]|全部|都|全|我|很|非常|一切',
    no: '不|别|算了|先别|等等|等一下|没(?!错|问题)|但|还是不|取消|暂时',
  },
  {
    yes: 'はい|ええ|うん|そう(?:です)?|もちろん|その通り',
    hears: 'いいです|了解|オーケー|わかった|わかりました',
    agrees: 'お願い(?:します|いたします|ね)?|いいよ|どうぞ|消して|削除して|忘れて|やって',
    filler: 'ください|下さい|ね|よ|全部|すべて|です|ます',
    no: 'いいえ|いや|やめ|だめ|ダメ|結构|大丈夫|まだ|待って|キャンセル|でも|しないで|消さないで|ううん',
  },
]

const READERS = [makeReader(SPACED, String.raw`(?![\p{L}\p{N}'’])`), makeReader(UNSPACED, '')]

/** Maximum characters of a plain answer. Longer texts say more than yes or no. */
const MAX_ANSWER_LENGTH = 60
