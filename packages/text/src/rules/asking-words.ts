// Words of requests to forget in eight languages. plain-requests.ts reads requests with them.
import { pattern } from '../pattern.ts'

/** The patterns of a language for requests to forget. All are tested on one clause. */
export interface Asking {
  /** Matches a clause that asks to forget, or not to keep. */
  readonly forgets: RegExp
  /** Matches a clause that asks to remove: “delete”, “wipe”. */
  readonly removes: RegExp
  /** Matches a clause with a verb that also moves things: “take out”, “drop”. It is a request only if `recalls` or `matters` matches too. */
  readonly moves?: RegExp
  /** Matches a clause that ends with a matter: “the Moll thing”. It may drop a subject, so such a request waits for a yes. */
  readonly matters?: RegExp
  /** Matches words that address the assistant: “will you”, 你. */
  readonly addresses?: RegExp
  /** Matches verbs of `moves` that may be a request if `addresses` matches. */
  readonly discards?: RegExp
  /** Matches words that show that the removal is one of memory: “what I told you”, “lo de”, 话. */
  readonly recalls: RegExp
  /** Matches words that are never the topic of a request. */
  readonly idle: RegExp
  /** Matches words for everything. Absent if other rules of the language read requests without a topic. */
  readonly all?: RegExp
  /** Matches words for stored data, which are no topic next to words for everything: “all my data”. */
  readonly data?: RegExp
}

