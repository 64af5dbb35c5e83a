import type { JobRow, Memory } from 'keepsake'
import type { DatasetTurn } from '../datasets/conversation.ts'
import type { Measured } from './measure-preset.ts'

/** Shown of a turn where no words of it are quoted. */
const SHOWN = 90

/**
 * What a preset made of a talk, as Markdown for a person to judge: everything it holds and on what evidence, everything
 * it let go or turned away and why.
 */
export async function inspectMemory(measured: Measured): Promise<string> {
  const { preset, talk, taken, ingested } = measured
  const { memory } = ingested
  const show = evidenceOf(measured)
  const live = await memory.memories()
  const sections: [string, string][] = [
    ['Persona sheet', await personaSheet(measured)],
    ['Story', await story(measured)],
    ['Portrait', await portraits(measured, live)],
    ['Facts', memoryList(formOf(live, 'fact'), show)],
    ['Utterances', utteranceCount(live)],
    ['Quarantined', memoryList(await memory.memories({ statuses: ['quarantined'] }), show)],
    ['Deleted', memoryList(await memory.memories({ statuses: ['deleted'] }), show)],
    ['Ended or changed', changes(formOf(live, 'fact'))],
    ['Forgotten', memoryList(formOf(await memory.memories({ statuses: ['forgotten'] }), 'fact'), show)],
    ['Operations rejected', rejected(measured)],
    ['Jobs unfinished', measured.jobs.map(jobEntry).join('\n\n')],
    ['Failures on the way', bullets([...new Set(ingested.failures)])],
    ['Replies', replies(measured)],
  ]
  const head = `# ${preset}: ${talk.name}\n\n${taken.rounds} rounds, ${taken.sessions.length} sessions.`
  const body = sections.map(([title, text]) => `## ${title}\n\n${text === '' ? 'Nothing.' : text}`)
  return `${[head, ...body].join('\n\n')}\n`
}

type ShowEvidence = (memory: Memory) => string

/** The turns a memory rests on, with the words quoted or how the turn begins. */
function evidenceOf({ taken }: Measured): ShowEvidence {
  const turns = new Map<string, DatasetTurn>(
    taken.sessions.flatMap((session) => session.turns.map((turn) => [turn.id, turn] as const)),
  )
  return ({ evidence }) =>
    evidence
      .map(({ turn, quote }) => {
        const said = turns.get(turn)
        return `${turn} ${said?.role ?? ''}: “${quote ?? shorten(said?.text ?? '')}”`
      })
      .join(' · ')
}

async function personaSheet({ ingested }: Measured): Promise<string> {
  const { subjects } = await ingested.memory.persona()
  return subjects
    .map(({ subject, entries }) => {
      const lines = entries.map(({ key, values }) => {
        const said = values.map(
          ({ value, validFrom, validUntil, isPast }) =>
            `${line(value)} (${period(validFrom, validUntil)}${isPast ? ', past' : ''})`,
        )
        return `${key.id} (${key.merge}): ${said.join('; ')}`
      })
      return `### ${subject}\n\n${bullets(lines)}`
    })
    .join('\n\n')
}

async function story({ ingested }: Measured): Promise<string> {
  const levels = await ingested.memory.story()
  const told = levels.map(({ level, units }) => {
    const title = level === 0 ? 'Session summaries' : `Level ${level}`
    // Every turn of a stretch stands behind it; how many is enough.
    const lines = units.map(
      (unit) => `${unit.session}, ${unit.evidence.length} turns${madeBy(unit)}: ${line(unit.text)}`,
    )
    return `### ${title}\n\n${bullets(lines)}`
  })
  const without = ingested.notSummarised.map(({ session, outcome }) => `${session}: ${outcome}`)
  return [...told, ...(without.length === 0 ? [] : [`### Not summarised\n\n${bullets(without)}`])].join(
    '\n\n',
  )
}

