// Properties that questions ask for and texts state in many ways, such as allergies.
import { pattern } from '../pattern.ts'
import { NAMED_PLACE } from '../terms/chinese-places.ts'
import type { Property } from './property.ts'

// Properties that texts state in many ways. Texts that match rank first, but a text without a match may state one too.

/** Returns a pattern that matches whole words of any script. */
function words(...alternatives: string[]): RegExp {
  return new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${alternatives.join('|')})(?![\p{L}\p{N}])`, 'iu')
}

const ANIMALS =
  'dogs?|pups?|pupp(?:y|ies)|cats?|kittens?|rabbits?|bunn(?:y|ies)|hamsters?|gerbils?|guinea pigs?|rats?|mice|ferrets?|parrots?|budgies?|canar(?:y|ies)|cockat\\w+|hens?|chickens?|ducks?|geese|goose|horses?|pony|ponies|donkeys?|goats?|sheep|lambs?|cows?|calf|pigs?|alpacas?|tortoises?|turtles?|terrapins?|lizards?|geckos?|snakes?|goldfish|fish|bees|hedgehogs?|spaniels?|terriers?|collies?|labradors?|retrievers?|greyhounds?|whippets?|poodles?|tabby|ginger'
const AILMENTS =
  "\\p{L}{3,}(?:itis|osis|iasis|emia|aemia|pathy|algia|plegia)|crohn['’]?s|asthma\\p{L}*|diabet\\p{L}+|c(?:o)?eliac|epilep\\p{L}+|migraines?|cancer|tumou?r|stroke|thyroid|eczema|depress\\p{L}+|anxiety|adhd|autis\\p{L}+|pcos|copd|ibs|hernia|gout|lupus|ulcers?|high blood pressure|hypertension|diagnos\\p{L}+|syndrome|disease|disorder|condition|infection|wheez\\p{L}*"
const DRUGS =
  '\\d+ ?(?:mg|mcg|ml)|tablets?|pills?|capsules?|inhalers?|puffers?|injections?|infusions?|insulin|antibiotics?|painkillers?|steroids?|paracetamol|ibuprofen|aspirin|prescri\\p{L}+|dos(?:e|age)|\\p{L}{3,}(?:mab|nib|pril|statins?|olol|azole|cillin|mycin|cycline|dipine|sartan|formin|oxetine|prazole|parin|ovir|thyroxine|profen|zepam)'

/** Capitalised words that name no place: “January”, “Mr”. */
const NO_PLACES = String.raw`January|February|March|April|May|June|July|August|September|October|November|December|I\b|Dr|Mr|Mrs|Ms`
/** Words of living in a place: “lived”, “grew up”, “flat”. */
const LIVING =
  'live[sd]?|living|moved|moving|born|grew up|come from|came (?:over )?from|flat|apartment|terrace|cottage|bungalow|landlord|landlady|neighbou?rhood'
export const ENGLISH_OPEN_PROPERTIES: readonly Property[] = [
  {
    asks: words('allerg\\p{L}+', 'intoleran\\p{L}+'),
    holds: words(
      'allerg\\p{L}+|intoleran\\p{L}+|anaphyla\\p{L}+|epi-?pen|hives|rash(?:es)?|itch\\p{L}*',
      "swell\\p{L}*|swollen|swells? up|come up in|blotches|can['’]?t (?:have|eat|touch|take)",
      'throat (?:clos|tighten)\\p{L}*',
    ),
  },
  {
    asks: words(
      '(?:what|which) (?:\\p{L}+ )?(?:drugs?|medicines?|medications?|meds|tablets?|pills?|inhalers?|injections?|treatment)',
      'prescri\\p{L}+',
    ),
    holds: words(DRUGS),
  },
  {
    asks: words(
      '(?:what|which) (?:\\p{L}+ )?(?:disease|illness|condition|disorder|ailment|diagnosis|health problems?)',
      '(?:diagnosed|ill|suffer\\p{L}*) (?:with|from)',
    ),
    holds: words(AILMENTS),
  },
  {
    asks: words(
      '(?:what|which|any|(?:kinds?|sorts?) of) (?:\\p{L}+ )?(?:pets?|animals?|creatures?)',
      'what is my pet',
    ),
    holds: words(ANIMALS),
  },
  {
    asks: words('afraid|scared|fears?|frightened|frighten(?:s|ing)?|terrified|phobia|scares?'),
    holds: words(
      'afraid|scared?|scar(?:es|y|ing)|fear\\p{L}*|terrif\\p{L}+|phobi\\p{L}+|fright\\p{L}*',
      "panick?\\p{L}*|dread\\p{L}*|cold sweat|can['’]?t bear|nightmares?",
    ),
  },
  {
    asks: words(
      'where (?:do|does|did|am|is|are|was|were|have|has) (?:\\S+ ){1,4}?(?:live[sd]?|living|stay(?:ing)?|based|come from|from|born|grow up)',
      '(?:what|which) (?:\\p{L}+ )?(?:city|town|village|country|suburb|neighbou?rhood)',
      'which part of',
      'home ?town',
    ),
    holds: pattern(
      'u',
      String.raw`\b(?:in|from|at|near|to|of|around|outside) (?!${NO_PLACES})\p{Lu}\p{Ll}{2,}`,
      String.raw`\b(?:${LIVING})\b`,
    ),
  },
]

/** Words for living somewhere. */
const AT_HOME = String.raw`住|搬|租房|合租|老家|[省市县镇村]人?|(?<!\p{Script=Han})(?:在|回|到|去)\p{Script=Han}{2}(?:了|的|，|。|$)|\p{Script=Han}{2}人(?!\p{Script=Han})|家在`
/** Matches words beside the name of a place, for places that no list has. */
const OF_A_PLACE = String.raw`老家|家乡|\p{Script=Han}{2}[省市县镇村](?!\p{Script=Han}{0,2}里)|(?<![\p{Script=Han}])(?:在|回|到|去)\p{Script=Han}{2}(?:了|的|，|。|$)|(?<!\p{Script=Han})\p{Script=Han}{2}人(?!\p{Script=Han})`
const HAN_NUMBER = '[\\d一二三四五六七八九十百千万两半零]'

export const CHINESE_OPEN_PROPERTIES: readonly Property[] = [
  {
    asks: /过敏|忌口|不能吃/,
    holds: /过敏|疹|发痒|[很好]痒|疙瘩|起包|肿|不[能敢](?:吃|碰|沾)|喉咙发紧|忌口/,
  },
  {
    asks: /宠物|养(?:了|的|着|过)?(?:什么|啥|只|一只|哪)|什么(?:动物|小动物)/,
    holds:
      /[猫狗犬兔龟鼠鸟鸡鸭鹅鱼蛇羊马驴猪]|八哥|鹦鹉|守宫|蜥蜴|刺猬|金毛|柯基|泰迪|宠物|养(?:了|的|着|过)(?:一)?[只条]/,
  },
  { asks: /[怕惧]什么|害怕|恐惧|最怕/, holds: /怕|吓|恐|慌|噩梦|不敢/ },
  {
    asks: /(?:生活费|零花钱|工资|房租|租金|学费|奖金|价钱|价格|收入|押金|工钱|月薪|定金)[^，。？]{0,6}(?:多少|几)|多少[^，。？]{0,4}(?:钱|块|元|生活费|工资|房租)|花了多少/,
    holds: new RegExp(`${HAN_NUMBER}[多来几]?[块元万千百毛]|\\d{3,}`),
  },
  { asks: /住(?:在)?(?:哪|什么)|家在哪/, holds: new RegExp(`${AT_HOME}|${NAMED_PLACE.source}`, 'u') },
  {
    asks: /(?:哪|什么)(?:一?[个座])?城市|老家|哪[里儿]?的?人|老?家(?:是|在)哪/,
    holds: new RegExp(`${OF_A_PLACE}|${NAMED_PLACE.source}`, 'u'),
  },
  {
    asks: /在哪[里儿]?(?:上班|工作|打工|实习|上学|读书|念书|[读上念教]|留学|长大|出生|生活|当)/,
    holds: new RegExp(
      `${OF_A_PLACE}|${NAMED_PLACE.source}|公司|单位|医院|学校|中学|小学|幼儿园|餐厅|[店厂院局所馆站]里?(?:上班|工作|当|做|干)`,
      'u',
    ),
  },
]
