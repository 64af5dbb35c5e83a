import type { RecalledMemory, ScopedMemory } from 'keepsake'
import type { PersonaEntry, PersonaValue } from 'keepsake/preset'
import { findInFiles, rememberConversation, type Stage } from './stage.ts'
import { FORMS, shortId } from '../find-memory.ts'
import { factsWithoutKey, formatFacts, formatReceipt, quote } from '../output/format-memory.ts'
import { showPersona } from '../output/format-person.ts'
import { formatMilliseconds, formatSpan } from '../output/format-quantity.ts'
import { formatConfidence, formatEvidence } from '../output/format-recall.ts'
import { pad, printable, indentBy, shorten, wrap, type Style } from '../output/style.ts'

export interface Chapter {
  readonly title: string
  /** A sentence that introduces the chapter. */
  readonly about: string
  readonly play: (stage: Stage) => Promise<void>
}

const DAY_MS = 86_400_000
/** The card numbers in the conversations: published test numbers. */
const CARDS = ['4242 4242 4242 4242', '4111 1111 1111 1111'] as const

const remember: Chapter = {
  title: 'Remembering',
  about:
    'Two users chat with a companion over some weeks. Every message is on disk before the next one; facts are extracted immediately, with no language model.',
  async play(stage) {
    const { say, style, clock } = stage
    const started = performance.now()
    const ends: number[] = []
    for (const { name, memory, sessions } of [stage.english, stage.chinese]) {
      await rememberConversation(memory, sessions, (time) => (clock.now = time))
      ends.push(clock.now)
      const turns = sessions.flatMap((session) => session.turns)
      const span = formatSpan(Date.parse(turns[0]?.at ?? ''), clock.now)
      say(
        `   ${style.bold(pad(name, 8))}  ${sessions.length} sessions, ${pad(String(turns.length), 3)} turns, ${span}`,
      )
    }
    const totalMs = performance.now() - started
    // The demo's present is the day after the last turn.
    clock.now = Math.max(...ends) + DAY_MS
    const { turns, memories } = await stage.memory.stats()
    say(
      '',
      `   ${turns} turns and ${memories.live} extracted memories in ${formatMilliseconds(totalMs)}.`,
      '',
    )
    await showMasked(stage)
    stage.checkPromise(
      'No card number is in the file: secrets are masked before storage.',
      findInFiles(stage.file, CARDS).found.length === 0,
    )
  },
}

/** Shows how the turn with the card number was stored. */
async function showMasked({ say, paragraph, english }: Stage): Promise<void> {
  const { name, sessions, memory } = english
  const turn = sessions.flatMap((session) => session.turns).find(({ text }) => text.includes(CARDS[0]))
  if (turn === undefined) return
  paragraph(`${name} said ${quote(turn.text)}`)
  const statuses = ['live', 'forgotten', 'deleted', 'quarantined'] as const
  const rounds = await memory.memories({ statuses, forms: ['utterance'] })
  const storedText = rounds.find(({ evidence }) => evidence.some((source) => source.turn === turn.id))?.text
  const line = storedText?.split('\n').find((line) => line.includes('race fee')) ?? storedText
  if (line === undefined) return
  paragraph(`stored as ${quote(line)}`)
  say('')
}

/** Maximum of shown facts that have no key of the persona sheet. */
const MAX_OTHER_FACTS = 8

const personaChapter: Chapter = {
  title: 'What it knows',
  about:
    'Facts about each person, extracted from the conversation. Every fact keeps the message that supports it.',
  async play({ english, chinese, say, style }) {
    for (const { name, memory } of [english, chinese]) {
      const otherFacts = factsWithoutKey(await memory.memories({ forms: ['fact'] }))
      say(indentBy(style, 3, showPersona(await memory.persona(), name).formatText))
      if (otherFacts.length > 0)
        say(indentBy(style, 3, (narrow) => formatFacts('Other facts', otherFacts, MAX_OTHER_FACTS, narrow)))
      say('')
    }
  },
}

