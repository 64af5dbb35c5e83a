import { ModelError, openMemory, type Memory, type RecalledMemory, type ScopedMemory } from 'keepsake'
import type { PersonaEntry, PersonaValue } from 'keepsake/preset'
import { findInFiles, readConversation, rememberConversation, type Person, type Stage } from './stage.ts'
import { FORMS, shortId } from '../find-memory.ts'
import { showExplanation } from '../output/format-explanation.ts'
import { factsWithoutKey, formatFacts, formatReceipt, quote } from '../output/format-memory.ts'
import { showPersona, showPortrait, showStory } from '../output/format-person.ts'
import { formatCount, formatMilliseconds, formatSpan } from '../output/format-quantity.ts'
import { formatConfidence, formatEvidence } from '../output/format-recall.ts'
import { table } from '../output/print.ts'
import { pad, printable, sentence, indentBy, shorten, wrap, type Style } from '../output/style.ts'
import { describeCalls } from '../watch-calls.ts'

export interface Chapter {
  readonly title: string
  /** A sentence that introduces the chapter. */
  readonly about: string | ((stage: Stage) => string)
  /** Whether the chapter is shown; always when absent. */
  readonly isShown?: (stage: Stage) => boolean
  /** Plays the chapter, and returns its facts for `--json`. */
  readonly play: (stage: Stage) => Promise<Record<string, unknown>>
}

const DAY_MS = 86_400_000
/** The card numbers in the conversations: published test numbers. */
const CARDS = ['4242 4242 4242 4242', '4111 1111 1111 1111'] as const
/** The label while a model reads a session. */
export const READING = '   Extracting facts'

const remember: Chapter = {
  title: 'Remembering',
  about: ({ model }) =>
    `Two users chat with a companion over some weeks. Every message is on disk before the next one; facts are extracted ${model === null ? 'immediately, with no language model' : `in the background by ${model.name}`}.`,
  async play(stage) {
    const { say, paragraph, style, clock } = stage
    const times: number[] = []
    const masked: Record<string, number> = {}
    const started = performance.now()
    const ends: number[] = []
    for (const person of [stage.english, stage.chinese]) {
      await recordPerson(stage, person, { times, masked })
      ends.push(clock.now)
    }
    const totalMs = performance.now() - started
    // The demo's present is the day after the last turn.
    clock.now = Math.max(...ends) + DAY_MS
    times.sort((a, b) => a - b)
    const medianMs = times[Math.floor(times.length / 2)] ?? 0
    const p95Ms = times[Math.floor(times.length * 0.95)] ?? 0
    const { turns, memories } = await stage.memory.stats()
    say(
      '',
      `   ${turns} turns, each durable in ${formatMilliseconds(medianMs)} (median; 95 of 100 within ${formatMilliseconds(p95Ms)}).`,
      `   ${formatMilliseconds(totalMs)} in total, including ${memories.live} extracted memories.`,
      '',
    )
    await showMasked(stage)
    stage.checkPromise(
      'No card number is in the file: secrets are masked before storage.',
      findInFiles(stage.file, CARDS).found.length === 0,
    )
    const kinds = Object.entries(masked).map(([kind, count]) => `${count} × ${kind}`)
    paragraph(style.dim(`Masked: ${kinds.join(', ') || 'nothing'}`), '    ')
    return { turns, medianMs, p95Ms, totalMs, memories, masked }
  },
}

interface Recorded {
  /** Milliseconds until each turn was durable. */
  readonly times: number[]
  /** Secrets masked, by kind. */
  readonly masked: Record<string, number>
}

async function recordPerson(stage: Stage, person: Person, { times, masked }: Recorded): Promise<void> {
  const { say, style, clock } = stage
  const { name, memory, sessions } = person
  for (const session of sessions) {
    for (const turn of session.turns) {
      clock.now = Date.parse(turn.at)
      const before = performance.now()
      const remembered = await memory.remember(turn, { session: session.id })
      times.push(performance.now() - before)
      for (const { kind, count } of remembered.maskedSecrets) masked[kind] = (masked[kind] ?? 0) + count
    }
    await memory.endSession(session.id)
    await extract(stage, memory)
  }
  const turns = sessions.flatMap((session) => session.turns)
  const span = formatSpan(Date.parse(turns[0]?.at ?? ''), clock.now)
  const counts = `${sessions.length} sessions, ${String(turns.length).padStart(3)} turns`
  say(`   ${style.bold(pad(name, 8))}  ${counts}, ${span}`)
}

