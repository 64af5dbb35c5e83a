import type { Finding } from '../finding.ts'
import { after, finding, type Frame } from './frame.ts'
import { restOf } from './frame-parts.ts'
import { readPlanning } from './frames-of-happening.ts'
import { readName, readNounPhrase } from './noun-phrase.ts'
import { flipPerson } from './third-person.ts'
import { wordsToText, type Word } from './word.ts'

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
    if (preposition === 'alone' && !frame.isNegated) return [finding(frame, 'living-with', 'no one')]
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
  // "I don't work in the garden that much" says how much, not that it ended.
  if (
    frame.isNegated &&
    frame.words.some((word) =>
      /^(?:much|often|lot|always|every|very|really|exactly|only|just)$/.test(word.lower),
    )
  )
    return []
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
    const key = preposition === 'as' ? 'occupation' : preposition === 'in' ? 'field-of-work' : 'employer'
    return [finding(frame, key, value, negated)]
  }
  if (
    frame.lemma === 'work' &&
    isNow &&
    !frame.isNegated &&
    preposition === 'from' &&
    after(frame, 2) === 'home'
  )
    return [finding(frame, 'routines', 'works from home')]
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