async function portraits({ ingested, taken }: Measured, live: readonly Memory[]): Promise<string> {
  const { versions } = await ingested.memory.portrait()
  const byId = new Map(live.map((memory) => [memory.id, memory]))
  const sessionOf = new Map(
    taken.sessions.flatMap(({ id, turns }) => turns.map((turn) => [turn.id, id] as const)),
  )
  return versions
    .map((version, index) => {
      const named = version.sources.flatMap((id) => byId.get(id)?.session ?? [])
      const said = version.evidence.flatMap(({ turn }) => sessionOf.get(turn) ?? [])
      const sessions = [...new Set(named.length > 0 ? named : said)]
      const title = `### Version ${index + 1} (${period(version.validFrom, version.validUntil)})`
      return `${title}\n\nRests on ${sessions.join(', ') || 'nothing'}${madeBy(version)}.\n\n${quoteBlock(version.text)}`
    })
    .join('\n\n')
}

function memoryList(memories: readonly Memory[], show: ShowEvidence): string {
  return memories
    .map((memory) => {
      const { subject, type, key, value, label, validFrom, validUntil, reason, form } = memory
      const sheet = key === null ? '' : `, ${key} = ${line(value ?? '')}`
      const what = `${form}, ${type} of ${subject}${sheet}, ${label}, ${period(validFrom, validUntil)}${madeBy(memory)}`
      const why = reason === null ? '' : `\n  - because: ${line(reason)}`
      return `- ${line(memory.text)}\n  - ${what}${why}\n  - ${show(memory)}`
    })
    .join('\n')
}

/** Facts that no longer hold, and what others said before. */
function changes(facts: readonly Memory[]): string {
  return bullets(
    facts.flatMap(({ text, validFrom, validUntil, past }) => {
      const before = past.map((version) => `“${line(version.text)}” until ${day(version.validUntil)}`)
      if (before.length > 0)
        return `${line(text)} (${period(validFrom, validUntil)}), before: ${before.join('; ')}`
      return validUntil === null ? [] : `${line(text)} (${period(validFrom, validUntil)})`
    }),
  )
}

function utteranceCount(live: readonly Memory[]): string {
  const count = formOf(live, 'utterance').length
  return count === 0 ? '' : `${count} live, kept as they were said and not listed here.`
}

function rejected({ ingested }: Measured): string {
  return bullets(ingested.rejected.map(({ kind, reason, prompt }) => `${kind} (${prompt}): ${line(reason)}`))
}

function jobEntry({ kind, session, branch, from, to, state, attempts, reason, answer }: JobRow): string {
  const where = [session, branch, from === null ? null : `turns ${from} to ${to ?? 'the end'}`]
  const what = where.filter((part) => part !== null).join(', ')
  const raw = answer === null ? '' : `\n\n${quoteBlock(answer)}`
  return `- ${kind}${what === '' ? '' : ` (${what})`}, ${state} after ${attempts}: ${line(reason ?? 'no reason')}${raw}`
}

function replies({ replies: answered }: Measured): string {
  return answered
    .map(({ question, reply }) => `**${line(question)}**\n\n${quoteBlock(reply ?? 'No usable answer.')}`)
    .join('\n\n')
}

function formOf(memories: readonly Memory[], form: Memory['form']): Memory[] {
  return memories.filter((memory) => memory.form === form)
}

function madeBy({ origin }: Memory): string {
  return origin.promptVersion === null ? '' : `, by ${origin.promptVersion}`
}

function period(from: number, until: number | null): string {
  return until === null ? `since ${day(from)}` : `${day(from)} to ${day(until)}`
}

function day(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

/** On one line, so that no text of a talk makes a heading or a list of its own. */
function line(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

function shorten(text: string): string {
  const whole = line(text)
  return whole.length <= SHOWN ? whole : `${whole.slice(0, SHOWN).toWellFormed()}…`
}

function quoteBlock(text: string): string {
  return text
    .split('\n')
    .map((one) => `> ${one}`.trimEnd())
    .join('\n')
}

function bullets(lines: readonly string[]): string {
  return lines.map((one) => `- ${one}`).join('\n')
}
