import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type {
  BenchConversation,
  DatasetQuestion,
  DatasetSession,
  DatasetTurn,
  GoldMemory,
  OpenedDataset,
} from './conversation.ts'
import { DatasetError } from './dataset-error.ts'
import { gatherUnits, type Units } from './gather-units.ts'
import { opaqueId, opaqueIds } from './opaque-id.ts'
import { hashFiles, readJson } from './read-input.ts'
import { openJsonLines, type DatasetRecord, type RecordFile } from './record-file.ts'
import { streamConversations } from './stream-conversations.ts'

const ZONE = 'UTC'
/** An arbitrary time, because the published files have none. Turns are a minute apart. */
const STARTS_AT = Date.UTC(2024, 0, 1, 12)
const TURN_GAP_MS = 60_000
const SESSION = opaqueId('s', 1)
/** Matches the name of a talk's file and takes its number: `ZH-4O_label_1.jsonl`. */
const LABEL_FILE = /_(\d+)\.jsonl?$/
/** Number of options of a multiple-choice question. */
const OPTION_COUNT = 4

const ProbeSchema = z.object({
  question: z.string(),
  choices: z.array(z.string()).length(OPTION_COUNT, `should have ${OPTION_COUNT} options`),
  correct: z
    .int()
    .min(0)
    .max(OPTION_COUNT - 1, 'should be the place of an option, 0 to 3'),
  positions: z.array(z.int().nonnegative('should be an index of `messages`')).nullish(),
})

const DialogueSchema = z.object({
  messages: z.array(z.object({ sender_name: z.string(), text: z.string() })).min(1, 'should have a turn'),
  role_meta: z.object({ user_name: z.string(), primary_bot_name: z.string() }),
  memory_human_label: z.record(z.string().regex(/\d/, 'should have positions for keys'), z.array(z.string())),
  probes: z.array(ProbeSchema).nullish(),
})

type PublishedDialogue = z.infer<typeof DialogueSchema>

/**
 * Opens ZH-4O (MOOM paper, section 4 and appendix A): role-playing talks of some 600 turns in Chinese, with memories that people annotated.
 * In the published form each talk is a file with one JSON object (`ZH-4O_label_1.jsonl`, …):
 *
 * - `messages`: `sender_name` and `text` of each,
 * - `role_meta`: `user_name` and `primary_bot_name`,
 * - `memory_human_label`: from an index of `messages` to the memories that it states.
 *
 * One file of JSON Lines with one talk per line is read too. The multiple-choice questions of the paper were not published. They are read
 * from a field of our own, if a talk has it:
 *
 * ```json
 * "probes": [{"question": "…", "choices": ["…", "…", "…", "…"], "correct": 2, "positions": [17]}]
 * ```
 *
 * A question is asked from the robot's perspective. `correct` is the index of the right choice, and `positions` are indexes of `messages`.
 *
 * A talk becomes a conversation of one session. A unit is a round. Labels become gold memories of the source `annotated`. A position that is
 * no index of a message is ignored.
 *
 * @param path the folder of the talks' files, a folder with them in `label`, or a file of JSON Lines
 * @throws DatasetError naming the file, line and field.
 */
export async function openZh4o(path: string): Promise<OpenedDataset> {
  const isFolder = (await stat(path).catch(() => null))?.isDirectory() === true
  const source = isFolder ? await openFolder(path) : await openJsonLines(path)
  return streamConversations(source, {
    name: 'zh-4o',
    language: 'zh',
    schema: DialogueSchema,
    build: buildTalk,
  })
}

/** Opens a folder with one talk per file. The files are its entries, in the order of their numbers. */
async function openFolder(path: string): Promise<RecordFile> {
  const nested = (await stat(join(path, 'label')).catch(() => null))?.isDirectory() === true
  const folder = nested ? join(path, 'label') : path
  const numberOf = (name: string): number => Number(LABEL_FILE.exec(name)?.[1])
  const names = (await readdir(folder))
    .filter((name) => LABEL_FILE.test(name))
    .toSorted((a, b) => numberOf(a) - numberOf(b))
  if (names.length === 0)
    throw new DatasetError(folder, 'should hold the talks: ZH-4O_label_1.jsonl, ZH-4O_label_2.jsonl, …')
  const files = names.map((name) => ({ name, path: join(folder, name) }))
  return {
    file: folder,
    dataHash: await hashFiles(files),
    size: names.length,
    async *records(): AsyncGenerator<DatasetRecord> {
      for (const { name, path } of files) yield { where: name, value: await readJson(path) }
    },
  }
}

function buildTalk(talk: PublishedDialogue, index: number): BenchConversation {
  const { user_name: user } = talk.role_meta
  const turns = talk.messages.map(({ sender_name: speaker, text }, place): DatasetTurn => ({
    id: opaqueId('t', place + 1),
    role: speaker === user ? 'user' : 'assistant',
    speaker,
    text,
    at: STARTS_AT + place * TURN_GAP_MS,
    zone: ZONE,
  }))
  const sessions: DatasetSession[] = [{ id: SESSION, turns, gold: buildGold(talk, turns) }]
  const units = gatherUnits(sessions, 'rounds')
  const name = `talk ${index + 1}`
  return { name, person: name, user, sessions, questions: buildProbes(talk, turns, units), ...units }
}

function buildGold(talk: PublishedDialogue, turns: readonly DatasetTurn[]): GoldMemory[] {
  const nextId = opaqueIds()
  // ZH-4O gives neither type nor importance, and calls nothing an update.
  const base = { type: null, source: 'annotated', isUpdate: false, replaces: [], importance: 1 } as const
  return Object.entries(talk.memory_human_label).flatMap(([positions, texts]) => {
    const turnIds = (positions.match(/\d+/g) ?? []).flatMap((place) => turns[Number(place)]?.id ?? [])
    return texts.map((text) => ({ id: nextId('g'), text, ...base, turns: turnIds }))
  })
}

function buildProbes(
  talk: PublishedDialogue,
  turns: readonly DatasetTurn[],
  units: Units,
): DatasetQuestion[] {
  const askedAt = (turns.at(-1)?.at ?? STARTS_AT) + TURN_GAP_MS
  return (talk.probes ?? []).map((probe, place) => {
    const turnIds = (probe.positions ?? []).flatMap((at) => turns[at]?.id ?? [])
    const answer = probe.choices[probe.correct]
    return {
      id: opaqueId('q', place + 1),
      text: probe.question,
      askedAt,
      category: 'probe',
      evidence: [...new Set(turnIds.flatMap((turn) => units.unitOf.get(turn) ?? []))],
      answerable: true,
      ...(answer === undefined ? {} : { answer }),
      choices: probe.choices,
      correctChoice: probe.correct,
    }
  })
}
