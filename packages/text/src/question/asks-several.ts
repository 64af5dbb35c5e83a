/** Reports whether an answer needs several texts: for a list, a count of occasions or a comparison. */
export function asksSeveral(question: string): boolean {
  return /\p{Script=Han}/u.test(question)
    ? CHINESE.test(question)
    : ENGLISH.some((pattern) => pattern.test(question))
}

/** Words of questions that end in “s” but are no plural. */
const NO_PLURAL =
  'does|is|was|has|this|his|hers|its|us|class|dress|address|business|illness|process|bus|news|status|gas|boss|s'
const PLURAL = String.raw`(?!(?:${NO_PLURAL})\b)(?:\p{L}[\p{L}/-]*s|people|children|men|women|media|sushi)\b`
/** Words that cannot stand between “what” and its plural: “What sets off my migraines?” does not ask for several. */
const NO_QUALITY = 'my|your|his|her|our|their|me|off|up|an?|is|was|does|did'
const AUXILIARY = '(?:do|does|did|has|have|had|is|are|was|were|can|could|will|would|should|might)'
/** Match questions whose answer is a list, a count of occasions, or a comparison. */
const ENGLISH = [
  // Matches “Which outdoor activities did they do?”.
  new RegExp(
    String.raw`\b(?:what|which)(?: are| were)?(?: the| some| all| other| of)*(?: (?!(?:${NO_QUALITY})\b)\p{L}[\p{L}+’'-]*){0,3}? ${PLURAL}(?=\s+(?:${AUXILIARY}|of|in|to|for|with|that|who)\b|\s*[?]|$)`,
    'iu',
  ),
  /\b(?:what|which) (?:kinds|types|sorts) of\b|\bin (?:what|which) ways\b|\bnames? of (?:all |both )?(?:the |my |his |her |their |\p{L}+['’]s )?\p{L}+s\b/iu,
  // Matches “What has she painted?” and “Where have they been?”.
  /\b(?:what|where|who)(?: else| all)? (?:has|have) (?!(?:been )?(?:changed|happened|become)\b)(?:\p{L}+ (?:and \p{L}+ )?)?\p{L}+/iu,
  /\bhow (?:many times|often)\b|\bhow many\b.*\b(?:has|have|had)\b .*\p{L}+(?:ed|en|ne|ught)\b|\b(?:both|in common|altogether|in total|apart from|besides|so far)\b/iu,
  /\bhow (?:many|long|much time)\b.*\b(?:between|passed|elapsed|apart)\b|\b(?:list|name) (?:all|every|the|some)\b|\bwhat (?:all|else)\b/iu,
]
const CHINESE =
  /哪些|哪几|几[次回趟]|多少[次回趟]|[去做学看试买养到吃读玩听参认见]过(?:什么|哪|谁|啥|几|多少)|都(?!是)[^，。？]{0,8}(?:什么|哪|谁|啥)|分别|(?:相差|相隔|隔了|之间)[^，。？]{0,8}[多几]|[一总]共.{0,8}[几多]|除了.{1,12}还/u
