// Finds events of a sentence that end facts: a death, a parting, a lost job, an illness that healed.
// How to read a line of CUES, such as `parting before: is my ex | moved out(?! of)`:
// - “parting” is the kind of the event.
// - “before” says that the words before the cue name the fact that ends (“Ben moved out”).
// - ` | ` separates cues.
// - A `?` after the side means that the event is not sure. A `!` means that it counts only for a known person or place.
// - `= words` names the fact that ends, in place of the words around the cue.
// - spellOutCue() explains `_`, `~`, `@`, `%` and `#`.
import { either } from '../../pattern.ts'
import type { Ending, EndingKind } from '../matching/ending.ts'
import { ENGLISH_PHRASES } from './phrases.ts'
import { expandContractions } from './tag-words.ts'

/** The side of a cue on which words name the fact that ends. */
type Side = 'before' | 'after' | 'around'

/** A pattern of words that report an event, such as “broke up”. */
interface Cue {
  readonly kind: EndingKind
  readonly side: Side
  readonly source: string
  readonly pattern: RegExp
  readonly isSure: boolean
  readonly mustName: boolean
  /** Words for the fact that ends, in place of the words around the cue. */
  readonly means?: string
}

/**
 * Returns the events of a sentence that end facts: deaths, partings, lost jobs, medicines, plans and other things that are no longer so.
 *
 * @example
 * readEndings('Ines and I broke up.') // [{ kind: 'parting', words: 'Ines', isSure: true }]
 */
export function readEndings(sentence: string): Ending[] {
  if (/\?\s*$/.test(sentence)) return []
  const said = expandContractions(sentence.replaceAll('’', "'"))
    .replaceAll(/'s (?:funeral|wake|ashes|burial)\b/gi, ' died')
    .replaceAll(/(?<=\p{L})'s (?=no longer|not|gone|off|dead|over|been)/gu, ' is ')
  const found = FINDING.test(said) ? said.replace(FOUND_OUT, 'I no longer have ') : said
  const clauses = found.split(CLAUSE_END).map((clause) => clause.trim())
  const supposed = clauses.findIndex((clause) =>
    /^(?:and )?(?:if|unless|when|imagine|suppose|what if)\b|\b(?:sa(?:id|ys)|claims?|wrote|goes)$/i.test(
      clause,
    ),
  )
  return clauses.flatMap((clause, i) =>
    (supposed >= 0 && supposed <= i) || !ANY_CUE.test(clause)
      ? []
      : CUES.flatMap((cue) => readCue(clause, cue, clauses.slice(0, i))),
  )
}

/** Reads the ending that one cue states in a clause. `earlier` are the clauses before it. */
function readCue(
  clause: string,
  { kind, side, source, pattern, isSure, mustName, means }: Cue,
  earlier: readonly string[],
): Ending[] {
  const match = pattern.exec(clause)
  if (match === null) return []
  const [cue] = match
  const before = clause.slice(0, match.index)
  const isDenied = DENIED.test(before) || (/\bnot\b/i.test(cue) && !source.includes('not'))
  if (isDenied || UNREAL.test(kind === 'plan' ? before : before + cue)) return []
  if (LOOKING_BACK.test(before) && (kind === 'job' || kind === 'parting')) return []
  const [after = ''] = clause.slice(match.index + cue.length).split(GOES_ON)
  const naming = { before, after, around: `${before} ${after}` }[side]
  const said = means ?? naming.replace(REPORTING, '')
  const own = kind === 'moving' ? said : said.replaceAll(OF_OTHERS, ' ')
  const words = (OF_PEOPLE.has(kind) ? own.replaceAll(ANYBODY, ' ') : own).trim()
  const isOwn = OWN.test(before) || /(?<![\p{L}'])(?:i|we|me|us|our|my)(?![\p{L}'])/iu.test(cue)
  if (
    !isOwn &&
    (OF_SPEAKER.has(kind) || (kind === 'moving' && !isSure) || (kind === 'recovery' && side === 'after'))
  )
    return []
  if (kind !== 'recovery') return [{ kind, words, isOwn, isSure, mustName }]
  // “Dad's scan was clear, he's in remission”: the clause before names him.
  const named = /^(?:he|she|they)(?!\p{L})/iu.test(clause) ? [...earlier, clause].join(' ') : clause
  return [{ kind, words, isOwn, isSure, mustName, people: named.replaceAll(KIN_OF_OTHERS, ' ') }]
}

/** Spells a cue out. `_` is any word, `~` up to three words, `@` the speaker, `%` a long time later in the clause, `#` a medicine. */
function spellOutCue(cue: string): string {
  return cue
    .replaceAll('%', LONG)
    .replaceAll('~', '(?:_ ){0,3}')
    .replaceAll('_', WORD)
    .replaceAll('@', SELF)
    .replaceAll('#', MEDICINE)
}

/** Reads the lines of CUES. */
function readCues(lines: string): Cue[] {
  return lines
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [, kind, side, signs = '', is, means = '', cues = ''] =
        /^([\w-]+) (\w+)([?!]*)( =(?: ([^:]+))?)?: (.+)$/u.exec(line) ?? []
      return cues.split(' | ').map((cue) => {
        const source = spellOutCue(cue)
        const [pattern, isSure, mustName] = [asWords(source), !signs.includes('?'), signs.includes('!')]
        const entry = { kind: kind as EndingKind, side: side as Side, source, pattern, isSure, mustName }
        return is === undefined ? entry : { ...entry, means }
      })
    })
}

