import type { Finding } from '../finding.ts'
import { after, finding, type Frame } from './frame.ts'
import { readName, readNounPhrase } from './noun-phrase.ts'
import { flipPerson } from './third-person.ts'
import { wordsToText, type Word } from './word.ts'

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

function restOf(frame: Frame, from: number): string {
  return wordsToText(flipPerson(frame.words.slice(from)))
    .replace(/\s+(?:too|as well|either|anymore|any more|now)$/i, '')
    .replace(/^(?:a|an|the|to) /, '')
}

/** "I live in Lyon", "I moved to Lyon", "I grew up in …". */
export function readLiving(frame: Frame): Finding[] {
  const subject = frame.words[0]?.lower
  if (subject !== 'i' && subject !== 'we') return []
  const preposition = after(frame)
  const isLiving =
    /^(?:live|reside)$/.test(frame.lemma) && ['present', 'progressive', 'perfect'].includes(frame.tense)
  const wasLiving = frame.lemma === 'live' && frame.isOver
  const isMoving =
    /^(?:move|relocate)$/.test(frame.lemma) && (frame.tense === 'past' || frame.tense === 'perfect')
  if (isLiving || wasLiving) {
    if (preposition === 'with') return readCompany(frame)
    const place = readPlace(frame, frame.verb + 1)
    if (place === null) return []
    const state = frame.isNegated && !frame.isOver ? { state: 'ended' as const } : {}
    return [finding(frame, 'residence', place, state)]
  }
  if (isMoving && !frame.isNegated) {
    const to = frame.words.findIndex(
      (word, at) => at > frame.verb && (word.lower === 'to' || word.lower === 'into'),
    )
    const place = to < 0 ? null : readPlace(frame, to)
    return place === null ? [] : [finding(frame, 'residence', place, { isEvent: true })]
  }
  if (frame.lemma === 'grow' && preposition === 'up' && frame.tense === 'past' && !frame.isNegated) {
    const place = readPlace(frame, frame.verb + 2)
    return place === null
      ? []
      : [
          finding(
            frame,
            'background',
            `grew up ${wordsToText(flipPerson(frame.words.slice(frame.verb + 2)))}`,
          ),
        ]
  }
  if (frame.lemma === 'come' && preposition === 'from' && frame.tense === 'present' && !frame.isNegated) {
    const name = readName(frame.words, frame.verb + 2)
    return name === null ? [] : [finding(frame, 'origin', name.name)]
  }
  return []
}

/** The place after "in", "to", "on", "at", "near"; in lower case too, for people type so. */
function readPlace(frame: Frame, from: number): string | null {
  const words = frame.words
  if (!/^(?:in|to|into|at|on|near|outside)$/.test(words[from]?.lower ?? '')) return null
  const name = readName(words, from + 1)
  if (name !== null) {
    const wider = words[name.next]?.lower === ',' ? readName(words, name.next + 1) : null
    return wordsToText(words.slice(from + 1, wider?.next ?? name.next))
  }
  const phrase = readNounPhrase(words, from + 1)
  if (
    phrase === null ||
    /^(?:past|present|moment|fear|peace|day|way|world|life|together|hell|dream)$/.test(phrase.head)
  )
    return null
  return words[from]?.lower === 'in' || words[from]?.lower === 'to' || words[from]?.lower === 'into'
    ? phrase.value
    : `${words[from]?.lower ?? ''} ${phrase.value}`
}

function readCompany(frame: Frame): Finding[] {
  const phrase = readNounPhrase(frame.words, frame.verb + 2)
  if (phrase === null || frame.isNegated) return []
  return [finding(frame, 'living-with', phrase.value)]
}

