import type { DueItem } from 'keepsake'
import { given } from '@keepsake/text/names'
import { scopeCommand } from '../define-command.ts'
import { formatCount } from '../output/format-quantity.ts'
import { collect } from '../shared-options.ts'
import { findMemory, MEMORY_ARGUMENT } from '../find-memory.ts'
import { showExplanation, showHistory } from '../output/format-explanation.ts'
import { showPersona, showPortrait, showStory } from '../output/format-person.ts'
import { showTable, table, type Shown } from '../output/print.ts'
import { printable, shorten } from '../output/style.ts'
import { dateOrTime, time, timeZoneName, wholeNumber } from '../read-values.ts'

export const personaCommand = scopeCommand({
  name: 'persona',
  summary: 'facts about each person, by key',
  description: 'Shows facts about each person by key, with past values and their dates.',
  examples: ['keepsake persona --user maya', 'keepsake persona --user maya --json'],
  run: async ({ scope }) => showPersona(await scope.persona(), scope.key.user),
})

export const dueCommand = scopeCommand({
  name: 'due',
  summary: 'what falls due in a time span',
  description:
    'Lists plans and appointments, ends of statements, birthdays and other yearly days in a time span, the earliest first. The default span begins now.',
  declare: (command) =>
    command
      .option('--from <day>', 'the first day: 2026-03-01', dateOrTime)
      .option('--to <day>', 'the last day: 2026-03-31', dateOrTime)
      .option('--time-zone <name>', 'the zone of these days: Europe/Paris', timeZoneName),
  json: 'one JSON object per line',
  examples: ['keepsake due --user maya', 'keepsake due --from 2026-03 --to 2026-04 --user maya'],
  async run({ scope, options: { from, to, timeZone } }) {
    return showDue(await scope.due(given({ from, to, timeZone })))
  },
})

function showDue(items: readonly DueItem[]): Shown {
  return {
    data: items,
    formatText: ({ dim, width }) =>
      items.length === 0
        ? dim('Nothing falls due.')
        : table(
            [],
            items.map((item) => [
              formatDueTime(item),
              dim(item.kind),
              shorten(printable(item.memory.text), Math.max(MIN_TEXT_WIDTH, width - DUE_COLUMNS_WIDTH)),
            ]),
          ),
  }
}

/** Width of the columns with time and kind. */
const DUE_COLUMNS_WIDTH = 28
const MIN_TEXT_WIDTH = 20

/** `2026-03-01`, or `2026-03-01 18:00`. */
function formatDueTime({ at, isWholeDay }: DueItem): string {
  const iso = new Date(at).toISOString()
  return iso.slice(0, isWholeDay ? 10 : 16).replace('T', ' ')
}

export const entitiesCommand = scopeCommand({
  name: 'entities',
  summary: 'related persons and pets',
  description:
    'Lists the persons and pets that the user’s words relate to one another. The most frequent come first.',
  json: 'one JSON object per line',
  examples: ['keepsake entities --user maya'],
  async run({ scope }) {
    const entities = await scope.entities()
    const cells = entities.map(({ name, relations, statements }) =>
      [name, relations.join(', '), String(statements)].map(printable),
    )
    return showTable(entities, [], cells, 'No names are related.')
  },
})

export const aboutCommand = scopeCommand({
  name: 'about',
  summary: 'relations of a person, with the words that support them',
  description:
    'Shows the relations of a person or pet to a depth of two, each with the words that support it.',
  declare: (command) =>
    command
      .argument('<entity>', 'one of its names; "user" is the user')
      .option('--depth <n>', 'how many steps: 1 or 2', wholeNumber(1, 2))
      .option('--at <time>', 'the relations at this time', time),
  examples: ['keepsake about Mia --depth 2 --user maya'],
  async run({ scope, options: { depth, at } }, entity) {
    const entityView = await scope.about(entity, given({ depth: depth === 2 ? (2 as const) : undefined, at }))
    const lines = entityView.edges.flatMap(({ from, relation, to, evidence }) => [
      printable(`${from} – ${relation} → ${to}`),
      ...new Set(evidence.map(({ quote }) => `  ${printable(quote)}`)),
    ])
    return { data: entityView, formatText: () => lines.join('\n') }
  },
})