function asWords(source: string): RegExp {
  return new RegExp(`(?<![\\p{L}'-])(?:${source})(?![\\p{L}'-])`, 'iu')
}

const WORD = String.raw`[\p{L}\p{N}'-]+`
/** Matches the speaker as the subject, or a start without a subject: “I quit”, “finally quit”. */
const SELF = String.raw`(?:(?:i|we) (?:${WORD} ){0,3}|^(?:(?:finally|just|so|ok|okay|well|oh|ugh|yay|guess|today|also|and|yesterday|got|been|had to|officially|big news) )*)`
/** Matches a time after which a habit has ended: “since January”, “for two years”. A day or a morning is too short. */
const LONG = String.raw`(?=.* (?:since (?:_ )?(?:january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|fall|winter|christmas|easter|new|year|month|\d{4})|(?:for|in) (?:_ ){1,3}?(?:weeks|months|years|year|ages))(?!\p{L}))`
/** Matches a medicine by its name or ending, as in the rules: “losartan”, “-pril”. */
const MEDICINE = `(?:${ENGLISH_PHRASES.drug.replaceAll(/\s*\|\s*/g, '|').replaceAll(/(?<=^|\|)-/g, String.raw`\p{L}+`)})s?`

/** Foods, each with the diets that end when someone eats them again. */
const DIETS = [
  ['meat|chicken|beef|bacon|steak|lamb|ham|turkey', 'vegetarian vegan pescatarian meat'],
  ['fish|seafood|shellfish|sushi', 'vegetarian vegan fish seafood shellfish'],
  ['dairy|cheese|milk|eggs|butter|yoghurt', 'vegan dairy lactose milk cheese egg'],
  ['gluten|bread|wheat|pasta', 'gluten wheat bread coeliac celiac'],
  ['pork', 'pork halal kosher'],
] as const

