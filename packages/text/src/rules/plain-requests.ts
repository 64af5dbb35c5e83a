import { findTerms } from '../terms/analyse-text.ts'

/** A request to forget in plain words of any language of the table. */
export interface PlainRequest {
  /** Its matter: content words as said. */
  readonly about: string
  /** Whether it speaks of memory. Other removals may be about a file or a table, so they wait for a yes. */
  readonly isSure: boolean
}

/** How a language asks to forget. All patterns are tried on one clause. */
interface Asking {
  /** Matches a verb of forgetting in the imperative, or asked for. */
  readonly forgets: RegExp
  /** Matches a verb of removal, likewise. */
  readonly removes: RegExp
  /** Matches what makes a removal one of memory: “what I told you”, “lo de”, 话. */
  readonly recalls: RegExp
  /** Matches words that are never the matter. */
  readonly idle: RegExp
}

/** Matches a word in a script with spaces. */
const word = (words: string): RegExp =>
  new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${words})(?![\p{L}\p{N}])`, 'giu')
const first = (lead: string, verbs: string): RegExp =>
  new RegExp(String.raw`^\s*(?:(?:${lead})[\s,]+)*(?:${verbs})(?![\p{L}\p{N}])`, 'iu')
const anywhere = (verbs: string): RegExp =>
  new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${verbs})(?![\p{L}\p{N}])`, 'iu')

const LEAD_EN = `please|pls|(?:can|could|would|will) you(?: please| just| mind)?|you (?:can|could|may|might as well)|i(?:['’]?d| would)(?: really)? (?:like|love|need|prefer|want) (?:you to|it if you)|i (?:want|need) you to|i(?:['’]?d| would) rather you|ok|okay|so|and|then|also|but|now|actually|just|hey|oh|well|sorry|kindly|go ahead and|maybe|anyway|either way|best`