export const portraitCommand = scopeCommand({
  name: 'portrait',
  summary: 'a short profile of the user',
  description:
    'Shows a short profile: who the user is, the relationship to the agent, and what happened. Presets with a portrait write it when a session ends. --json has all versions.',
  examples: ['keepsake portrait --user maya'],
  run: async ({ scope }) => showPortrait(await scope.portrait()),
})

export const storyCommand = scopeCommand({
  name: 'story',
  summary: 'the story so far, level by level',
  description: 'Shows the story so far: overall summaries first, then one for each session.',
  examples: ['keepsake story --user maya', 'keepsake story --user maya --json'],
  run: async ({ scope }) => showStory(await scope.story()),
})

export const guidelinesCommand = scopeCommand({
  name: 'guidelines',
  summary: 'guidelines: what to remember of a user and what never',
  description:
    'Shows or sets what to remember and what never to remember of a user, or for one agent or app. New lines replace those of the same list. They apply from the next message on.',
  declare: (command) =>
    command
      .option('--keep <line>', 'what to remember; may be repeated', collect)
      .option('--never <line>', 'what never to remember; may be repeated', collect)
      .option('--clear', 'remove all lines of this user, agent or app'),
  examples: [
    'keepsake guidelines --user maya',
    'keepsake guidelines --user maya --never health --never "names of colleagues"',
    'keepsake guidelines --user maya --clear',
  ],
  async run({ scope, options: { keep, never, clear = false } }) {
    const guidelines = await scope.guidelines()
    const isSet = clear || keep !== undefined || never !== undefined
    const ownLines = clear ? {} : guidelines.own
    const data = isSet ? await scope.setGuidelines({ ...ownLines, ...given({ keep, never }) }) : guidelines
    const rows = (['keep', 'never'] as const).flatMap((list) =>
      data[list].map((line) => [list, printable(line)]),
    )
    return showTable(data, [], rows, 'No guidelines.')
  },
})

export const stateCommand = scopeCommand({
  name: 'state',
  summary: 'values of the application’s own keys',
  description: 'Shows the values of the keys and the categories of the --guidelines file, or of one key.',
  declare: (command) =>
    command
      .argument('[key]', 'one of the keys')
      .requiredOption('--guidelines <file>', 'JSON with {"categories": {…}, "keys": {…}}'),
  json: '{"states": […], "categories": […]}',
  examples: ['keepsake state --user maya --guidelines guidelines.json'],
  async run({ scope }, key) {
    const states = key === undefined ? await scope.states() : [await scope.state(key)]
    const categories = await scope.categories()
    const rows = [
      ...states.map(({ key: id, value, unit }) => [
        id,
        value === null ? '–' : printable(`${JSON.stringify(value)}${unit === null ? '' : ` ${unit}`}`),
      ]),
      ...(key === undefined ? categories : []).map(({ name, facts }) => [
        printable(name),
        formatCount(facts, 'fact', 'facts'),
      ]),
    ]
    return { data: { states, categories }, formatText: () => table([], rows) }
  },
})

export const whyCommand = scopeCommand({
  name: 'why',
  summary: 'why a memory is kept or forgotten',
  description:
    'Explains in one sentence why a memory is kept or was forgotten. With --verbose it adds evidence, use, strength and the formula.',
  declare: (command) =>
    command.argument('<memory>', MEMORY_ARGUMENT).option('--verbose', 'show the numbers of the policy'),
  examples: ['keepsake why 4f1c09ab --user maya', 'keepsake why 4f1c09ab --user maya --verbose'],
  run: async ({ scope, options: { verbose = false } }, prefix) =>
    showExplanation(await scope.explain((await findMemory(scope, prefix)).id), verbose),
})

export const historyCommand = scopeCommand({
  name: 'history',
  summary: 'every change of a memory',
  description: 'Lists every operation on a memory, the oldest first, with the text before and after.',
  declare: (command) => command.argument('<memory>', MEMORY_ARGUMENT),
  json: 'one JSON object per line',
  examples: ['keepsake history 4f1c09ab --user maya'],
  async run({ scope }, prefix) {
    const memory = await findMemory(scope, prefix)
    return showHistory(memory, await scope.admin.history(memory.id))
  },
})