const CUES = readCues(String.raw`
death before: (?:died|dead|deceased|euthanised|euthanized|no longer with us|did not make it) | (?:been |was |were |be )put (?:down|to sleep)
death before: passed (?:away|on(?! _)|peacefully|in (?:his|her|their) sleep|last night|yesterday|this morning)
death before?: passed(?= (?:(?:on|in|last|this|early|late|over) (?:_ )?(?:january|february|march|april|may|june|july|august|september|october|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday|spring|summer|autumn|fall|winter|\d{4}|week|weekend|month|year|hospital)|(?:_ ){1,2}ago|suddenly|at home)$)
death before: (?:crossed|went over|gone over|over) the rainbow bridge
death after: @lost(?= (?:my|our|(?:mum|mom|dad|gran\p{L}*|nan\p{L}*|uncle|aunt\p{L}*|cousin|little|old) \p{L}+|\p{L}+ (?:to|last|this|in|on|yesterday)|\p{L}+$)) | @(?:buried|cremated)
death after: (?:had|have|got) (?:to )?(?:put|have)(?= (?:_ ){1,5}(?:down|put down|put to sleep|to sleep)) | had(?= (?:_ ){1,4}put (?:down|to sleep))
death after?: (?:said|(?:had|have) to say)(?: our)?(?: last| final)? (?:goodbyes?|farewell) to
death before?: gone(?= now| forever|$)
death before!: lost (?:his|her|its|their|the) (?:battle|fight) | (?:took|drew|breathed) (?:his|her|its|their) last | slipped away(?=$| (?:peacefully|last|in|this|yesterday)\b) | (?:is|are) no more(?=$)
death after!: rip | rest in (?:peace|power) | rest easy | run free | had to let(?= (?:_ ){1,3}go(?:$| (?:today|yesterday|last|this|peacefully)))
death before = husband wife partner: (?:widow|widower|widowed)
parting before: (?:broken?|break|split) up(?! (?:the|a|an|our|into|at|to|by|on|in|my|for|with)\b)
parting before: (?:and (?:i|me) )(?:~)(?:split|separated|divorced|parted ways|called it quits|called it a day|over|finished|done)(?! (?:the|a|an|our|it|with|for)\b)
parting after!: ^(?:(?:so|well|and|yeah|ok|okay) )*(?:me|us) and(?= _ (?:~)(?:split|separated|divorced|over|finished|done|history|through)(?! (?:the|a|an|our|it|with|for)\b))
parting before!: (?:and (?:i|me) )(?:~)(?:history|through|toast)(?=$)
parting before!: (?:ended|finished) (?:it|things|our (?:relationship|marriage|engagement))(?=$| (?:with me|last|today|yesterday|tonight|this|over|by|on|in)\b)
parting after!: @(?:left|dumped|ditched|chucked|binned|divorced)(?= (?:my (?:_ )?)?_(?:$| (?:last (?:night|week|month|year)|yesterday|today|over the phone|by text|for good|for (?:another|someone) .*|on \p{L}+day)$)) | (?:it|things|everything) (?:is|are) (?:~)(?:over|done|finished|off) with
parting after!?: (?:am|are) (?:~)(?:done|finished|through) with | (?:kicked|threw|chucked)(?= (?:_ ){1,3}out(?:$| (?:last|this|yesterday|today|of (?:the|my|our) (?:house|flat|apartment|place))))
parting before!?: left(?= for good) | walked out(?=$| last| this| yesterday) | (?:and (?:i|me) )(?:~)(?:on|taking|having|need) (?:a|some) (?:break|time apart)
parting before: we (?:~)(?:split|separated|got (?:a )?divorced?|divorced|called it quits|called it a day|parted ways|went our separate ways)(?! _ _ _)
parting before: (?:left|dumped|divorced|ditched|walked out on|cheated on) (?:me|us)(?! (?:a|an|the|with|some|in|at|to|alone)\b)
parting before: (?:are|were|am|is) (?:no longer|not) (?:together|a couple|an item|engaged|dating|seeing each other|married)(?: any ?more)?
parting before: is (?:now )?my ex | moved out(?! of) | i am (?:single|divorced)(?= again| now|$)
parting around? =: (?:it is |is )?just me(?: and (?:the|my) _)?(?= now(?!.*\b(?:till|until|for|this)\b)) | (?:kicked|threw|chucked) (?:him|her) out | (?:his|her) (?:stuff|things|clothes)(?= (?:is |are )?(?:in (?:bin bags|boxes)|on the (?:lawn|landing|doorstep)))
parting before: (?:our|my) (?:divorce|separation|break-?up)(?! _ _ _) | (?:our|my|the) divorce(?= (?:_ )?(?:came|went|has gone|is|was|got|been) (?:~)(?:through|final|finali[sz]ed|granted|official)) | divorce papers(?= (?:~)(?:signed|through|final)) | @(?:got|am) (?:~)divorced(?= (?:in|on|last|this|today|yesterday|now)|$)
parting after: (?:broke up|broken up|break up|breaking up|split up|split|separated|divorced?|ended (?:it|things)|finished things|parted ways|broken? it off) (?:with|from)(?! an? )
parting after: (?:over|finished|done) between | (?:i|we) (?:~)divorced(?= my) | (?:i|we) (?:~)(?:dumped|divorced)(?= \p{Lu}\p{L}+$| my _$| my _ (?:last|this|in|for|yesterday))
parting after: my ex(?:[- ](?:husband|wife|boyfriend|girlfriend|partner|fiancée?))?
parting around: (?:called|broke|broken) off (?:the|our|my) engagement
parting before: (?:our|my) engagement is (?:now |officially )?(?:off|over)(?! _)
parting before?: the engagement is (?:now |officially )?(?:off|over)(?! _)
job after: @(?:fired|sacked|laid off|let go|made redundant|dismissed) | @(?:got|was given|were given) the (?:sack|boot|chop|push)
job after: (?:fired|sacked|laid|dismissed|axed) me(?: off)? | made me redundant | let me go(?=$| (?:from|after|because|today|yesterday|last|this|in|on (?:mon|tues|wednes|thurs|fri)day)\b)
job after: @(?:resigned|quit|left|lost|gave up|given up|packed in|jacked in|chucked in)(?= (?:~)(?:job|position|post|work|role|gig)\b)
job after: (?:i|we) (?:~)(?:resigned|retired)(?! (?:the|a|my|our)\b)(?: from| as)? | @(?:stopped working (?:at|for|as)|quit(?=$| (?:today|yesterday|last|this|in|on|after)))
job after: (?:i|we) (?:~)left(?= (?:my |the )?_(?:$| for good| last| after \d| after (?:a|two|three|four|five|six|seven|eight|nine|ten)| in \p{Lu}))
job after: @(?:handed|gave|put|turned|given)(?: in)? (?:my|our) (?:notice|resignation|badge|apron|uniform|lanyard)(?: in| back)?
job after: my (?:contract|job|position|role|post) (?:~)(?:ended|ran out|expired|not renewed|cut|gone|eliminated|scrapped|over)
job after: am out of (?:work|a job) | not (?:renew|extend) my contract
job after!: last (?:day|ever shift|shift(?=.* (?:today|ever)))(?: ever)? (?:at|with|for)(?! .*\b(?:tomorrow|next|is on|will|soon|before|of|until|till)\b)
job after!?: (?:bye(?:[- ]bye)?|goodbye|farewell|so long|adios) | said (?:goodbye|farewell) to
job after? =: (?:cleared|packed up|emptied)(?: out)? (?:my|our) (?:_ )?(?:desk|locker|office)(?: out)?
job after?: (?:deactivated|replaced|ousted) me | was my last (?:day|shift)(?=$)
new-work after?: @(?<=(?:got|been|was|am|are|were) )promoted | @(?:retrained|requalified|(?:am )?(?:~)(?:training|retraining)) (?:as|to be) | @(?:changed|switched) (?:careers?|professions?)
closing after?: @(?:(?:had to )?(?:close|shut)|closed|shut)(?: down)?(?= (?:the|my|our) )(?!.* (?:early|late|today|tonight|tomorrow|(?:for|in) (?:an?|the|one|two|three|\d+) |until|till|at \p{N}|door|window|account|eyes))
closing before: (?:closed|shut) (?:down|its doors|for good) | (?:went|gone|going) (?:bust|under|bankrupt) | (?:has|have|is|are)? ?(?:closed|shut)(?=$)
moving around?: (?:gave|given|handed|dropped|posted) (?:(?:back|in|over) (?:_ ){1,4}?keys|(?:_ ){1,4}?keys (?:back|in|over)|(?:_ ){1,3}?keys to (?:my|our|the) (?:landlord|landlady|agent|agency|letting))
moving around?: (?:got the keys|moved house)(?! _) | (?:@|and )moved in(?=$| (?:last|this|yesterday|today|on) ) | @moved (?:in|into)(?: to)? (?:the|our|my) new (?:house|home|place|flat|apartment)(?! _ _ _ _)
moving after: @(?:moved (?:out|away) (?:of|from)|sold up in|(?:given|gave) up (?:my|our|the) (?:flat|house|room|place) in)
moving after: (?:(?:i|we)(?: have)?(?: just| finally| already)? |^(?:finally |just )?)left(?= \p{L}+(?: \p{L}+)?(?: for good| behind| in (?:january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|winter|\d{4})))
moving around = parents parent mum dad family flatmate flatmates: (?:got|found|have) (?:my|our) own (?:place|flat|apartment|room|studio)
moving before: moved (?:back |over |away |out )?(?:to|from)(?= \p{Lu}) | lives? (?:in|near)(?= .*\bnow$)
moving around?: ^(?:(?:my|our|the|a|finally) )*new (?:flat|house|place|home|apartment)$ | @moved(?=$| (?:(?:last|this|next) (?:week|weekend|month|year)|yesterday|today|(?:on )?\p{L}+day|house|home|flats?|apartments?|cities|away(?! from))\b)
moving after!?: (?:finally|officially|now) out of(?! .*\b(?:for|till|until|by)\b) | (?:bye(?:[- ]bye)?|goodbye|farewell|so long|adios) | said (?:goodbye|farewell) to
coming-home before?: (?:back home|for good|moved (?:in|back))
medicine after: (?:changed|took|taken|switched|moved|weaned|got|swapped|came|come|gone|went) (?:me |us |myself )?off | (?:am (?:finally |now |completely )?|^)off
medicine after: (?:stopped|quit|finished|discontinued|gave up)(?: me)?(?: taking| using| with)? | (?:no longer|not) (?:on|take|taking)
medicine after: (?:switched|changed|swapped|moved) (?:me |us )?from | replaced
new-medicine after: (?:switched|changed|swapped|moved) (?:me|us)(?: over)? (?:on ?to|on|to)(?= (?:_ ){0,2}?#) | (?:been|was|were|got) (?:switched|changed|swapped|moved)(?: over)? (?:on ?to|on|to)(?= (?:_ ){0,2}?#)
medicine around? = medication: (?:doctor|doc|dr|gp|consultant|psychiatrist|cardiologist|specialist|nurse) (?:_ ){0,3}?(?:switched|changed|swapped|moved|put) me (?:on|onto|over|to)
pregnancy around =: (?:lost|losing) (?:the|our|my|a) (?:baby|babies|pregnancy|twins) | (?:ended|terminated) (?:the|my|our) pregnancy | had (?:an abortion|a termination)
pregnancy around =: (?:miscarried|miscarriage|stillbirth|stillborn|ectopic|no heartbeat|not pregnant|no longer pregnant)
pregnancy around =: lost (?:them|it|him|her)(?: both)?(?= at \d+ weeks)
pregnancy around =: (?:gave birth|had (?:the|our|my) (?:baby|twins)|(?:my |our )?(?:she|he|baby|son|daughter|boy|girl|twins) (?:_ )?(?:(?:was|were|is|are) )?(?:finally )?(?:born|arrived|here)(?! in \d{4}| in .* \d{4}|.* ago))
diet after = alcohol sober teetotal drink: (?:drink|drinking|drank)(?: alcohol| wine| beer)? again | back on the (?:drink|booze)
diet after = smoke: (?:smoke|smoking) again | back on the cigarettes
stopping around = smoke: not (?:smoked|(?:had|touched) (?:_ ){0,2}(?:cigarettes?|fags?|smokes?|ciggies))% | smoke[- ]free | off the (?:fags|cigarettes)
stopping around = single: we are (?:officially |now |finally )?(?:(?:back )?together|dating|a couple|engaged|married)(?! _ _ _)
stopping around? = retired retirement unemployed jobless: @(?:came|come|coming) out of retirement | @(?:went|gone|going|got|am|are)?(?: now| straight)? ?back (?:to|at|in) (?:work|teaching|nursing|driving|the office) | (?:~)un-?retired | @(?:started|start|starting)(?: _)? (?:work(?:ing)?(?: again)?(?=$| at| for| on| as| in)|(?:my |a |the )?(?:new )?job(?=$| (?:at|with|for|in|as|on|today|yesterday|this|last|next)(?!\p{L}))) | @(?:got|found|landed) (?:a|the|my|that) (?:new )?job(?=$| (?:at|with|for|in|as|today|yesterday|this|last)(?!\p{L}))
stopping around? = single: met someone(?=$| special| new) | (?:am|are|been|started) (?:~)(?:in a relationship|seeing someone|dating|going out with|official(?: now)?(?=$)) | @(?:have|got|found) (?:myself )?a (?:new )?(?:girlfriend|boyfriend|partner)(?= now|$| called| named) | my (?:new )?(?:girlfriend|boyfriend|husband|wife|fiancée?)
recovery after: (?:recovered from|(?:am|are) (?:~)(?:over|free of|rid of|clear of)|shook off|shaken off|got rid of|got over|grew out of|grown out of|outgrew|outgrown|beat|beaten|cured of|cleared of) | (?<=^(?:and |so |i have |there is )?)no more
recovery after?: had(?= (?:the|my|an?) (?:_ ){1,3}?(?:op|operation|surgery|removed|taken out)(?!\p{L})) | can (?:~)(?:eat|have|take|drink|stroke|wear|use|be around)(?= .*(?:safely|again|now|without)(?!\p{L}))
recovery before: (?:healed|cleared up|cured|in remission|gone away|went away|disappeared|vanished|resolved) | (?:is|are|has|have) (?:~)gone(?=$| (?:now|at last|thanks?|after|since|for good|forever|completely|without)(?!\p{L})) | is (?:~)(?:no more|history|a thing of the past)(?=$| now| thanks?)
recovery before?: (?:is|are|feels|feeling) (?:~)(?:better|fixed|back to normal|out of hospital)(?=$| now| at last| again)
recovery before =: (?:(?:fully|completely|totally) (?:recovered|healthy|better|fine|cured)|recovered|(?:got|given|gave me) the all[- ]clear)(?! _)
graduation around =: graduated(?! _ _ _ _ _) | got (?:my|the) (?:_ ){0,2}(?:degree|diploma|phd) | defended my (?:_ ){0,2}(?:phd|thesis|dissertation|doctorate)
graduation around =: dropped out(?=$| (?:last|this|in|after) )
graduation around =: (?:finished|completed|dropped out of|quit|left|done with) (?:(?:(?:my|the|our) (?:_ ){0,2})?(?:studies|degree|phd|master's|masters|bachelor's|course)|(?:my |the )?(?:uni|university|college|school))(?! (?:essay|exam|paper|project|work|run|early|for)\b)
falling-out around: and (?:i|me) (?:~)(?:no longer friends|not friends|fell out|fallen out|(?:(?:do|are) not (?:really )?|no longer )(?:speak|speaking|talk|talking|on speaking terms)(?= to each| any ?more| right now| these days|$)|lost touch|drifted apart)
falling-out around: (?:no longer|not|stopped being|done being) friends with | (?:fell out|fallen out|lost touch) with | (?:our|the) friendship (?:is|was)(?: over| done| finished)?
plan before: (?:fell|fallen) (?:through|apart|flat) | (?:came to nothing|did not (?:happen|work out|go ahead|come off)) | (?:off|cancelled|canceled|called off|scrapped|shelved|postponed|not happening|not going ahead|not going to happen)(?= now| again| after all| today| for good|$)
plan after: (?:called off|cancelled|canceled|scrapped|shelved|dropped|ditched|abandoned|postponed|backed out of|pulled out of|decided against|given up on|gave up on)
plan after: changed (?:my|our) minds? about | called(?= (?:~)off) | (?:decided|chose|chosen|opted) not to | (?:am|are) (?:not|no longer)(?= _ing .*(?:after all|any ?more|any longer))
plan after: (?:am|are) no longer(?= (?:going|moving|flying|getting|having|buying|travelling|traveling|starting|coming|visiting|planning|heading|marrying|hosting|running) )
plan after: will not be(?= .*after all) | did not get(?= .*after all)
plan before = move moving: (?:am|are) (?:all |both )?staying(?: put| after all| here| where we are)?(?=$)
giving-away after: (?:@|had to (?:~))(?:sold(?! out)|sell|rehomed?|scrapped|returned|donated|pawned|totalled|totaled|crashed|wrote off|written off|traded in|got rid of|rid of|gotten rid of|get rid of)
giving-away after: (?:@|had to (?:~))(?:gave|given|give)(?= (?:~)(?:away|up|back|to (?!me))\b) | (?:stole|nicked) | found (?:a (?:new |good )?home for)?
giving-away before?: (?:went|gone|going) to (?:a|an|my|our|some|the) (?:_ )?(?:lad|bloke|guy|man|woman|girl|couple|neighbour|neighbor|cousin|nephew|niece|friend|dealer|charity shop|scrapyard|scrap|tip)
giving-away before?: (?:is|are) gone(?=$| now| at last)
giving-away before: (?:was|were|got|been) (?:stolen|nicked|totalled|totaled|written off|sold|rehomed) | (?:ran|run) (?:away|off)(?! from| with| to)
stopping around: (?:am|is|are) not(?= (?:allergic|intolerant|diabetic|coeliac|celiac|asthmatic|epileptic)(?! _ing)|.*after all) | not(?: _)? (?:have|got)(?= .*after all)
stopping around?: (?:have|has) not(?: (?:been|had|touched|played|done|gone|practised|practiced|ridden|used|eaten|drunk|smoked))% | (?:days|weeks|months|years) (?:without|off|clear of|clean from)
stopping around: no longer | not(?= .*(?:any ?more|any longer|these days)) | (?:had|have) to (?:stop|quit|give up|drop) | used to | lapsed | (?:is|are) (?:now |all )?behind (?:me|us)
stopping around: (?:stopped|quit|gave up|given up|packed in|dropped out of|gone off|went off|done with|finished with|through with|retired from)
`).concat(
  DIETS.map(([foods, means]) => {
    const again = `(?:eat|eating|ate|have|having)(?= (?:~)(?:${foods})(?: and _)? again)|(?:ate|had)(?= (?:~)(?:${foods}).*(?:not|never) going back)|back on(?: the)?(?= (?:${foods}))`
    const source = spellOutCue(again)
    return {
      kind: 'diet',
      side: 'after',
      source,
      pattern: asWords(source),
      isSure: true,
      mustName: false,
      means,
    }
  }),
)

