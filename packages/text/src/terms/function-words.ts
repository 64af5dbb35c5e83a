/** Closed-class words, by grammar and not by a data set. They say nothing of a topic; without them the index is half. */
const ENGLISH = `
a an the this that these those
i me my mine myself we us our ours ourselves you your yours yourself yourselves
he him his himself she her hers herself it its itself they them their theirs themselves one ones
who whom whose which what when where why how whoever whatever whichever whenever wherever however
am is are was were be been being do does did done doing have has had having
will would shall should can could may might must ought ca wo sha ain gonna gotta wanna
not no nor n't never so too very just also only even still yet already ever quite rather
and or but if then than because as while although though unless until since whether
of at by for with about against between into through during before after above below to from up down in out on off
over under again further upon within without toward towards across along among around per via
here there all any both each few more most other others another some such same own much many lot lots
let lets oh hey hi hello yes yeah yep ok okay well wow um uh hmm please thanks thank
s t d ll m re ve
im ive id ill youre youve theyre hes shes thats whats dont doesnt didnt isnt arent wasnt werent cant couldnt wont wouldnt havent hasnt hadnt shouldnt
`

const CHINESE_CHARACTERS =
  '的地得了着过是在我你您他她它们这那哪谁什么怎样几多少和与跟同及或但而且因为所以如果虽然就也都还很太更最又再才只不没有吗呢吧啊哦嗯呀啦嘛被把给对从向到于之其此个些'

const englishWords: ReadonlySet<string> = new Set(ENGLISH.split(/\s+/).filter(Boolean))
const chineseCharacters: ReadonlySet<string> = new Set(CHINESE_CHARACTERS)

/** Reports whether a lower-case word is a function word of English. */
export function isEnglishFunctionWord(word: string): boolean {
  return englishWords.has(word)
}

/** Reports whether a Chinese character is only grammatical, so that one or two of them say nothing. */
export function isChineseFunctionCharacter(character: string): boolean {
  return chineseCharacters.has(character)
}
