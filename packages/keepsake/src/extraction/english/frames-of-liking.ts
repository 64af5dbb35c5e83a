import type { Finding } from '../finding.ts'
import { after, finding, type Frame } from './frame.ts'
import { restOf } from './frame-parts.ts'
import { readNounPhrase } from './noun-phrase.ts'

const LIKING = /^(?:love|like|enjoy|adore|prefer)$/
const DISLIKING = /^(?:hate|dislike|detest|despise|loathe)$/

/** "I love hiking", "I can't stand loud people", "I don't like milk anymore". */
export function readLiking(frame: Frame): Finding[] {
  if (frame.words[0]?.lower !== 'i' || frame.clause.words.some((word) => word.lower === 'would')) return []
  const isStand = /^(?:stand|bear)$/.test(frame.lemma) && frame.tense === 'can' && frame.isNegated
  const likes = LIKING.test(frame.lemma)
  if (!isStand && !likes && !DISLIKING.test(frame.lemma)) return []
  if (!isStand && frame.tense !== 'present' && !(frame.isOver && !frame.isNegated)) return []
  const object = readObject(frame, frame.verb + 1)
  if (object === null) return []
  const positive = likes !== (frame.isNegated && !frame.isOver)
  return [finding(frame, positive && !isStand ? 'likes' : 'dislikes', object)]
}

/** A thing liked in general: no "the idea", nothing pointed at; "the Beatles" is a name. */
function readObject(frame: Frame, from: number): string | null {
  const words = frame.words
  if (words[from]?.lower === 'to' && words[from + 1]?.pos === 'VERB') return restOf(frame, from)
  if (words[from]?.lower.endsWith('ing') === true && words[from]?.pos === 'VERB') return restOf(frame, from)
  const phrase = readNounPhrase(words, from)
  if (phrase === null || (phrase.determiner === 'the' && !phrase.isName)) return null
  const next = words[phrase.next]
  // "I love people who …", "I like my coffee black": what follows narrows it.
  if (next !== undefined && next.pos !== 'PUNCT' && next.pos !== 'ADV' && !TIME_OR_REASON.test(next.lower))
    return restOf(frame, from)
  return phrase.value
}

const TIME_OR_REASON = /^(?:too|anymore|any|so|for|and|or|as|very|either|a|the|more|most)$/

/** "I speak Dutch", "I can play the piano", "I play chess", "I know how to …". */
export function readAbility(frame: Frame): Finding[] {
  if (frame.words[0]?.lower !== 'i') return []
  const isAble =
    frame.tense === 'can' &&
    !/^(?:wait|help|believe|imagine|see|tell|hear|do|be|get|say|think|feel|relate|understand|go|try|have|make|take|give|find|remember|afford|stand|bear|use|ask|come|start|keep|put|handle|manage|totally|live|eat)$/.test(
      frame.lemma,
    )
  const value = restOf(frame, frame.verb)
  if (frame.lemma === 'speak' && (frame.tense === 'present' || frame.tense === 'can')) {
    const language = readLanguage(frame)
    return language === null
      ? []
      : [
          finding(
            frame,
            frame.isNegated ? 'weaknesses' : 'languages',
            frame.isNegated ? `speaking ${language}` : language,
          ),
        ]
  }
  if (isAble && SKILLS.test(frame.lemma))
    return [finding(frame, frame.isNegated ? 'weaknesses' : 'skills', value)]
  if (
    frame.lemma === 'know' &&
    frame.tense === 'present' &&
    after(frame) === 'how' &&
    after(frame, 2) === 'to'
  )
    return [finding(frame, frame.isNegated ? 'weaknesses' : 'skills', restOf(frame, frame.verb + 3))]
  if (frame.lemma === 'play' && frame.tense === 'present' && !frame.isNegated) {
    const phrase = readNounPhrase(frame.words, frame.verb + 1)
    return phrase === null ? [] : [finding(frame, 'hobbies', restOf(frame, frame.verb))]
  }
  return []
}

/** What one learns to do: of a bare "can", only these tell a skill. */
const SKILLS =
  /^(?:play|cook|bake|swim|drive|sing|dance|draw|paint|knit|sew|ski|skate|surf|ride|code|program|juggle|read|write|type|fly|sail|dive|climb)$/

function readLanguage(frame: Frame): string | null {
  const phrase = readNounPhrase(frame.words, frame.verb + 1) ?? null
  return phrase !== null && phrase.words.some((word) => /^\p{Lu}/u.test(word.text)) ? phrase.value : null
}

/** "I don't eat meat", "I don't drink". */
export function readDiet(frame: Frame): Finding[] {
  if (frame.words[0]?.lower !== 'i' || !/^(?:eat|drink|smoke)$/.test(frame.lemma)) return []
  if (!frame.isNegated || frame.isOver || !(frame.tense === 'present' || frame.tense === 'can')) return []
  const object = readNounPhrase(frame.words, frame.verb + 1)
  if (object === null && frame.verb + 1 < frame.words.length) return []
  return [
    finding(
      frame,
      'diet',
      `no ${
        object?.value ??
        frame.lemma
          .replace(/^drink$/, 'alcohol')
          .replace(/^smoke$/, 'smoking')
          .replace(/^eat$/, 'food')
      }`,
    ),
  ]
}

/** "I believe in …", "I support …". */
export function readBelief(frame: Frame): Finding[] {
  if (frame.words[0]?.lower !== 'i' || frame.tense !== 'present') return []
  if (frame.lemma === 'believe' && after(frame) === 'in') {
    const phrase = readNounPhrase(frame.words, frame.verb + 2)
    if (phrase === null) return []
    return [finding(frame, 'beliefs', frame.isNegated ? `not in ${phrase.value}` : phrase.value)]
  }
  if (/^(?:support|oppose)$/.test(frame.lemma) && !frame.isNegated) {
    const phrase = readNounPhrase(frame.words, frame.verb + 1)
    return phrase === null || !phrase.isName
      ? []
      : [finding(frame, frame.lemma === 'support' ? 'supports' : 'opposes', phrase.value)]
  }
  return []
}