/** Matches a clause with any cue. One joint pattern takes a fraction of the time of all single ones. */
const ANY_CUE = asWords(CUES.map(({ source }) => source).join('|'))

/** Words of clauses that state no event: “if”, “nearly”, “might”. */
const UNREAL_WORDS = either(
  /if|unless|imagine|suppos\w+|pretend\w*|dream\w*|nightmare|afraid|scared|worried|fear\w*|nearly|almost|wish|hop\w+|maybe|perhaps/u,
  /might|may|would|could|should|will|shall|must|think(?:ing)?|considering|thought|going to|about to|wants?(?:ed)? to|needs? to/u,
  /ha(?:ve|s) to|plan(?:s|ning)? to|film|movie|novel|episode|series|character|jok\w+|kidding|until|never|yet/u,
)
/** Matches a clause that supposes, wishes, fears, invents or expects an event. */
const UNREAL = new RegExp(String.raw`(?<![\p{L}'])(?:${UNREAL_WORDS})(?![\p{L}'])`, 'iu')
const DENIED = /(?<![\p{L}'])(?:have|has|had|did|do|does|was|is|are|were|am) not(?![\p{L}'])/iu
const CLAUSE_END = /[,;:.!?…()]+|\s[-–—]+\s|\s(?:but|so|because|although|though|while|whereas)(?=\s)/u
/** Matches “and” before a further act: “gave up on sleep and did some Greek”. */
const GOES_ON =
  /\sand (?=(?:i |we |just |then )*(?:\p{Ll}+ed|did|went|took|got|had|made|put|ate|read|wrote|am|was)(?!\p{L}))/iu