/** "I work as a nurse at …", "I study law", "I graduated from …". */
export function readWorking(frame: Frame): Finding[] {
  if (frame.words[0]?.lower !== 'i') return []
  const isNow =
    ['present', 'progressive'].includes(frame.tense) ||
    (frame.tense === 'perfect' && frame.words.some((word) => word.lower === 'been')) ||
    frame.isOver
  const negated = frame.isNegated && !frame.isOver ? ({ state: 'ended' } as const) : {}
  const preposition = after(frame)
  if (frame.lemma === 'work' && isNow && /^(?:as|at|for|in)$/.test(preposition)) {
    const phrase = readNounPhrase(frame.words, frame.verb + 2) ?? named(frame.words, frame.verb + 2)
    if (phrase === null || /^(?:progress|way|team|morning|evening|night|weekend)s?$/.test(phrase.head))
      return []
    const value =
      preposition === 'as'
        ? wordsToText(flipPerson(frame.words.slice(frame.verb + 2))).replace(/^(?:a|an|the) /, '')
        : phrase.value
    const key = preposition === 'as' || preposition === 'in' ? 'occupation' : 'employer'
    return [finding(frame, key, value, negated)]
  }
  if (frame.lemma === 'work' && frame.tense === 'progressive' && preposition === 'on' && !frame.isNegated)
    return activity(frame)
  if (/^(?:study|major)$/.test(frame.lemma) && isNow && !/^(?:for|hard)$/.test(preposition)) {
    const from = frame.verb + (/^(?:in|at)$/.test(preposition) ? 2 : 1)
    const phrase = readNounPhrase(frame.words, from)
    return phrase === null || (phrase.determiner !== null && phrase.determiner !== 'the')
      ? []
      : [finding(frame, 'education', restOf(frame, from), negated)]
  }
  if (frame.lemma === 'graduate' && frame.tense === 'past' && preposition === 'from' && !frame.isNegated)
    return [
      finding(
        frame,
        'background',
        `graduated ${wordsToText(flipPerson(frame.words.slice(frame.verb + 1)))}`,
        { isEvent: true },
      ),
    ]
  return []
}

function named(words: readonly Word[], from: number): { head: string; value: string } | null {
  const name = readName(words, from)
  return name === null ? null : { head: '', value: name.name }
}

const ACTIVITIES =
  /^(?:learn|read|write|build|train|practise|practice|prepare|volunteer|teach|plan|watch|play|train|develop|design|renovate|organise|organize|rehearse|research|collect|take|save|apply|recover|look|make)$/

function activity(frame: Frame): Finding[] {
  const phrase = readNounPhrase(frame.words, frame.verb + 1) ?? readNounPhrase(frame.words, frame.verb + 2)
  if (phrase === null || phrase.value.length < 3) return []
  return [finding(frame, 'current-activity', wordsToText(flipPerson(frame.words.slice(frame.verb))))]
}

/** "I'm learning Spanish", "I've been reading …": what goes on. */
export function readActivity(frame: Frame): Finding[] {
  if (frame.words[0]?.lower !== 'i' || frame.isNegated) return []
  const isGoingOn = frame.tense === 'progressive' && ACTIVITIES.test(frame.lemma)
  if (!isGoingOn || /^(?:forward|like|sure)$/.test(after(frame))) return []
  if (frame.lemma === 'learn') {
    const from = frame.verb + (after(frame) === 'about' ? 2 : 1)
    const phrase = readNounPhrase(frame.words, from)
    if (phrase !== null || after(frame) === 'to') return [finding(frame, 'learning', restOf(frame, from))]
    return []
  }
  if (frame.lemma === 'plan') return readPlanning(frame)
  if (/^(?:take|make|look)$/.test(frame.lemma) && !/^(?:for|a|an)$/.test(after(frame))) return []
  return activity(frame)
}

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

const TALKING =
  /^(?:ask|know|talk|say|tell|hear|thank|see|share|discuss|add|mention|point|make|be|do|try|let|go|get|start|give|show|check|understand|apologize|apologise|clarify|continue|believe|think|feel|have|stay|keep|help|take|use|find|remind|put|focus|look|ensure|express|die|cry|sleep|scream|hug)$/