const ASKING: readonly Asking[] = [
  {
    forgets: first(
      LEAD_EN,
      `forget(?:ting)?(?: all)?(?: about)?|unremember|stop (?:remembering|keeping|storing|holding)|(?:don['’]?t|do not|never|no need to|no point in)(?: you)? (?:remember|keep|keeping|store|save|record|retain|hold on to|hang on to|write down)`,
    ),
    removes: first(
      LEAD_EN,
      'erase|erasing|delete|deleting|remove|removing|drop|wipe|scrub|purge|bin|dump|lose|scratch|strike(?: out)?|take|get (?:rid|it|that|this|them)|throw|clear|ditch|trash|scrap|let go of|discard|toss',
    ),
    recalls: word(
      `i (?:just )?(?:said|told|gave|mentioned|shared)|told you|you(?:['’]ve| have) (?:got|saved|stored|kept)|you (?:know|have)|(?:from|out of|in) (?:your|my|the) (?:memory|notes?|records?|file|head)|in there|out of there|anywhere|things?|stuff|business|on file|about me`,
    ),
    idle: word(
      `\\p{L}+n['’]t|not|mine|tell|telling|going|ahead|want|please|pls|i['’](?:ll|d|m)|(?:it|that|he|she|they|we)['’](?:s|ll|d|re|ve)|the|that|this|those|these|it|any|all|everything|anything|whatever|what|about|of|from|to|out|away|in|on|off|for|there|i|i['’]?ve|you|you['’]?ve|what(?:ever)? you['’]ve|my|me|a|an|got|have|had|said|told|gave|given|mentioned|shared|with|thing|things|stuff|business|bit|part|story|note|notes|line|entry|number|memory|record|records|file|rid|again|anymore|more|now|then|would|could|will|can|thanks|thank|very|much|just|one|who|which|when|how|is|was|were|are|old|whole|either|and|or|down|list`,
    ),
  },
  {
    forgets:
      /(?<![别不没总常是会怕易点我他她都也])忘(?:了|掉|记)(?!提醒|带|关|拿|买|告诉你|[跟和]你[说讲提](?![的过]))|(?:[别莫勿]|不要|不用)(?:再)?[记存留](?![得住])着?|[都也]忘(?:了|掉)吧|当我?没(?:说|提|讲)过?/u,
    removes: /(?:删掉|删了|删除|刪掉|刪了|刪除|抹掉|抹了|抹去|清掉|清除|擦掉|划掉|去掉|拿掉|撤掉|删)/u,
    recalls:
      /我(?:跟你|和你|对你)?(?:刚才|之前)?(?:说|讲|提|告诉)|你(?:记|那里|那儿)|记忆|那件事|这件事|的事|那事|这事|那句|那条|的话|的話/u,
    idle: /请|麻烦|拜托|帮我|给我|可以|能不能|能|吧|了|的|把|将|你|我|跟|和|与|从|那里|这个|那个|这件|那件|那句|那条|这条|事情|事儿?|情|话|都|全|就|算|多嘴|彻底|一下|吗|嘛|啊|说过?|讲过?|提过?|告诉|关于|记忆|里|这|那|人|在|是/gu,
  },
  {
    forgets: anywhere('olv[ií]da(?:lo|la|te)?|olvides|no (?:recuerdes|guardes|apuntes|anotes)'),
    removes: anywhere(
      'borra(?:r|rl[oa]|l[oa])?|borres|elimina(?:r|l[oa])?|quita(?:r|l[oa])?|qu[ií]tal[oa]|saca|suprime',
    ),
    recalls: word(
      'lo de(?:l| la| los| las| mi)?|que (?:vivo|soy|tengo|estoy|trabajo)|lo que|te (?:dije|cont[eé]|he dicho)|sabes|memoria|recuerdo',
    ),
    idle: word(
      'por favor|lo|la|el|los|las|de|del|que|mi|mis|un|una|te|me|ya|m[aá]s|quiero|puedes|podr[ií]as|a|en|con|y|tu|tus|memoria|sobre|todo|eso|esto|sabes|dije|cont[eé]|dicho|he|soy|tengo|cosa|cosas|asunto|tema|historia|se',
    ),
  },
  {
    forgets: anywhere('vergiss|vergessen|vergesst|merk(?:e)? dir (?:das )?nicht'),
    removes: anywhere('l[oö]sche?|l[oö]schen|streiche?|streichen|entferne?|entfernen|raus|wirf|tilge|nimm'),
    recalls: word(
      'was (?:du|ich)|das mit|dass ich|erz[aä]hlt|gesagt|ged[aä]chtnis|wei[sß]+t|speicher|sache mit',
    ),
    idle: word(
      'bitte|das|der|die|den|dem|des|dass|daß|ich|du|mir|dir|mich|was|[uü]ber|von|mit|mein|meine|meinen|meiner|meinem|meines|ein|eine|einen|kannst|k[oö]nntest|doch|mal|alles|wei[sß]+t|in|im|aus|zu|und|sache|geschichte|erz[aä]hlt|gesagt|habe|hab|nicht|auch|wieder|deinem|ged[aä]chtnis|ist|bin',
    ),
  },
  {
    forgets: anywhere(`oublie(?:[sz]|r)?(?:-l[ea])?|ne (?:retiens|garde|note) pas`),
    removes: anywhere(`efface(?:r|z)?|supprime(?:r|z)?|enl[eè]ve(?:r)?|retire(?:r)?|raye|vire`),
    recalls: word(`histoire|ce que|je t['’]ai|dit|racont[eé]|sais|m[eé]moire|truc|affaire`),
    idle: word(
      `s['’]il te pla[iî]t|stp|le|la|les|l|de|du|des|d|que|qu|mon|ma|mes|ce|cette|[cç]a|tu|peux|pourrais|je|j|t|ai|te|en|prie|un|une|[aà]|au|sur|tout|histoire|truc|affaire|sais|dit|racont[eé]|suis|pas|ne|et|moi|toi|ta|m[eé]moire|ligne`,
    ),
  },
  {
    forgets: anywhere('esque[cç]e|esque[cç]a|esquecer|n[aã]o (?:guarde|guardes|lembre|anote)'),
    removes: anywhere(
      'apaga|apague|apagar|remove|remova|tira|tire|exclui|exclua|deleta|delete(?= (?:o|a|os|as|isso|tudo|ess[ae]|meu|minha))',
    ),
    recalls: word('hist[oó]ria|que eu|o que|te (?:disse|contei|dei|falei)|sabes|sabe|mem[oó]ria|coisa'),
    idle: word(
      'por favor|a|o|as|os|de|da|do|das|dos|que|eu|meu|minha|meus|minhas|te|me|isso|essa|esse|a[ií]|um|uma|pode|podes|dei|disse|contei|falei|tudo|sobre|hist[oó]ria|coisa|mem[oó]ria|sou|em|no|na|com|e|tu|voc[eê]|sabe|sabes|j[aá]',
    ),
  },
  {
    // Sentences come in simplified characters.
    forgets: /忘れて|忘れといて|[覚觉]えないで|[記记][憶忆]しないで/u,
    removes: /消して|削除して|取り除いて|外して/u,
    recalls: /こと|[話话]|[記记][憶忆]|の件|言った|[覚觉]え/u,
    idle: /[ぁ-ゟ、。]+|[話话]|件|今|[僕仆]|私|俺|[記记][憶忆]|言/gu,
  },
  {
    forgets: /잊어|잊으|기억하지\s*마/u,
    removes: /지워|지우|빼\s*(?:줘|주|줄)|없애|삭제해/u,
    recalls: /얘기|이야기|것|거|기억|말한|말했/u,
    idle: /(?<!\S)(?:제|내|저|나|좀|그|이|저희|우리|얘기|이야기|것|거|숫자|주세요|줘|줄래요?|주시겠어요|제발|다|모두|전부|말한|했던|기억|이제|해)(?:은|는|이|가|을|를|도|만|의|에|에서)?(?!\S)|(?:줄)?래요|(?:잊어|지워|없애|빼|삭제해|잊으)\S*/gu,
  },
]