/** Matches a word in a script with spaces. */
const word = (words: string): RegExp =>
  new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${words})(?![\p{L}\p{N}])`, 'giu')
/** Matches a verb at the start of a clause, after polite words. */
const first = (lead: string, verbs: string): RegExp =>
  new RegExp(String.raw`^[\s\p{P}]*(?:(?:${lead})[\s,]+)*(?:${verbs})(?![\p{L}\p{N}])`, 'iu')

const LEAD_EN = `please|pl[sz]|(?:can|could|would|will) (?:you|u)(?: mind)?|you (?:can|could|may|might as well)|i(?:['’]?d| would)(?: really)? (?:like|love|need|prefer|want) (?:you to|it if you)|i (?:want|need) you to|i(?:['’]?d| would) rather you|ok|okay|so|and|then|also|but|now|actually|just|hey|oh|well|sorry|kindly|go ahead and|maybe|anyway|either way|best|hey|lets|let['’]?s`

const ENGLISH: Asking = {
  forgets: first(
    LEAD_EN,
    `(?:forget|(?<=mind )forgetting)(?: all)?(?: about)?|unremember|(?:pretend|say|imagine) (?:that )?(?:i|we)(?:['’]d| had| have)? (?:never|didn['’]?t|did not|not)(?: ever)? (?:said|say|told|tell|mention(?:ed)?|brought)(?: (?:you|u)\\b)?|stop (?:remembering|keeping|storing|holding)|un-?(?:know|learn|hear|see)|(?:don['’]?t|do not|didn['’]?t|did not|never|no need to|no point in)(?: you)? (?:remember|keep|keeping|store|save|record|retain|hold on to|hang on to|write down)`,
  ),
  removes: first(LEAD_EN, 'erase|erasing|delete|deleting|remove|removing|wipe|scrub|purge'),
  moves: first(
    LEAD_EN,
    'drop(?! (?:me|us|by|in)\\b)|bin|dump|lose|scratch|strike(?: out)?|(?:cross|rub)(?=.* (?:off|out)(?!\\p{L}))|take(?! care)|get (?:rid|it|that|this|them)|get(?=.* (?:off|out of) your)|throw|clear|ditch|trash|scrap|let go of|discard|toss|leave(?=.* out of (?:it|this|that|your (?:notes|memory|records?|head|mind))\\W*$)',
  ),
  matters:
    /\bthe (?:whole |entire )?(?:[\p{L}'’-]+ (?:things?|stuff|business|episode|story)|\p{Lu}[\p{L}'’-]+ (?:bit|part)|(?:bit|part|thing|stuff) about [\p{L}'’ -]+)(?: out of \p{L}+(?: \p{L}+)?)?\W*$/u,
  discards:
    /\b(?:drop(?! (?:me|us|by|in)\b)|bin|dump|lose|scratch|ditch|trash|scrap|discard|cross|rub|strike)\b/iu,
  addresses: word(
    '(?:please|pl[sz])|(?:can|could|would|will) (?:you|u)|you (?:can|could|may)|(?<=^\\s*)\\p{L}+ (?:it|that|this)(?=\\W*$)',
  ),
  recalls: word(
    `i(?:['’]?ve| have)?(?: just| ever)? (?:said|told|gave|mentioned|shared)|told you|you(?:['’]ve| have) (?:saved|stored|kept|noted)|(?:what(?:ever)?|everything|anything|all|info\\p{L}*)(?: that)? you(?:['’]ve| have| know)(?: got)?(?= (?:about|on|of|for|from)\\b|$)|(?:from|out of|off|in) your \\p{L}+|(?:from|out of|off|in) (?:my|the) (?:memory|notes?|records?|file|head)|(?:things?|stuff|business|bit|part|line) (?:about|with)|on file|about me|(?<=\\b(?:it|that)\\b.{0,12}, )about`,
  ),
  idle: word(
    `(?:${LEAD_EN})|(?:forget|eras|delet|remov|wip|stor)(?:e|ing|ting)?|unremember|remember(?:ing)?|keep(?:ing)?|save|record|retain|leave|drop|scrub|purge|bin|dump|lose|scratch|strike|take|get|throw|clear|ditch|trash|scrap|let go|discard|toss|hold|hang|write|all|stop|no need|no point|\\p{L}+n['’]t|not|mine|tell|telling|going|ahead|want|please|pl[sz]|i['’](?:ll|d|m)|(?:it|that|he|she|they|we)['’](?:s|ll|d|re|ve)|the|that|this|those|these|it|any|everything|anything|whatever|what|about|of|from|to|out|away|in|on|off|for|there|i|['’]ve|i['’]?ve|you|you['’]?ve|what(?:ever)? you['’]ve|my|me|a|an|got|have|had|said|told|gave|given|mentioned|mentions?|shared|with|thing|things|stuff|business|bit|part|story|note|notes|line|entry|the number|memory|record|records|file|rid|again|anymore|more|pretend|say|imagine|never|had|un-?(?:know|learn|hear|see)|cross|rub|back|your|will|u|about|like|properly|brain|mind|head|now|then|would|could|will|can|thanks|thank|very|much|just|one|who|which|when|is|was|were|are|whole|either|and|or|down|list`,
  ),
}

const CHINESE: Asking = {
  forgets:
    /(?<![别不没总常是会怕易点我他她都也])忘(?:了|掉|记)(?!提醒|带|关|拿|买|告诉你|[跟和]你[说讲提](?![的过]))|给我(?:都|全|统统)?忘|(?:[别莫勿]|不要|不用|不想让你)(?:再)?(?:给我|帮我|替我)?(?:[记存](?![得住])着?|留(?:着|底|存|档|记录|痕迹?|下?(?=[了吧。！，\s]|$)))|[都也]忘(?:了|掉)吧|当我?没(?:说|提|讲)过?/u,
  removes: /删|刪|抹掉|抹了|抹去|清除/u,
  moves:
    /(?:清|擦|划|去|拿|撤|丢|扔|抹|除)(?:掉|干净)|(?<=麻烦|请|帮我|给我|[你您].{0,6})(?:清|擦|划|去|抹)了/u,
  matters: /的[那这]?部分/u,
  discards: /./u,
  addresses: /[你您](?!说|看|觉得|们)|麻烦|帮我|给我|拜托|请/u,
  recalls:
    /我(?:跟你|和你|对你)?(?:刚才|之前)?(?:说|讲|提|告诉)|你(?:记|那里|那儿|(?:的)?(?:脑子|脑海|脑袋|心)里?)|记忆|那件事|这件事|的事|那事|这事|[那这]一?[句条段](?=[话的你请麻帮给从就都也别不删抹清擦划去拿忘吧，。]|经历|感情|对话|内容|回忆|\s|$)|的话|的話|不该(?:给|说|讲|告诉)/u,
  idle: /(?:别|莫|勿|不要|不用|不想让你)(?:再)?[记存留]着?|统统|有关|当我?没(?:说|提|讲)过?|忘(?:了|掉|记)|(?:删|刪|抹|清|擦|划|去|拿|撤)(?:掉|了|除|去)|删|请|麻烦|拜托|帮我|给我?|可以|能不能|能|吧|了|的|把|将|你|我|跟|和|与|从|擦|那[里儿]|脑子|脑海|脑袋|心里|里头?|干净|谢谢|这个|那个|这件|那件|那句|那条|这条|事情|事儿?|情|话|都|全|就|算|多嘴|彻底|一下|吗|嘛|啊|说过?|讲过?|提过?|告诉|关于|记忆|里|这|那|人|在|是/gu,
}

/**
 * Builds the patterns of a Romance language. A request begins with its verb, or with a polite frame and then the verb: “could you …”.
 *
 * @param lead words that may stand before a request: “please”
 */
function romance(
  lead: string,
  frame: string,
  verbs: Readonly<Record<'forgets' | 'removes' | 'moves', readonly [plain: string, framed: string]>>,
  rest: { readonly recalls: string; readonly idle: string; readonly all: string; readonly data: string },
): Asking {
  const asks = ([verb, framed]: readonly [string, string]): RegExp =>
    new RegExp(
      // The verb may follow what it removes: “lo de la cárcel bórralo”.
      String.raw`${first(lead, verb).source}|(?<=\S\s)(?=\p{L}+-?l[oae]s?[\s\p{P}]*(?:${lead})?[\s\p{P}]*$)(?:${verb})[\s\p{P}]*(?:${lead})?[\s\p{P}]*$|${first(lead, String.raw`(?:${frame})(?:[\s,]+(?:${lead}|${rest.all}))*[\s,'’]+(?:${framed})`).source}`,
      'iu',
    )
  return {
    forgets: asks(verbs.forgets),
    removes: asks(verbs.removes),
    moves: asks(verbs.moves),
    recalls: word(rest.recalls),
    idle: word([lead, frame, ...Object.values(verbs).flat(), rest.idle, rest.all].join('|')),
    all: word(rest.all),
    data: word(rest.data),
  }
}

const SPANISH = romance(
  'porfa|por favor|anda|oye|y|bueno|vale|pues|entonces|mira|ok|mejor|me|te|le|os|lo|la|los|las|se',
  '(?<!\\bse )(?:puedes?|podr[ií]a(?:s|is)?|pudieras?|quieres)(?: usted)?|ser[ií]a posible(?: que)?|importar[ií]a|har[ií]as?(?: usted)? el favor de|(?:ser[ií]as?|eres) tan amable de|tendr[ií]as? la (?:amabilidad|bondad) de|(?:quiero|quisiera|querr[ií]a|necesito|pido|ruego|prefiero|preferir[ií]a|gustar[ií]a|agradecer[ií]a|es mejor|ser[ií]a mejor) que',
  {
    forgets: [
      'olv[ií]d[ae](?:te|l[oa]s?)?|no (?:(?:te|lo|la|los|las|me) )*(?:recuerdes?|acuerdes|guardes?|apuntes|anotes|registres|memorices|almacenes)',
      String.raw`olvid\p{L}+|no (?:(?:te|lo|la|los|las|me) )*(?:recor|recuerd|guard|apunt|anot|registr|memori|almacen)\p{L}+`,
    ],
    removes: [
      'b[oó]rr[ae](?:me)?(?:l[oa]s?)?|el[ií]min[ae](?:l[oa]s?)?|suprim[ae]',
      String.raw`(?:borr|elimin|suprim)\p{L}+`,
    ],
    moves: ['qu[ií]t[ae](?:l[oa]s?)?|saca(?:l[oa]s?)?', String.raw`(?:quit|sac)\p{L}+`],
  },
  {
    recalls:
      'lo de(?:l| la| los| las| mi)?|todo (?:sobre|acerca)|que (?:vivo|soy|tengo|estoy|trabajo)|lo que (?:te|sabes|acabo|dije|he)|te (?:dije|cont[eé]|he dicho)|memoria|recuerdo',
    idle: 'el|de|del|que|mi|mis|un|una|ya|m[aá]s|a|en|con|tu|tus|memoria|sobre|eso|esto|sabes|dije|decir|decirte|acabo|acerca|cont[eé]|contar|contado|hablado|dicho|he|soy|tengo|cosas?|asunto|tema|historia',
    all: 'todo|toda|todos|todas|por completo',
    data: String.raw`datos|informaci[oó]n|recuerdos|historial|conversaci[oó]n\p{L}*|m[ií]|personales|hemos hablado`,
  },
)

const FRENCH = romance(
  `s['’]il (?:te|vous) pla[iî]t|stp|svp|ok|bon|alors|et|tiens|[eé]coute|en fait|finalement|bah|bien|plut[oô]t|aussi|me|te|le|la|les`,
  `(?:est-ce que )?(?:tu|vous) (?:peux|pourrais|pouvez|pourriez|veux)|(?:peux|pourrais|veux)-tu|(?:pouvez|pourriez)-vous|merci de|veuillez|(?:[cç]a (?:te|vous) (?:d[eé]rangerait|ennuierait)|serait-il possible|ce serait (?:bien|gentil|possible)|(?:aurais|auriez)-(?:tu|vous) (?:la gentillesse|l['’]amabilit[eé])|je (?:te|vous) (?:prie|demande|saurais gr[eé]|serais reconnaissante?)) de?|(?:je (?:veux|voudrais|souhaite|souhaiterais|pr[eé]f[eéè]re|pr[eé]f[eéè]rerais)|j['’]aimerais(?: bien| mieux)?|il faut) que (?:tu|vous)`,
  {
    forgets: [
      String.raw`oubliez?(?:-l[ea]s?|-moi)?(?! pas)|n(?:e |['’])(?:(?:te|vous|le|la|les) |l['’])*(?:retien|reten|gard|not|enregistr|m[eé]moris|stock|souvien)\p{L}* (?:pas|plus|rien)`,
      String.raw`oubli\p{L}+|n(?:e |['’])(?:(?:te|vous|le|la|les) |l['’])*(?:pas )?(?:retien|reten|gard|not|enregistr|m[eé]moris|stock|souvien)\p{L}*(?: pas| plus| rien)?`,
    ],
    removes: ['(?:efface|supprime|raye)z?(?:-l[ea]s?|-moi)?', String.raw`(?:effac|supprim|ray)\p{L}+`],
    moves: ['(?:enl[eè]ve|retire|vire)z?(?:-l[ea]s?|-moi)?', String.raw`(?:enl[eè]v|retir|vir)\p{L}+`],
  },
  {
    recalls: `histoire d|tout (?:sur|[aà] propos)|ce que (?:je|tu|j['’]\\p{L}+)|je t['’]ai|racont[eé]|m[eé]moire|(?:truc|affaire) (?:de|sur|avec)`,
    idle: `l|de|du|des|d|que|qu|mon|ma|mes|ce|cette|[cç]a|tu|je|j|t|ai|en|un|une|[aà]|au|sur|histoire|truc|affaire|sais|sait|dit|dire|viens|racont[eé]|suis|pas|ne|moi|toi|ta|m[eé]moire|ligne|propos`,
    all: 'tout|toute|toutes|tous|compl[eè]tement',
    data: String.raw`donn[eé]es|informations?|infos?|souvenirs|conversations?|historique|personnelles|on s['’]est dit`,
  },
)

const PORTUGUESE = romance(
  'por favor|e|olha|ok|ent[aã]o|melhor|bom|me|te|o|a|os|as|se|voc[eê]|vc|tu',
  '(?:ser[aá] que (?:(?:voc[eê]|vc|tu) )?)?(?<!\\bse )(?:pode|podes|poderias?|podias?|pudesse|(?:seria|[eé]) poss[ií]vel|far(?:ias?|ia) o favor de|teria a (?:gentileza|bondade) de|d[aá] (?:para|pra)(?: voc[eê])?)|importaria de|(?:eu )?(?:quero|queria|gostaria|gostava|prefiro|preferia|preciso|pe[cç]o|agrade[cç]o|agradeceria|(?:[eé]|seria) melhor) que',
  {
    forgets: [
      String.raw`esque[cç][ea](?:-[oa]|-te)?|n[aã]o (?:(?:te|se|o|a|me) )*(?:guard|lembr|anot|grav|salv|regist|memoriz|armazen)\p{L}*`,
      String.raw`esque[cç]\p{L}+|n[aã]o (?:(?:te|se|o|a|me) )*(?:guard|lembr|anot|grav|salv|regist|memoriz|armazen)\p{L}*`,
    ],
    removes: [
      'apag(?:a|ue)|remov[ae]|exclu[ai]|elimin[ae]|deleta|delete(?= (?:o|a|os|as|isso|tudo|ess[ae]|meu|minha|tod))',
      String.raw`(?:apag|remov|exclu|elimin|delet)\p{L}+`,
    ],
    moves: ['tir[ae]', String.raw`tir\p{L}+`],
  },
  {
    recalls:
      'hist[oó]ria d|tudo sobre|o que (?:te|voc[eê]|acabei|disse|falei)|que eu|te (?:disse|contei|dei|falei)|mem[oó]ria|coisas? (?:com|sobre)',
    idle: 'de|da|do|das|dos|que|eu|meu|minha|meus|minhas|isso|essa|esse|a[ií]|um|uma|dei|disse|dizer|acabei|contei|falei|falar|sobre|hist[oó]ria|coisas?|mem[oó]ria|sou|em|no|na|com|sabe|sabes|j[aá]',
    all: 'tudo|todo|toda|todos|todas|completamente',
    data: String.raw`dados|informa[cç][oõ]es|informa[cç][aã]o|lembran[cç]as|hist[oó]rico|conversas?|mim|pessoais`,
  },
)

const LEAD_DE = 'bitte|ok|okay|also|und|hey|ach|komm|dann|doch|mal|jetzt|ja|du|sorry|[uü]brigens|einfach'
const FRAME_DE = String.raw`(?<!(?:wie|warum|wieso|weshalb) )(?:kannst|k[oö]nntest|w[uü]rdest|magst|willst|w[aä]rst) du(?: so (?:nett|lieb|freundlich|gut)(?: sein)?)?|(?:k[oö]nnen|k[oö]nnten|w[uü]rden|w[aä]ren) sie(?: so (?:nett|lieb|freundlich|gut)(?: sein)?)?|d[uü]rfte ich (?:dich|sie) bitten|ich w[aä]re (?:dir|ihnen) (?:sehr )?dankbar,? wenn (?:du|sie)|ich bitte (?:dich|sie)|w[aä]re es m[oö]glich|(?:ich (?:will|m[oö]chte|w[uü]nsche mir|w[uü]rde mir w[uü]nschen|h[aä]tte gerne?)|mir w[aä]re (?:es )?lieber|es w[aä]re \p{L}+),? (?:dass|wenn) du|du (?:kannst|sollst|darfst|k[oö]nntest)`
const KEEP_DE = String.raw`(?:merk|speicher|beh[aä]lt|behalt|notier|auf(?:schreib|heb)|wei[sß])\p{L}*`
const germanAsk = (verb: string, infinitive: string): RegExp =>
  new RegExp(
    [
      first(LEAD_DE, verb).source,
      String.raw`(?<!\p{L})(?:${FRAME_DE})\b.*(?<!\p{L})(?:${infinitive})(?=[\s\p{P}]*$|\s+(?:was|dass|bitte|k[oö]nnt\p{L}*|w[uü]rd\p{L}*)(?!\p{L}))`,
      String.raw`(?<!\p{L})bitte\b(?! dich| sie).*(?<!\p{L}|nicht |zu )(?:${infinitive})[\s\p{P}]*$`,
    ].join('|'),
    'iu',
  )

const GERMAN: Asking = {
  forgets: germanAsk(
    String.raw`vergiss|vergesst|vergessen sie|${KEEP_DE} (?:dir )?.*\b(?:nicht|nie|nichts)|ich (?:will|m[oö]chte) nicht,? dass du\b.*(?<!\p{L})${KEEP_DE}`,
    String.raw`vergess\p{L}*|vergisst`,
  ),
  removes: germanAsk(
    'l[oö]sche?|l[oö]schen sie|streiche?|entferne?|tilge?',
    String.raw`l[oö]sch\p{L}+|streich\p{L}+|entfern\p{L}+|tilg\p{L}+`,
  ),
  moves: germanAsk('wirf|nimm', 'rausnehmen|rausnimmst'),
  recalls: word(
    'was (?:du|ich)|alles (?:[uü]ber|zu)|das mit|dass ich|erz[aä]hlt|gesagt|ged[aä]chtnis|wei[sß]+t|speicher|sache mit',
  ),
  idle: word(
    String.raw`${LEAD_DE}|${FRAME_DE}|${KEEP_DE}|vergiss|vergess\p{L}*|vergisst|l[oö]sch\p{L}*|streich\p{L}*|entfern\p{L}*|tilg\p{L}*|wirf|nimm|raus|das|der|die|den|dem|des|dass|daß|ich|mir|dir|mich|was|[uü]ber|von|mit|mein|meine|meinen|meiner|meinem|meines|ein|eine|einen|sie|will|m[oö]chte|nicht|nie|nichts|alles?|alle|ganz|komplett|in|im|aus|zu|sache|geschichte|erz[aä]hlt|gesagt|gerade|eben|habe|hab|auch|wieder|deinem|ged[aä]chtnis|ist|bin`,
  ),
  all: word('alles|alle|s[aä]mtliche|komplett'),
  data: word(String.raw`daten|informationen|infos|erinnerungen|gespr[aä]che?|verlauf|pers[oö]nlichen`),
}

/** Polite endings of a request, which end the sentence: 忘れてくださいと言われた reports one. */
const TAIL_JA = String.raw`(?!\p{L}*(?:と|って)(?:\p{Script=Han}{1,4}[にはが])?(?:言|云|い[わうっ]|頼|聞|書|伝))(?:くだ\p{L}*|下さ\p{L}*|くれ\p{L}*|もら\p{L}*|ほしい\p{L}*|欲しい\p{L}*|おいて|いただ\p{L}*|頂\p{L}*|ね|よ)*[\s\p{P}]*$`
const JAPANESE: Asking = {
  forgets: new RegExp(
    `(?:忘れて|忘れといて|お忘れ(?:になって)?|[覚觉]えないで|[記记][憶忆録录]しないで|保存しないで)${TAIL_JA}`,
    'u',
  ),
  removes: new RegExp(`(?:消して|削除して)${TAIL_JA}`, 'u'),
  moves: new RegExp(`(?:取り除いて|外して)${TAIL_JA}`, 'u'),
  recalls: /こと|[話话]|[記记][憶忆]|の件|言った|[覚觉]え/u,
  idle: /[ぁ-ゟ、。]+|[話话]|件|今|[僕仆]|私|俺|[記记][憶忆録录]|言|[覚觉]え|忘れ|消|削除|外|取|除|保存|[下欲頂助嬉幸願思良]|全部|全|何/gu,
  all: /全部|すべて|全て|何もかも|ぜんぶ/u,
  data: /データ|[情][報报]|履[歴历]|会[話话]|[関关]|個人|个人/gu,
}

const TAIL_KO = String.raw`\s*(?:버려\s*)?(?:줘|주|줄|줬|달라)\S*(?:\s+(?:좋겠|고마|고맙|감사|기쁘|될|돼|안|수|있|없(?:나|을까|겠)|(?<=으면 )[합해])\S*)*[\s\p{P}]*$`
/** Korean words without a topic: 제, 이야기, 모두. */
const IDLE_KOREAN = String.raw`제|내|나|저|좀|그|이|저희|우리|얘기|이야기|것|건|거|숫자|제발|다|모두|모든|전부|싹|말한|말|한|했던|방금|아까|기억|이제|지금까지|여태|그동안|대한|대해서?|관한|관해서?|에서|좋겠\S*|고맙\S*|고마\S*`
const KOREAN: Asking = {
  forgets: new RegExp(`잊어${TAIL_KO}|잊으(?:세요|십시오)|(?:기억|저장|기록)하지\\s*(?:마|말)`, 'u'),
  removes: new RegExp(`(?:지워|삭제해?)${TAIL_KO}`, 'u'),
  moves: new RegExp(`(?:빼|없애)${TAIL_KO}`, 'u'),
  recalls: /얘기|이야기|것|거|기억|말한|말했|말은/u,
  idle: pattern(
    'gu',
    String.raw`(?<!\S)(?:${IDLE_KOREAN})(?:은|는|이|가|을|를|도|만|의|에|에서)?(?!\S)`,
    /(?<=\S[운한은던난린] )일[은을]?(?!\S)|에\s*(?:대해서?|대한|관해서?|관한)|(?:잊어|지워|없애|빼|삭제해?|잊으)\S*|(?:기억|저장|기록)하지\s*(?:마|말)\S*|(?<=[가-힣]{2})[은는을를](?!\S)|(?<!\S)(?:줘|주[세시셨십실면]|줄래|달라|감사|기쁘|있[나을]|없[나을겠]|안 [될돼]|(?<=으면 )[합해]|(?<=[실줄] )수(?!\S))\S*/u,
  ),
  all: /모두|전부|모든|싹|(?<!\S)다(?!\S)/u,
  data: /(?:정보|데이터|기록|대화|기억)(?:를|을|은|는)?/gu,
}

/** The patterns of all languages. */
export const ASKING = [ENGLISH, CHINESE, SPANISH, GERMAN, FRENCH, PORTUGUESE, JAPANESE, KOREAN]