/** Matches people and things of others: “her mum”, “my neighbour's dog”. */
const OF_OTHERS =
  /(?<![\p{L}'])(?:(?:his|her|their|your|its|another|someone's|somebody's) (?:\p{Ll}[\p{L}-]* ){0,2}?[\p{L}-]+|(?:my |our |the )?(?:[\p{L}-]+ )?[\p{L}-]+(?:'s|s') (?:old |new |poor |little )?[\p{L}-]+)(?: of mine)?/giu
/** Relatives of others: “her dad”, “my neighbour's mum”. */
const KIN_OF_OTHERS =
  /(?<![\p{L}'])(?:his|her|their|your|[\p{L}-]+'s) (?=(?:mum|mom|dad|mother|father|gran\p{L}*|nan|sister|brother|son|daughter|wife|husband|aunt|uncle)(?!\p{L}))\p{L}+/giu
/** Matches people who are no particular ones: “a friend”. */
const ANYBODY = /(?<![\p{L}'])(?:an?|some) (?:\p{Ll}[\p{L}-]* ){0,2}?[\p{L}-]+/giu
/** Kinds that end facts about particular people. */
const OF_PEOPLE: ReadonlySet<string> = new Set('death parting giving-away coming-home falling-out'.split(' '))
/** Matches a look back, after which another job or partner may have followed: “Since I lost my job …”. */
const LOOKING_BACK = /\b(?:since|because|cause|when|after|before|while|until|once|ever)\b/i
/** Kinds whose subject must be the speaker. */
const OF_SPEAKER: ReadonlySet<string> = new Set(
  'medicine new-medicine pregnancy diet graduation falling-out'.split(' '),
)
const OWN =
  /^(?:.*(?<![\p{L}'])(?:i|we|me|us|our|there|it|they)(?![\p{L}']).*|my ?|the ?|a|do ?|have ?|(?:[\p{L}\d]+ )?(?:days|weeks|months|years|month|year) ?|(?:(?:finally|just|so|well|ok|okay|also|and|yay|ugh|today|officially|fully|completely|totally) ?)*)$/iu
/** Matches a finding in place of another: “it isn't lupus after all”, “it turned out not to be asthma”. */
const FOUND_OUT =
  /(?<![\p{L}'])(?:its|(?:it|that|this|what i ha(?:ve|d)) (?:is|was)) not (?:really |actually |even )?|(?<![\p{L}'])i never (?:really |actually )?had (?!.* (?:until|till|before|problems?|when|as a|in my|back)(?!\p{L}))|turn(?:s|ed) out not to be |(?<![\p{L}'])not to be /iu
const FINDING =
  /after all|never (?:really |actually )?had|mix(?:ed)?[- ]?up|misdiagnos|wrong|mistake|all along|(?<!\p{L})(?:doctors?|dr|gp|consultant|specialist|allergist|clinic|hospital|tests?|results?|bloods|scans?|biops(?:y|ies)|turns? out|turned out)(?!\p{L})/iu
/** Matches the words that report an event: “Mum said that …”. */
const REPORTING =
  /^.*(?<![\p{L}'])(?:sa(?:id|ys)|tells?|told|heard|that|when|since|after(?! all)|know|believe|sad)(?: me| us)?(?![\p{L}'])/iu
