// Checks the line budgets of house style: source lines without tests, per package. Raising a ceiling takes a reason beside it.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const SOURCE = /\.(ts|tsx|mjs|js|py|css|wat)$/
const NOT_SOURCE = /\.(test|spec)\.|(^|\/)(tests?|testing|fixtures?|contract)\/|-fixtures?\.|\.d\.ts$/

/** Ceilings in lines, with the target of the redesign where it is lower. @type {Record<string, number>} */
const BUDGETS = {
  'clients/python': 1_731,
  examples: 800,
  integrations: 410, // a filter for Open WebUI, an extension for SillyTavern, a node for n8n
  'packages/agent-sdks': 590, // adapters for three agent frameworks and Anthropic's memory tool (issue: what people ask for)
  'packages/ai-sdk': 970, // what adapters of other SDKs recall by as well
  'packages/bench': 22_360, // target 21,000 with generators and peers; tables of papers tell more of their conditions; steps have names, and papers' terms are explained
  'packages/bench-generators': 3_355, // steps of long functions have names of their own
  'packages/bench-http-peers': 1_720,
  'packages/browser': 455, // the engine in a page: stand-ins for what it takes of Node
  'packages/cli': 7_800, // errors name the command that lists what exists; chats ask about doubtful requests; options and results have names; folders of Slack exports, who changed a memory; edits of mistakes; pictures are described; target 5,500; own keys of a user; guidelines of a user; the server warms up, or its first recall takes seconds; what falls due, spans; persons and their relations
  'packages/client': 1_280, // parameters have names; what falls due; own keys; persons and their relations
  'packages/create-keepsake': 765, // a failed install leaves nothing and says what to do
  'packages/importing': 4_345, // mentions of Slack keep their words; times of day before names, pages copied from Slack and Discord; paths of Letta and Zep have names; chats between people are marked; long expressions are built from named parts; names of people in Slack exports; Claude Code's own blocks, LINE for computers, more scripts; notices of Messenger and LINE, encrypted chats; statements of Mem0 become notes; attachments of Discord and Slack; pictures and files of messages; blocks of Letta; target 8,500 with the clients, ai-sdk, langchain and create-keepsake
  'packages/inspector': 8_180, // texts and states have names; target 8,000; relations of persons drawn as a graph; sections for own keys and categories; blocks on the overview; a section for guidelines; keys over tabs, one name per person, dates of corrections, restoring in bulk
  'packages/keepsake': 41_499, // ids share random bytes, owners of names are kept, statements run on their connection, for speed; names that share a character are kept apart; files say first what they do; a corrected name is corrected in other facts; longer Chinese names are found; requests to other persons are no requests; corrected words are marked, callers are named, partners are married; long steps are split and conditions named, for clarity at first reading; conditions and steps have names of their own; persons of one name are distinguished by relation; facts stated without a key are read by rules; corrected names leave entities; overviews of money; results are weighed by what their sentences state; files in places that cannot be written; what a request leaves; replies that confirm nothing; target 24,000; embedding models that fail or lie are guarded against, refusals of a model are kept apart from outages, arguments are checked; what falls due and relates is read in pieces; deletions of a model are checked; escapes of NUL, which were in packages/postgres; formatting and entities of one's own words; blocks are checked against guidelines, which exports carry; attachments are read, described and sent to models; facts are filed under own categories and typed keys; topics are forgotten in pieces; blocks of an agent; corrections in talk; names of erased users leave records; guidelines are stored, asked for and checked; statements are compared word by word; options, dates of edits and attribution are checked; ends that lie ahead, spans and what falls due; relations of persons and questions that follow them
  'packages/langchain': 575,
  'packages/libsql': 430, // libSQL and Turso as a store, which `npm install keepsake` does not bring
  'packages/mem0-compat': 2_530, // roles of other libraries; statements before the messages that say them; lists of older clients; custom instructions and categories; pictures; target 1,800
  'packages/models': 1_695,
  // Holds prompts and compressors of the papers, which were in the engine.
  'packages/papers': 2_485, // target 5,000; LUFY's scales of signals, which were in the engine
  'packages/postgres': 950, // a second migration: the role of turns; waits and error codes have names
  'packages/search': 2_120, // target 1,800
  // Named paths alone pass on to the upstream; metadata and exports are bounded.
  'packages/server': 13_499, // each character's answer of a group chat is a message; messages that clients without history repeat erase nothing; long expressions are built from named parts; first messages edited in named chats; tasks of clients by their form, edits further back; errors that name tools, undo of the last change; target 8,500; attachments; states of own keys; browsers of other pages are refused; routes and tools of blocks; keys and webhooks hold digests of erased users; routes and a resource for guidelines; spans, what falls due; persons and their relations
  'packages/text': 17_769, // lists and pages below “About me” are read; others' requests in Chinese, complaints, deaths and partings in plain words, corrections that laugh; Japanese with kanji is not Chinese, blanks in tags of thoughts, passwords in other word orders; plain carriers of posts and sayings; each file of patterns says how to read one; corrections fit the frame of their statement; long patterns are built from named parts, each with an example; links and struck words; requests that name something definite; Granite's thoughts, messages of an editor; signs of one's own drafts, notes and forms, remarks below pasted text; events by part of life that end facts; more forms of overviews; the user's own words of messages that programs compose, read in linear time; code and quotations in answers that think; questions for what is so now; identity numbers, security answers; parts of life that requests name; verbs that move things are no requests; corrections and ends in everyday words of two languages; wide questions for one subject, by their form; requests to forget, their answers and values by kind in eight languages, instructions by frame, act and matter; given(), which stood in three packages; blocks that begin or end with the signs of another author, and texts that the speaker claims, in eight languages; forms, capitals and mail of one's own; quotations, dreams and work on texts in four more languages; instructions and corrections in everyday words; questions for whole topics in English; attachments are read where importers need no engine; questions of several places, replies that evade; target 8,500; lines of attachments; ids that look alike are refused; corrections in talk are read in two languages; statements behind a carrier of others’ words are found without marks; the gate removes thoughts of a model; metadata is read here since importers check it without the engine; its sources are bundled by a script of its own; dates in words, ends and appointments
  'packages/train': 2_795, // target 4,000 with tools/data
  scripts: 1_990, // lists of packages grow by one; the check of words reads patterns and strings apart; short tests keep their files in memory
  site: 280, // TypeDoc runs on every core
  'tools/data': 2_480,
  'tools/golden': 1_031,
  'tools/perf': 2_492, // kills come after answers, not after a time
}