/** Questions to each user's memory. The last of each was never mentioned. */
const QUESTIONS = {
  english: [
    'What is Maya allergic to?',
    'Which books did Juno suggest?',
    'When did Maya break her ankle?',
    'Has Maya ever been to Japan?',
  ],
  chinese: ['晓雨对什么过敏?', '弟弟想考哪里?', '晓雨结婚了吗?'],
} as const

const recall: Chapter = {
  title: 'Recall',
  about:
    'A question returns relevant memories, with the messages that support them and the confidence. Things never mentioned get a low confidence.',
  async play(stage) {
    for (const who of ['english', 'chinese'] as const)
      for (const question of QUESTIONS[who]) await ask(stage, stage[who].memory, question)
  },
}

async function ask({ style, say, paragraph }: Stage, memory: ScopedMemory, question: string): Promise<void> {
  const answer = await memory.recall(question, { limit: 5, reinforce: false })
  const { answerable, milliseconds, memories } = answer
  const [best] = memories
  paragraph(style.bold(question))
  say(`   ${formatConfidence(answer, style)} ${style.dim(formatMilliseconds(milliseconds))}`)
  if (answerable !== 'no' && best !== undefined)
    say(indentBy(style, 5, (narrow) => formatProof(best, narrow)))
  say('')
}

function formatProof({ memory, evidence }: RecalledMemory, style: Style): string {
  const text = printable(memory.text)
  if (memory.form === 'utterance')
    return text
      .split('\n')
      .map((line) => wrap(style.dim(line), style.width))
      .join('\n')
  const source = evidence.find((source) => source.text !== null)
  return [wrap(text, style.width), ...(source === undefined ? [] : [formatEvidence(source, style)])].join(
    '\n',
  )
}

const change: Chapter = {
  title: 'Things change',
  about:
    'When the user moves or changes jobs, the new fact replaces the old one. The old fact stays with its dates and can still be recalled.',
  async play(stage) {
    for (const { name, memory } of [stage.english, stage.chinese]) {
      const { subjects } = await memory.persona()
      const entries = subjects.flatMap((subject) => subject.entries)
      for (const entry of entries)
        if (entry.values.some(isExpired))
          showVersions(stage, `${stage.style.bold(name)}, ${entry.key.id}`, entry)
    }
  },
}

const isExpired = ({ isPast, validUntil }: PersonaValue): boolean => isPast || validUntil !== null

/** Shows the values of a key, oldest first. A key that collects values, such as likes, changes only when a value ends. */
function showVersions({ say, paragraph, style }: Stage, title: string, { key, values }: PersonaEntry): void {
  say(`   ${title}`)
  const replaces = key.merge === 'replace' || key.merge === 'trajectory'
  const shown = values.filter((value) => replaces || isExpired(value))
  for (const value of shown.toSorted((a, b) => a.validFrom - b.validFrom)) {
    const label = isExpired(value) ? style.dim('was') : style.good('now')
    const span = `${value.validUntil === null ? 'since ' : ''}${formatSpan(value.validFrom, value.validUntil)}`
    paragraph(printable(value.text), `     ${label}  ${style.dim(pad(span, 24))}  `)
  }
  say('')
}

/** Requests to forget something, a name that must not come back, and a question that would bring it back. */
const REQUESTS = [
  {
    who: 'english',
    said: /please forget what I said/i,
    name: 'Tom',
    question: 'Which colleague is interviewing at another hospital?',
  },
  { who: 'chinese', said: /请忘掉/, name: '李航', question: '谁给晓雨发消息了?' },
] as const

const forgetRequest: Chapter = {
  title: '“Please forget that”',
  about:
    'A request in the conversation is carried out: the topic is no longer recalled, neither from its messages nor from the request itself.',
  async play(stage) {
    for (const { who, said, name, question } of REQUESTS) {
      const person = stage[who]
      const turns = person.sessions.flatMap((session) => session.turns)
      const request = turns.find(({ text }) => said.test(text))
      if (request !== undefined) stage.paragraph(`${person.name}: ${quote(request.text)}`)
      const { context, memories } = await person.memory.recall(question, { limit: 50, reinforce: false })
      const isGone = !JSON.stringify([context.text, memories]).includes(name)
      const which = isGone ? 'none of them mentions' : 'some still mention'
      const promise = `“${question}” recalls ${memories.length} memories, and ${which} ${name}.`
      stage.checkPromise(promise, isGone)
      stage.say('')
    }
  },
}