/** Words of the table's languages for what people ask to forget most, by the English one. */
const CONCEPTS = new Map(
  `brother hermano bruder frere irmao, sister hermana schwester soeur irma, mother madre mama mutter maman mere mae,
  father padre papa vater pere pai, son hijo sohn fils filho, daughter hija tochter fille filha, wife esposa mujer frau femme mulher,
  husband marido mann mari, friend amigo amiga freund freundin ami amie, dog perro hund chien cachorro, cat gato katze,
  live vivo vive wohne wohnt habite moro mora, work trabajo arbeit arbeite travail travaille trabalho, name nombre nom nome,
  birthday cumpleanos geburtstag anniversaire aniversario, address direccion adresse endereco, allergy alergia allergie`
    .split(',')
    .flatMap((entry) => {
      const [concept = '', ...words] = entry
        .trim()
        .split(/\s+/)
        .map((word) => findTerms(word)[0] ?? word)
      return words.map((word) => [word, concept] as const)
    }),
)

/** Returns the English term for a term of another language, or the term itself. */
export function conceptOf(term: string): string {
  return CONCEPTS.get(term) ?? term
}

/** Matches the root of any verb above: a cheap test that most texts fail. */
export const MAY_ASK_PLAINLY =
  /forg[eo]t|remember|keep|stor|sav|record|h[oa](?:l|ng)d? on|eras|delet|remov|drop|wip|scrub|purg|\bbin\b|dump|lose|scratch|strik|tak|\bget|throw|clear|ditch|trash|scrap|let go|discard|toss|write|忘|[删刪记記存留抹清擦划劃撤当當]|[去拿]掉|olv|recuerd|guard|anot|apunt|borr|elimin|quit|saca|suprim|verg|merk|l[oö]sch|streich|entfern|raus|wirf|tilg|nimm|oubli|effac|enl[eè]v|retir|ray|vire|note|esque|lembr|apag|tir|exclu|覚え|消し|削除|除い|外し|잊|지[우워]|빼|없애|삭제|기억/iu

/** Matches a clause that asks to keep something, or that names what another person forgot. */
const KEEPS =
  /\b(?:keep|stays?|leave|can stay)\b|留着|可以留|别删|不算|\bbleibt\b|natürlich nicht|\bguárda|\btu la gardes\b|pode ficar|消さないで|そのまま|남겨/iu
const CLAUSE = /[,;:!?.，；：！？。、…\n]+|\s[-–—]\s|\s(?:because|cause|since)\s/u

/** Matches a removal that only points: “forget it” dismisses, unless it is asked for. */
const DISMISSES = /^\s*(?:(?:oh|ok|okay|just|well|no)[\s,]+)*forget (?:about )?(?:it|that|this)\s*$/iu

