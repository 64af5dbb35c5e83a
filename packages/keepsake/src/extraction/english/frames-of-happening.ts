import type { Finding } from '../finding.ts'
import { after, finding, type Frame } from './frame.ts'
import { EMPTY_NOUN, hasContent, restOf } from './frame-parts.ts'
import { readNounPhrase } from './noun-phrase.ts'
import { flipPerson } from './third-person.ts'
import { wordsToText } from './word.ts'

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
    /^(?:move|travel|fly|visit|start|leave|get|go|expect|join|attend|host|run)$/.test(frame.lemma)
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

const FUTURE =
  /^(?:next|tomorrow|soon|tonight|weekend|upcoming|coming|january|february|april|june|july|august|september|october|november|december)$/

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

const LIFE_EVENT =
  /^(?:got (?:married|divorced|engaged|fired|promoted|hired|laid off|pregnant|accepted)|broke up|split up|retired|graduated)\b/

/** "I got married", "I turned 30", "we broke up": what changes a life needs no object to be told. */
export function readLifeEvent(frame: Frame): Finding[] {
  const subject = frame.words[0]?.lower
  if ((subject !== 'i' && subject !== 'we') || frame.isNegated || frame.tense !== 'past') return []
  const rest = wordsToText(flipPerson(frame.words.slice(frame.verb)))
  const age = /^turned (\d{1,3})(?: (?:years old|today|yesterday|last|this|in|on|a|two|three)\b|$)/.exec(
    rest.toLowerCase(),
  )?.[1]
  if (subject === 'i' && age !== undefined && Number(age) >= 5 && Number(age) <= 110)
    return [finding(frame, 'age', age, { isEvent: true })]
  return LIFE_EVENT.test(rest.toLowerCase()) && !/\b(?:into|out|for)\b/.test(rest)
    ? [finding(frame, 'experiences', rest, { type: 'event', isEvent: true })]
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

/** "I quit smoking", "I stopped eating meat": told as it was said, and what is known of it ends. */
export function readEnding(frame: Frame): Finding[] {
  // "quit" looks the same in the past.
  const isPast =
    frame.tense === 'past' || frame.tense === 'perfect' || frame.words[frame.verb]?.lower === 'quit'
  if (frame.words[0]?.lower !== 'i' || frame.isNegated || !isPast) return []
  const isGiving = frame.lemma === 'give' && after(frame) === 'up'
  if (!/^(?:quit|stop)$/.test(frame.lemma) && !isGiving) return []
  const from = frame.verb + (isGiving ? 2 : 1)
  const isDoing = frame.words[from]?.lower.endsWith('ing') === true
  if (!isDoing && !hasContent(frame, from)) return []
  // "I stopped talking to look at it": an act broken off, not a habit.
  if (
    frame.words.length - from > 4 ||
    frame.words
      .slice(from)
      .some((word) => /^(?:to|and|for|it|this|that|him|her|them|halfway)$/.test(word.lower))
  )
    return []
  const told = finding(frame, 'experiences', restOf(frame, frame.verb), { type: 'event', isEvent: true })
  return [told, finding(frame, 'habits', restOf(frame, from), { state: 'ended' })]
}