/** Waits until a session is read. Shows an invalid model answer and continues; ends the demo when the model is unreachable. */
async function extract({ progress, paragraph, style }: Stage, memory: ScopedMemory): Promise<void> {
  progress.wait(READING)
  try {
    await memory.drain()
  } catch (error) {
    if (!(error instanceof ModelError) || error.code !== 'model-answer') throw error
    progress.stop()
    paragraph(style.warn(`Left for later: ${sentence(error.message)}`))
  } finally {
    progress.stop()
  }
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

/** Maximum number of facts shown that have no key of the sheet. */
const MAX_OTHER_FACTS = 8

const personaChapter: Chapter = {
  title: 'What it knows',
  about:
    'Facts about each person, extracted from the conversation. Every fact keeps the message that supports it.',
  async play({ english, chinese, model, say, style }) {
    const sheets: Record<string, unknown> = {}
    const besides: Record<string, readonly string[]> = {}
    for (const { user, name, memory } of [english, chinese]) {
      const sheet = await memory.persona()
      const otherMemories = factsWithoutKey(await memory.memories({ forms: ['fact'] }))
      sheets[user] = sheet
      besides[user] = otherMemories.map((fact) => fact.text)
      say(indentBy(style, 3, showPersona(sheet, name).formatText))
      if (otherMemories.length > 0)
        say(indentBy(style, 3, (narrow) => formatFacts('Besides', otherMemories, MAX_OTHER_FACTS, narrow)))
      say('')
    }
    return model === null ? { sheets } : { sheets, besides }
  },
}

/** Shown only with a model. Without one, story and portrait consist of quotations that other chapters show. */
const storyChapter: Chapter = {
  title: 'Story and portrait',
  about: ({ model, memory }) =>
    `The story and the portrait that ${model?.name ?? 'the model'} wrote from the conversations, with the preset ${memory.preset.name}.`,
  isShown: ({ model }) => model !== null,
  async play({ english, chinese, say, style }) {
    const written: unknown[] = []
    for (const { user, name, memory } of [english, chinese]) {
      const all = await memory.story()
      // The summary of a session with one section equals the section, so it is shown once.
      const texts = new Set(
        all.flatMap(({ level, units }) => (level > 0 ? units.map(({ text }) => text) : [])),
      )
      const levels = all
        .map(({ level, units }) => ({
          level,
          units: units.filter(({ text }) => level > 0 || !texts.has(text)),
        }))
        .filter(({ units }) => units.length > 0)
      const portrait = await memory.portrait()
      say(`   ${style.bold(name)}`, indentBy(style, 3, showStory(levels).formatText), '')
      say(`   ${style.bold('Portrait')}`, indentBy(style, 3, showPortrait(portrait).formatText), '')
      const story = levels.map(({ level, units }) => ({ level, units: units.map(({ text }) => text) }))
      written.push({ user, story, portrait: portrait.current?.text ?? null })
    }
    return { told: written }
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
    const questions: object[] = []
    for (const who of ['english', 'chinese'] as const)
      for (const question of QUESTIONS[who]) questions.push(await ask(stage, stage[who].memory, question))
    return { questions }
  },
}

async function ask(
  { style, say, paragraph }: Stage,
  memory: ScopedMemory,
  question: string,
): Promise<object> {
  const answer = await memory.recall(question, { limit: 5, reinforce: false })
  const { answerable, known, confidence, milliseconds, memories } = answer
  const [best] = memories
  paragraph(style.bold(question))
  say(`   ${formatConfidence(answer, style)} ${style.dim(formatMilliseconds(milliseconds))}`)
  if (answerable !== 'no' && best !== undefined)
    say(indentBy(style, 5, (narrow) => formatProof(best, narrow)))
  say('')
  return { question, answerable, known, confidence, milliseconds, best: best?.memory.text ?? null }
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

/** Typical questions of a new user. The last two were never mentioned. */
const EVERYDAY_QUESTIONS = [
  'What did my husband do for a living?',
  "Who is Maud's granddaughter?",
  'Tell me about myself.',
  'What should you know about my health?',
  'What did we talk about last time?',
  'What did I tell you in April?',
  'Have I ever been to Japan?',
  'How much is my pension?',
]

const everyday: Chapter = {
  title: 'Everyday questions',
  about:
    'Eight months of conversation between Maud, a retired bus driver, and her companion, written independently of this project. Questions about her, about the last conversation and about things never mentioned.',
  isShown: ({ model }) => model === null,
  async play(stage) {
    const { style, say, paragraph } = stage
    let now = 0
    const memory = await openMemory({ path: ':memory:', preset: stage.memory.preset, now: () => now })
    try {
      const scope = memory.scope({ user: 'maud' })
      await rememberConversation(scope, readConversation('maud-en.jsonl'), (time) => (now = time))
      now += DAY_MS
      const { lines } = await scope.profile()
      if (lines.length > 0) paragraph(style.bold('Always included in the context'))
      for (const { slot, text } of lines)
        say(style.dim(`     ${shorten(printable(`${slot}: ${text}`), style.width - 5)}`))
      say('')
      const questions: object[] = []
      for (const question of EVERYDAY_QUESTIONS) questions.push(await ask(stage, scope, question))
      return { profile: lines.map(({ text }) => text), questions }
    } finally {
      await memory.close()
    }
  },
}

const change: Chapter = {
  title: 'Things change',
  about:
    'When the user moves or changes jobs, the new fact replaces the old one. The old fact stays with its dates and can still be recalled.',
  async play(stage) {
    const { say, style, model } = stage
    const changed: unknown[] = []
    for (const { user, name, memory } of [stage.english, stage.chinese]) {
      const { subjects } = await memory.persona()
      const entries = subjects
        .flatMap((subject) => subject.entries)
        .filter(({ values }) => values.some(isOver))
      const facts = factsWithoutKey(await memory.memories({ forms: ['fact'] }))
      const besides = facts.filter(({ past, validUntil }) => past.length > 0 || validUntil !== null)
      const bold = style.bold(name)
      for (const entry of entries)
        showVersions(stage, `${bold}${style.dim(`, ${entry.key.id}`)}`, versionsOfKey(entry))
      for (const fact of besides) showVersions(stage, bold, versionsOfFact(fact))
      if (entries.length + besides.length === 0)
        say(`   ${bold}${style.dim(', no extracted fact has changed')}`, '')
      changed.push({ user, entries, ...(model === null ? {} : { besides }) })
    }
    return { changed }
  },
}

interface Version {
  readonly text: string
  readonly isOver: boolean
  /** The time it was true. */
  readonly span?: string
}

const isOver = ({ isPast, validUntil }: PersonaValue): boolean => isPast || validUntil !== null

/** Lists the versions of a key. A key that collects values, such as likes, changes only when a value ends. */
function versionsOfKey({ key, values }: PersonaEntry): Version[] {
  const replaces = key.merge === 'replace' || key.merge === 'trajectory'
  return values
    .filter((value) => replaces || isOver(value))
    .toSorted((a, b) => a.validFrom - b.validFrom)
    .map((value) => ({
      text: value.text,
      isOver: isOver(value),
      span: `${value.validUntil === null ? 'since ' : ''}${formatSpan(value.validFrom, value.validUntil)}`,
    }))
}

function versionsOfFact({ past, text, validUntil }: Memory): Version[] {
  const before = past.map((version) => ({ text: version.text, isOver: true }))
  return [...before, { text, isOver: validUntil !== null }]
}

function showVersions({ say, paragraph, style }: Stage, title: string, versions: readonly Version[]): void {
  say(`   ${title}`)
  for (const version of versions) {
    const label = version.isOver ? style.dim('was') : style.good('now')
    const span = version.span === undefined ? '' : `${style.dim(pad(version.span, 24))}  `
    paragraph(printable(version.text), `     ${label}  ${span}`)
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
  // Presets that store utterances only do not read requests.
  isShown: ({ memory }) => memory.preset.branches.some((branch) => branch.kind === 'facts'),
  title: '“Please forget that”',
  about:
    'A request in the conversation is carried out: the topic is no longer recalled, neither from its messages nor from the request itself.',
  async play(stage) {
    // Without a model, only the default preset recognises requests, by rules. For other presets a broken promise is no failure.
    const preset = stage.memory.preset.name === 'keepsake' ? null : 'preset'
    const requests: unknown[] = []
    for (const { who, said, name, question } of REQUESTS) {
      const person = stage[who]
      const turns = person.sessions.flatMap((session) => session.turns)
      const request = turns.find(({ text }) => said.test(text))
      if (request !== undefined) stage.paragraph(`${person.name}: ${quote(request.text)}`)
      const { context, memories } = await person.memory.recall(question, { limit: 50, reinforce: false })
      const isGone = !JSON.stringify([context.text, memories]).includes(name)
      const which = isGone ? 'none of them mentions' : 'some still mention'
      const promise = `“${question}” recalls ${memories.length} memories, and ${which} ${name}.`
      stage.checkPromise(promise, isGone, stage.model === null ? preset : 'model')
      stage.say('')
      requests.push({ user: person.user, question, comesBack: !isGone })
    }
    return { requests }
  },
}

const FORGOTTEN_SHOWN = 3
/** The demo's capacity, so that even a short conversation must forget. */
const CAPACITY = 30

const forgetting: Chapter = {
  title: 'Forgetting, and taking it back',
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
    for (const { memory: id, reason } of weakestFirst.slice(0, FORGOTTEN_SHOWN)) {
      const text = shorten(printable(texts.get(id) ?? ''), style.width - 16)
      say(`     ${style.accent(shortId(id))}  ${text}`)
      // The rest of a reason is the formula with numbers, which `why` shows.
      paragraph(style.dim(reason.split(/(?<=\.)\s/)[0] ?? reason), ' '.repeat(15))
    }
    say('')
    const ids = weakestFirst.map(({ memory }) => memory)
    const isAnyLive = async () => (await memory.memories({ forms: FORMS })).some(({ id }) => ids.includes(id))
    const wereGone = !(await isAnyLive())
    for (const id of ids) await memory.restore(id)
    if (ids.length > 0)
      stage.checkPromise(
        `They are no longer recalled, and all ${ids.length} can be restored.`,
        wereGone && (await isAnyLive()),
      )
    return { policy, considered, forgotten, undone: await removeAndUndo(stage, memory) }
  },
}

/** Removes a fact by mistake and undoes that. */
async function removeAndUndo(stage: Stage, scope: ScopedMemory): Promise<string | null> {
  const facts = await scope.memories({ forms: ['fact'] })
  const fact = facts.find(({ text }) => /penicillin/i.test(text)) ?? facts[0]
  if (fact === undefined) return null
  const isLive = async () => (await scope.memories({ forms: FORMS })).some(({ id }) => id === fact.id)
  const operation = await scope.forget(fact.id)
  const wasGone = !(await isLive())
  await scope.undo(operation.id)
  stage.checkPromise(
    `“${shorten(printable(fact.text), 48)}” was forgotten by mistake, and one undo restored it.`,
    wasGone && (await isLive()),
  )
  return fact.id
}

const explain: Chapter = {
  title: 'Why',
  about: 'Every memory can be explained: its evidence, its strength and its history.',
  async play({ english, say, style }) {
    const facts = await english.memory.memories({ forms: ['fact'] })
    const fact = facts.find(({ past, validUntil }) => validUntil !== null || past.length > 0) ?? facts[0]
    if (fact === undefined) return { explained: null }
    const explanation = await english.memory.explain(fact.id)
    say(indentBy(style, 3, showExplanation(explanation, true).formatText))
    return { explained: fact.id, sentences: explanation.sentences }
  },
}

const erase: Chapter = {
  title: 'Erasing',
  about:
    'The right to be forgotten, to the last byte: text, vectors, index and everything derived from them.',
  async play({ file, chinese, say, paragraph, checkPromise }) {
    const { name, sessions, memory } = chinese
    const texts = sessions.flatMap(({ turns }) => turns.map(({ text }) => text))
    const before = findInFiles(file, texts).found.length
    const receipt = await memory.erase({ everything: true })
    const { files, found } = findInFiles(file, texts)
    const after = found.length
    say(`   Before: ${before} of ${name}'s ${texts.length} turns can be read in the database's files.`)
    if (receipt !== null) paragraph(formatReceipt(receipt))
    checkPromise(
      `After: ${after} of ${texts.length}, looking through every byte of ${files.length === 1 ? 'its file' : `its ${files.length} files`}.`,
      before > 0 && after === 0,
    )
    return { before, after, receipt }
  },
}

/** The chapters in order, by their names in the output of `--json`. */
export const CHAPTERS: Readonly<Record<string, Chapter>> = {
  remember,
  know: personaChapter,
  tell: storyChapter,
  recall,
  everyday,
  change,
  forgetRequest,
  letGo: forgetting,
  explain,
  erase,
}

/** Shows the language model's calls and failures; returns them for `--json`. */
export async function showCost(stage: Stage, { name, tally }: NonNullable<Stage['model']>): Promise<object> {
  const { say, paragraph, style, memory } = stage
  const { total, byPrompt } = tally
  const rows = [...byPrompt].map(([prompt, { calls, inputTokens, outputTokens, failed }]) => [
    `   ${prompt}`,
    ...[calls, inputTokens, outputTokens].map((count) => count.toLocaleString('en')),
    failed === 0 ? '' : `${failed} without a usable answer`,
  ])
  const head = ['   prompt', 'calls', 'tokens in', 'out', ''].map(style.dim)
  say('', style.bold('Model usage'), '', table(head, rows, [1, 2, 3]), '')
  paragraph(`${name}: ${describeCalls(total)}.`)
  const jobs = await memory.jobs()
  const unread = `${formatCount(jobs.length, 'part')} of the conversations could not be processed: see "keepsake jobs".`
  if (jobs.length > 0) paragraph(style.warn(unread))
  return { name, total, byPrompt: Object.fromEntries(byPrompt), unread: jobs.map((job) => job.reason) }
}
