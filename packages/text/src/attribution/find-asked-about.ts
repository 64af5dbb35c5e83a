import type { Given } from './find-introduced.ts'
import { asksAboutText, beginsWork, doubtsText, LONGEST_LEAD, showsSaying } from './leading-words.ts'
import type { Stretch } from './stretch.ts'

/** Matches the start of the speaker's own statement after a request: “translate to Dutch pls I live in Rome”. */
const SPEAKS = /\s(?:I|i|[Mm]y|[Ww]e|[Ff]orget)\b(?!['’]?d like)|[\s\p{Script=Han}](?:我|请忘|忘掉)/gu
/** Matches words that continue the request: “…, so I …”, 帮我. */
const GOES_ON =
  /(?:\b(?:so|because|cause|that|as|if|when|while|since|before|after|until|than|which|what|who|how|where|why|for|and|but|or|the|text|letter|mail|one|thing|stuff|everything|something)|[,，;；帮给替让跟和对请为把是的])\s*$/iu

/** Finds text that follows a question about it (“Who sings this? I live …”) or an unfinished request (翻成英语 我住在…). */
export function findAskedAbout({ text, marked }: Given): Stretch[] {
  const choices = CHOICES.exec(marked)
  if (choices !== null) return [{ start: choices.index, end: text.length }]
  const might = MIGHT_SAY.exec(marked)
  if (might !== null) return [{ start: might.index + might[0].length, end: text.length }]
  let start = 0
  for (const { 0: ending, index } of marked.matchAll(/[.!?。！？]+(?=\s|$|\p{Script=Han})|[。！？]+|\n/gu)) {
    const sentence = marked.slice(start, index)
    const end = index + ending.length
    const place = runOnAt(sentence)
    if (place >= 0) return [{ start: start + place, end: text.length }]
    if (sentence.length <= LONGEST_LEAD && handsOverBehind(sentence, ending, marked.slice(end, end + 40)))
      return /\S/.test(marked.slice(end)) ? [{ start: end, end: text.length }] : []
    start = end
  }
  const place = runOnAt(marked.slice(start))
  return place < 0 ? [] : [{ start: start + place, end: text.length }]
}

function handsOverBehind(sentence: string, ending: string, behind: string): boolean {
  if (!/[?？]/.test(ending)) return showsSaying(sentence)
  return (
    asksAboutText(sentence) ||
    (/^\s*\n/.test(behind) && SHOWS_BELOW.test(sentence)) ||
    (doubtsText(sentence) && /^\s*(?:I\b|my\b|dear\b|forget\b|我|请?忘)/iu.test(behind))
  )
}

/** Matches a question about text below it: “What do you think of these affirmations?”. */
const SHOWS_BELOW =
  /^(?!.*\b(?:me|my|us|our)\b).*\b(?:these|this|the following)\s+(?:\p{L}+\s+){0,2}\p{L}+\s*$|^(?!.*(?<!自)我).*这(?:些|几|段|首|篇|句).{1,12}(?:怎么样|如何|好吗|好不好|行吗|可以吗)\s*$/iu

/** Matches the options of a multiple-choice question. */
const CHOICES = /(?<=[?？]\s{0,4})[aA][).．、](?=\s*\S)[^?？]{1,400}?(?<=\s|[。.])[bB][).．、]/u

/** Matches an example of what the requested text may contain: “Write me a bio, for example I live …”, 写个自我介绍，比如我叫…. */
const MIGHT_SAY =
  /(?:^|[.!?]\s)[^\p{L}\n]*(?:(?:please|can you|could you|now|so|then|and|help me(?: to)?)\s+)*(?:write|draft|compose|make up|come up with|invent|prepare)\b.{0,80}?(?:\b(?:such as|for example|for instance|e\.g\.|something like|along the lines of|like)[,:]?\s+)(?=(?:I|[Mm]y|[Ww]e)\b)|(?:^|[。！？])(?!我)[^。！？\n]{0,20}(?:写|编|造|拟|起草)[^。]{0,20}(?:比如说?|例如|譬如|诸如|像|类似)[，,：:]?(?=我)/imu

function runOnAt(sentence: string): number {
  const head = sentence.slice(0, LONGEST_LEAD)
  if (!beginsWork(head)) return -1
  for (const { index } of head.matchAll(SPEAKS))
    if (index > 3 && !GOES_ON.test(head.slice(Math.max(0, index - 20), index + 1).trimEnd())) return index + 1
  return -1
}