/** "I want to learn the cello", "I'm going to visit Oslo next month", "we plan to …", "I'm planning a trip". */
export function readPlanning(frame: Frame): Finding[] {
  const subject = frame.words[0]?.lower
  if ((subject !== 'i' && subject !== 'we') || frame.isNegated) return []
  const isGoing =
    frame.lemma === 'go' &&
    frame.tense === 'progressive' &&
    after(frame) === 'to' &&
    frame.words[frame.verb + 2]?.pos === 'VERB'
  if (isGoing) return intend(frame, frame.verb + 2, 'plans')
  if (
    frame.tense === 'present' &&
    /^(?:want|plan|hope|intend|aim)$/.test(frame.lemma) &&
    after(frame) === 'to'
  )
    return intend(
      frame,
      frame.verb + 2,
      frame.lemma === 'want' || frame.lemma === 'hope' ? 'wishes' : 'plans',
    )
  if (frame.lemma === 'plan' && frame.tense === 'progressive') {
    if (after(frame) === 'to') return intend(frame, frame.verb + 2, 'plans')
    const phrase = readNounPhrase(
      frame.words,
      frame.verb + (after(frame) === 'on' || after(frame) === 'for' ? 2 : 1),
    )
    return phrase === null
      ? []
      : [
          finding(
            frame,
            'plans',
            wordsToText(flipPerson(frame.words.slice(frame.verb + 1))).replace(/^(?:a|an|the|on|for) /, ''),
            { type: 'event' },
          ),
        ]
  }
  const isTravel =
    frame.tense === 'progressive' &&
    /^(?:move|travel|fly|visit|start|leave|get|go|join|attend|host|run)$/.test(frame.lemma)
  if (
    isTravel &&
    [...frame.clause.lead, ...frame.words].some((word) => FUTURE.test(word.lower)) &&
    !/^(?:to bed|crazy|mad)/.test(wordsToText(frame.words.slice(frame.verb + 1)).toLowerCase()) &&
    hasContent(frame, frame.verb + 1)
  )
    return [
      finding(frame, 'plans', wordsToText(flipPerson(frame.words.slice(frame.verb))), { type: 'event' }),
    ]
  return []
}

const FUTURE = /^(?:next|tomorrow|soon|tonight|weekend|upcoming|coming)$/

function intend(frame: Frame, from: number, key: string): Finding[] {
  const verb = frame.words[from]
  if (verb === undefined || !hasContent(frame, from + 1)) return []
  if (TALKING.test(verb.lemma) && !/^(?:go|get|start|make|find|help|try|have|take)$/.test(verb.lemma))
    return []
  // "get better", "make sure", "have fun" name nothing that could be planned.
  if (
    TALKING.test(verb.lemma) &&
    !frame.words
      .slice(from + 1)
      .some((word) => word.pos === 'PROPN' || (word.pos === 'NOUN' && word.lower.length > 4))
  )
    return []
  return [
    finding(frame, key, wordsToText(flipPerson(frame.words.slice(from))), {
      type: key === 'plans' ? 'event' : 'persona',
    }),
  ]
}

/** A noun or name of its own, nothing pointed at. */
export function hasContent(frame: Frame, from: number): boolean {
  const rest = frame.words.slice(from)
  if (
    rest.some((word) =>
      /^(?:it|this|that|these|those|them|him|her|there|here|one|something|anything|everything|stuff|things?|way|he|she|they|his|their|its|same|such|what)$/.test(
        word.lower,
      ),
    )
  )
    return false
  return rest.some(
    (word) =>
      word.pos === 'PROPN' || (word.pos === 'NOUN' && word.lower.length > 2 && !EMPTY_NOUN.test(word.lower)),
  )
}

const EMPTY_NOUN =
  /^(?:time|times|day|days|lot|lots|bit|while|thing|things|way|point|fun|sense|sure|today|tomorrow|yesterday|moment|kind|sort|week|month|year|night|morning|evening|weekend|part|end|start|others|people|someone|idea|ideas|thanks|feeling|mind|minute|second|word|words)$/

const HABITUAL = new Set([
  'usually',
  'always',
  'often',
  'sometimes',
  'normally',
  'typically',
  'generally',
  'regularly',
  'rarely',
  'seldom',
  'mostly',
])
const STATIVE =
  /^(?:be|feel|think|want|need|know|wonder|forget|find|get|say|tell|believe|hope|wish|seem|mean|guess|remember|have|try|end|make|love|like|enjoy|hate|struggle|look|see|hear|dream|keep|appreciate|admire|learn|do|give|put|take|come|support|strive)$/

