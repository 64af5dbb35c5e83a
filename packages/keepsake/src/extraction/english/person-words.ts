/**
 * Closed classes of English: kinship and other relations with the key they belong under, and the words for a
 * person's state in law. They are the language's own, few and stable; values are never listed.
 */
const RELATIONS: Readonly<Record<string, string>> = {
  partner: 'wife husband spouse partner boyfriend girlfriend fiancé fiancée fiance fiancee hubby',
  parents:
    'mother father mom mum mam mama papa dad daddy mommy mummy parent stepmother stepfather stepmom stepdad',
  siblings: 'brother sister sibling twin stepbrother stepsister bro sis',
  children: 'son daughter child kid baby toddler stepson stepdaughter',
  relatives:
    'grandmother grandfather grandma grandpa granny grandparent grandson granddaughter grandchild uncle aunt auntie cousin nephew niece mother-in-law father-in-law brother-in-law sister-in-law godmother godfather',
  friends: 'friend bestie buddy pal mate roommate flatmate housemate neighbour neighbor',
  colleagues: 'colleague coworker co-worker boss manager teacher professor classmate mentor supervisor',
  pets: 'dog cat puppy kitten pet hamster rabbit bunny parrot turtle tortoise goldfish horse pony guinea-pig ferret canary budgie snake lizard gecko',
}

const keyByWord = new Map(
  Object.entries(RELATIONS).flatMap(([key, words]) => words.split(' ').map((word) => [word, key] as const)),
)

/** The key of a relation's word, by its base form. */
export function relationKey(lemma: string): string | undefined {
  return keyByWord.get(lemma)
}

export const MARITAL = /^(?:married|single|engaged|divorced|widowed|separated)$/
export const DIETS =
  /^(?:vegan|vegetarian|pescatarian|halal|kosher|lactose|gluten|celiac|coeliac|diabetic|teetotal|sober)$/
/** Conditions by the endings medicine gives them, and the few everyday ones without. */
export const CONDITION =
  /(?:itis|osis|emia|aemia|algia|phobia|plegia|pathy|betes|lepsy)$|^(?:asthma|adhd|autism|insomnia|migraines?|epilepsy|cancer|depression|anxiety|ptsd|ocd|dyslexia|eczema|vertigo|anorexia|bulimia|parkinson|allerg(?:y|ies))$/

/**
 * Words that end the names of trades, and the everyday ones that do not. Tells only under which key a statement goes:
 * "I'm a …" is kept as who they are when this does not know it.
 */
const TRADE =
  /(?:eer|ologist|ician|ographer|onomist|terian|dentist|therapist|pharmacist|chemist|physicist|scientist|journalist|receptionist|stylist|psychiatrist|librarian|attendant|accountant|consultant|assistant|officer|worker|manager|developer|designer|programmer|teacher|professor|lecturer|lawyer|attorney|writer|editor|driver|plumber|carpenter|builder|baker|butcher|barber|hairdresser|farmer|firefighter|banker|broker|trader|cashier|waiter|waitress|director|actor|actress|doctor|surgeon|tutor|instructor|inspector|contractor|translator|interpreter|operator|administrator|counsellor|counselor|nurse|chef|cook|pilot|coach|clerk|soldier|sailor|vet|paramedic|midwife|freelancer|entrepreneur|salesperson|salesman|saleswoman|model|barista|bartender|electrician|mechanic|architect|analyst|artist|musician|photographer|principal|judge|guard|secretary|intern|trainee|apprentice|student|freshman|sophomore|retiree|housewife|homemaker)$/

export function isTrade(head: string): boolean {
  return TRADE.test(head)
}
