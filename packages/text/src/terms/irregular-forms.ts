/** Base forms, each with its irregular forms: “buy bought”. Forms that are other words too are missing: “bit”, “rose”, “leaves”. */
const FORMS = `
arise arose arisen, eat ate eaten, awake awoke, become became, begin began begun, bend bent, bleed bled, blow blew blown,
buy bought, breed bred, break broke broken, bring brought, build built, burn burnt, come came, catch caught,
choose chose chosen, cling clung, creep crept, deal dealt, drink drank drunk, draw drew drawn, dream dreamt,
die died dies dying, drive drove driven, dig dug, fall fell fallen, feed fed, feel felt, flee fled, fly flew flown, forgive forgave forgiven,
forget forgot forgotten, fight fought, find found, freeze froze frozen, give gave given, go went gone, get got gotten,
grow grew grown, hear heard, hold held, hide hid hidden, hang hung, keep kept, kneel knelt, know knew known, lay laid,
leap leapt, learn learnt, lead led, leave left, lend lent, lie lied lies lying, lose lost, make made, mean meant, meet met,
mistake mistook mistaken, overcome overcame, pay paid, run ran, ride rode ridden, ring rang rung, rise risen, say said,
sing sang sung, sink sank sunk, sit sat, see saw seen, send sent, sew sewn, shake shook shaken, shine shone, shoot shot,
show shown, shrink shrank, sleep slept, slide slid, sell sold, seek sought, spell spelt, spend spent, spill spilt,
speak spoke spoken, spring sprang, steal stole stolen, stand stood, strike struck, stick stuck, sting stung,
swim swam swum, sweep swept, swear swore sworn, swing swung, take took taken, teach taught, tear tore torn,
think thought, throw threw thrown, tell told, tie tied ties tying, understand understood, undertake undertook, wake woke woken, win won,
wear wore worn, weep wept, withdraw withdrew withdrawn, weave wove woven, write wrote written,
child children, man men, woman women, foot feet, tooth teeth, mouse mice, goose geese, wife wives, knife knives,
half halves, shelf shelves, loaf loaves, wolf wolves, thief thieves, calf calves, scarf scarves
`

const bases: ReadonlyMap<string, string> = new Map(
  FORMS.split(',').flatMap((entry) => {
    const [base = '', ...forms] = entry.trim().split(/\s+/)
    return forms.map((form) => [form, base] as const)
  }),
)

/** Returns the base of an irregular form, or the word itself. */
export function baseOf(word: string): string {
  return bases.get(word) ?? word
}