/** @param {string} file */
const countLines = (file) => readFileSync(join(ROOT, file), 'utf8').split('\n').length - 1

/** The package, or the top folder; null for a file of the root. @param {string} file */
const folderOf = (file) => /^((?:packages|tools|clients)\/[^/]+|[^/]+)\//.exec(file)?.[1] ?? null

/** @type {Map<string, { files: number, lines: number }>} */
const sizes = new Map()
for (const file of execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).split('\n')) {
  const folder = folderOf(file)
  if (folder === null || !SOURCE.test(file) || NOT_SOURCE.test(file) || !existsSync(join(ROOT, file)))
    continue
  const size = sizes.get(folder) ?? { files: 0, lines: 0 }
  sizes.set(folder, { files: size.files + 1, lines: size.lines + countLines(file) })
}

let failures = 0
let total = 0
for (const [folder, { files, lines }] of [...sizes].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
  total += lines
  const budget = BUDGETS[folder] ?? 0
  const isOver = lines > budget
  if (isOver) failures++
  const row = `${folder.padEnd(28)} ${String(files).padStart(4)} files ${String(lines).padStart(6)} lines of ${budget}`
  console.log(
    isOver ? `${row}  OVER BUDGET: remove lines, or raise its ceiling in scripts/check-size.mjs` : row,
  )
}
console.log(`${total} lines, ${failures} over budget`)
process.exitCode = failures === 0 && total > 0 ? 0 : 1