/** Words that tell of forgetting, by one who asks for nothing: “don't forget”, “I'd rather forget”, “she told me to forget”, 我又忘了. */
const NO_REQUEST = new RegExp(
  [
    String.raw`\b(?:do not|don['’]?t|never|can['’]?t|cannot|won['’]?t) (?:ever )?(?:let me |you )?(?:forget\b|mention it\b)`,
    String.raw`\b(?:i|we|he|she|they)(?:['’](?:d|ll|ve|m))?(?: (?:would|will|want to|wanna|need to|have|had|am|keep|kept|always|often|never|totally|just|almost|nearly|rather|like to|love to|tend to|try to|trying to))* (?:forg[eo]t(?:ten|ting)?|scratch|lost?|losing|dropped)\b`,
    String.raw`\b(?:told|asks?|asked|tells?|wants?|wanted|says?|said) (?:me|us) (?:to |should )?(?:just )?(?:forget|drop|delete|erase)\b[^,.;!?]*`,
    String.raw`\b(?:did|have|had|should|shall) (?:i|we|he|she|they) (?:\w+ )?(?:forg[eo]t|delet|eras|remov|drop|wip|los)\p{L}*`,
    String.raw`\bvergiss (?:\p{L}+ ){0,2}nicht|\bnicht (?:zu )?vergessen|\b(?:ich|wir|er|sie) (?:\p{L}+ ){0,4}vergessen|\b(?:ha(?:be|b|t|tte|st)) (?:\p{L}+ ){0,4}vergessen`,
    String.raw`\bno (?:(?:te|se|os|lo|la) )*olvid\p{L}*|\b(?:quiero|quisiera|he|me|se me) olvid\p{L}*`,
    String.raw`\bn['’]oubli\p{L}* (?:pas|jamais)|\b(?:j['’]ai|j['’]|je|on a|il a|elle a) (?:\p{L}+ )?oubli\p{L}*|\bj['’]oubli\p{L}*`,
    String.raw`\bn[aã]o (?:(?:te|se|me) )*esque[cç]\p{L}*|\b(?:eu|me|quero|queria) esque[cç]\p{L}*`,
    '(?:别|不要|不能|千万别|没|沒)忘|别提(?:多|了)|忘不了|我(?:真|好|很|又|都|也|总|总是|老|一直|差点|经常)*(?:想|要|希望)?忘(?:了|掉|记)|(?:妈|爸|他|她|老板|老师|朋友|医生)[^，。！？]{0,3}(?:让|叫|要|劝)我[^，。！？]*',
    '忘れ(?:ないで|ずに|られ|ちゃ|てしま|てた|た)|잊(?:지|었|고 싶|어버렸)',
  ].join('|'),
  'giu',
)

/** Leaves out the words of a sentence that tell of forgetting and ask for nothing. */
export function withoutNonRequests(sentence: string): string {
  return sentence.replace(NO_REQUEST, ' … ')
}

/** Returns the content words of a clause, without the request around them. */
function matterOf(clause: string, { forgets, removes, idle }: Asking): string {
  const rest = clause.replace(forgets, ' ').replace(removes, ' ').replace(idle, ' ')
  return findTerms(rest).length === 0
    ? ''
    : rest
        .replace(/[«»"“”「」]/g, ' ')
        .replace(/\s+/g, ' ')
        .trim()
}

/**
 * Finds a request to forget by its verb alone, in any language of the table. What it names must then be found among the memories.
 *
 * @param before the preceding sentence, for “…, get rid of it”
 */
export function readPlainRequest(said: string, before = ''): PlainRequest | null {
  const sentence = withoutNonRequests(said)
  const clauses = [before, sentence]
    .flatMap((part) => part.split(CLAUSE))
    .filter((part) => /\p{L}/u.test(part))
  for (const asking of ASKING) {
    const isAsked = (clause: string): boolean =>
      asking.forgets.test(clause) || (asking.removes.test(clause) && !KEEPS.test(clause))
    const index = clauses.findLastIndex(isAsked)
    const clause = clauses[index] ?? ''
    if (index < 0 || !sentence.includes(clause) || DISMISSES.test(clause)) continue
    const others = [...clauses.slice(0, index).toReversed(), ...clauses.slice(index + 1)].filter(
      (clause) => !KEEPS.test(clause),
    )
    const about = [clause, ...others].map((one) => matterOf(one, asking)).find((one) => one !== '')
    if (about === undefined) continue
    const isOfMemory = new RegExp(asking.recalls.source, 'iu').test(`${clause} ${others[0] ?? ''}`)
    return {
      about,
      isSure:
        isOfMemory ||
        (asking.forgets.test(clause) && !/^\W*forget (?!.*\b(?:please|pls|my)\b)/iu.test(clause)),
    }
  }
  return null
}