const MAX_FORGOTTEN_SHOWN = 3
/** The demo's capacity, so that even a short conversation must forget. */
const CAPACITY = 30

const forgetting: Chapter = {
  title: 'Forgetting and restoring',
  about: `The weakest memories are forgotten when a session ends or the capacity is reached (here ${CAPACITY} memories). They can be restored, and any change can be undone.`,
  async play(stage) {
    const { say, paragraph, style } = stage
    const { name, memory } = stage.english
    const texts = new Map((await memory.memories({ forms: FORMS })).map(({ id, text }) => [id, text]))
    const { policy, considered, forgotten } = await memory.runForgetting({ capacity: { memories: CAPACITY } })
    paragraph(
      `By ${policy}, ${forgotten.length} of ${considered} memories of ${name} were forgotten, the weakest first:`,
    )
    say('')
    const weakestFirst = forgotten.toSorted((a, b) => a.strength.value - b.strength.value)
    for (const { memory: id, reason } of weakestFirst.slice(0, MAX_FORGOTTEN_SHOWN)) {
      const text = shorten(printable(texts.get(id) ?? ''), style.width - 16)
      say(`     ${style.accent(shortId(id))}  ${text}`)
      // The rest of a reason is the formula with numbers, which `why` shows.
      paragraph(style.dim(reason.split(/(?<=\.)\s/)[0] ?? reason), ' '.repeat(15))
    }
    say('')
    const ids = weakestFirst.map(({ memory }) => memory)
    const countLive = async () =>
      (await memory.memories({ forms: FORMS })).filter(({ id }) => ids.includes(id)).length
    const wereGone = (await countLive()) === 0
    for (const id of ids) await memory.restore(id)
    if (ids.length > 0)
      stage.checkPromise(
        `They are no longer recalled, and all ${ids.length} can be restored.`,
        wereGone && (await countLive()) === ids.length,
      )
    await removeAndUndo(stage, memory)
  },
}

/** Removes a fact by mistake and undoes that. */
async function removeAndUndo(stage: Stage, scope: ScopedMemory): Promise<void> {
  const facts = await scope.memories({ forms: ['fact'] })
  const fact = facts.find(({ text }) => /penicillin/i.test(text)) ?? facts[0]
  if (fact === undefined) return
  const isLive = async () => (await scope.memories({ forms: FORMS })).some(({ id }) => id === fact.id)
  const operation = await scope.forget(fact.id)
  const wasGone = !(await isLive())
  await scope.undo(operation.id)
  stage.checkPromise(
    `“${shorten(printable(fact.text), 48)}” was forgotten by mistake, and one undo restored it.`,
    wasGone && (await isLive()),
  )
}

const erase: Chapter = {
  title: 'Erasing',
  about:
    'The right to be forgotten, to the last byte: text, vectors, index and everything derived from them.',
  async play({ file, chinese, paragraph, checkPromise }) {
    const { name, sessions, memory } = chinese
    const texts = sessions.flatMap(({ turns }) => turns.map(({ text }) => text))
    const before = findInFiles(file, texts).found.length
    const receipt = await memory.erase({ everything: true })
    const { files, found } = findInFiles(file, texts)
    const after = found.length
    paragraph(`Before: ${before} of ${name}'s ${texts.length} turns can be read in the database's files.`)
    if (receipt !== null) paragraph(formatReceipt(receipt))
    checkPromise(
      `After: ${after} of ${texts.length}, looking through every byte of ${files.length === 1 ? 'its file' : `its ${files.length} files`}.`,
      before > 0 && after === 0,
    )
  },
}

/** The chapters in order. */
export const CHAPTERS: readonly Chapter[] = [
  remember,
  personaChapter,
  recall,
  change,
  forgetRequest,
  forgetting,
  erase,
]