/** "I usually run in the morning", "I swim every Friday". */
export function readHabit(frame: Frame): Finding[] {
  if (
    frame.words[0]?.lower !== 'i' ||
    frame.isNegated ||
    frame.tense !== 'present' ||
    STATIVE.test(frame.lemma)
  )
    return []
  const text = wordsToText(frame.words).toLowerCase()
  const isHabit =
    [...frame.adverbs].some((adverb) => HABITUAL.has(adverb)) ||
    /\b(?:every (?:day|morning|evening|night|week|weekend|month|year|summer|winter|\w+day)|on (?:weekends|\w+days)|(?:once|twice|three times|\d times) a (?:day|week|month|year))\b/.test(
      text,
    )
  return isHabit && hasContent(frame, frame.verb + 1)
    ? [finding(frame, 'habits', restOf(frame, frame.verb))]
    : []
}

/** Verbs of mind and speech: what they report is no event of a life. */
const NOT_EVENTS =
  /^(?:think|say|tell|mean|know|feel|guess|want|need|forget|hear|see|hope|wonder|like|love|hate|enjoy|believe|remember|realise|realize|understand|notice|ask|wish|try|seem|appear|agree|suppose|figure|decide|imagine|use|call|talk|speak|mention|thank|do|be|have|look|let|keep|put|end|happen|prefer|expect|consider|assume|read|hit|set|start|begin|find|make|get|give|take|come|stop|turn|miss|appreciate|learn|plan|intend|bet|swear|doubt|struggle|worry|lie|care|matter|sound|text|write|show|work|share|send|pick|deserve|stay|sleep|wake|respond|reply|answer|order|deal|cry|laugh|smile|nod|nearly)$/
const EVENT_WITH_OBJECT =
  /^(?:get|start|begin|make|take|stop|find|give|pick|read|write|learn|work|decide|send|share|stay|have|see|order|put|set|miss|turn|hit)$/

/** "I went to Rome", "we adopted a cat", "I got a new job": what happened, said as it was said. */
export function readEvent(frame: Frame): Finding[] {
  const subject = frame.words[0]?.lower
  if ((subject !== 'i' && subject !== 'we') || frame.isNegated || frame.isOver) return []
  if (frame.tense !== 'past' && frame.tense !== 'passive') return []
  if (
    frame.tense === 'passive' &&
    !/^(?:promote|hire|fire|diagnose|accept|reject|invite|elect|adopt|raise|award|admit|transfer)$/.test(
      frame.lemma,
    )
  )
    return []
  const isWeak = NOT_EVENTS.test(frame.lemma)
  if (isWeak && !EVENT_WITH_OBJECT.test(frame.lemma)) return []
  if (!hasContent(frame, frame.verb + 1)) return []
  if (isWeak && !isObjectWorthKeeping(frame)) return []
  return [
    finding(frame, 'experiences', wordsToText(flipPerson(frame.words.slice(frame.verb))), {
      type: 'event',
      isEvent: true,
    }),
  ]
}

/** Light verbs need an object of their own or a time: "I got a puppy", not "I got tired of waiting". */
function isObjectWorthKeeping(frame: Frame): boolean {
  const phrase = readNounPhrase(frame.words, frame.verb + 1)
  return (
    phrase !== null && phrase.determiner !== 'the' && !EMPTY_NOUN.test(phrase.head) && frame.words.length >= 4
  )
}

/** "I quit smoking", "I stopped working at …", "I gave up …": a known fact ends. */
export function readEnding(frame: Frame): Finding[] {
  if (
    frame.words[0]?.lower !== 'i' ||
    frame.isNegated ||
    (frame.tense !== 'past' && frame.tense !== 'perfect')
  )
    return []
  const isEnding = /^(?:quit|stop)$/.test(frame.lemma)
  const isGiving = frame.lemma === 'give' && after(frame) === 'up'
  if (!isEnding && !isGiving) return []
  const from = frame.verb + (isGiving ? 2 : 1)
  return hasContent(frame, from) || frame.words[from]?.lower.endsWith('ing') === true
    ? [
        finding(frame, 'experiences', wordsToText(flipPerson(frame.words.slice(frame.verb))), {
          type: 'event',
          isEvent: true,
        }),
      ]
    : []
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
