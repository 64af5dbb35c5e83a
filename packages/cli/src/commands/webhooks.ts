import type { Webhook, WebhookStore } from '@keepsake/server'
import { InvalidArgumentError } from '@commander-js/extra-typings'
import { Command } from 'commander'
import type { Keepsake } from 'keepsake'
import { CHANGE_EVENTS } from 'keepsake/names'
import { notFound } from '../cli-error.ts'
import { defineCommand, type MakeCommand } from '../define-command.ts'
import { loadServer } from '../load-package.ts'
import { withExisting } from '../open-database.ts'
import { formatCount, formatMoment } from '../output/format-quantity.ts'
import { table } from '../output/print.ts'
import { printable } from '../output/style.ts'
import { oneOrMoreOf, wholeNumber } from '../read-values.ts'

const MOST_GRACE_HOURS = 720
const HOUR_MS = 3_600_000
const MOST_SHOWN = 100

/** `keepsake webhooks`: who is told what happens. */
export const webhooksCommand: MakeCommand = (io) =>
  new Command('webhooks')
    .summary('who is told what happens')
    .description(
      'Registers addresses to which "keepsake serve" posts what happens to memories, and looks at what it could not deliver. A running server heeds every change within a second.',
    )
    .addCommand(createCommand(io))
    .addCommand(listCommand(io))
    .addCommand(disableCommand(io))
    .addCommand(enableCommand(io))
    .addCommand(secretCommand(io))
    .addCommand(failedCommand(io))
    .addCommand(removeCommand(io))

const createCommand = defineCommand({
  name: 'create',
  description:
    'Registers an address and prints the secret by which messages to it are signed, this once. Without --tenant and --user it is told of everybody.',
  takes: ['db', 'preset'],
  declare: (command) =>
    command
      .requiredOption('--url <url>', 'where messages are posted', address)
      .option('--tenant <name>', 'of this tenant alone')
      .option('--user <name>', 'of this person alone')
      .option('--agent <name>', 'only what this agent sees')
      .option('--app <name>', 'only what this app sees')
      .option(
        '--event <list>',
        `what it is told of (default: all): ${CHANGE_EVENTS.join(', ')}`,
        oneOrMoreOf(CHANGE_EVENTS),
        [...CHANGE_EVENTS],
      )
      .option('--texts', 'tell memories with their words')
      .option('--description <text>', 'what it is for'),
  examples: [
    'keepsake webhooks create --url https://app.example.com/hooks/memory',
    'keepsake webhooks create --url https://app.example.com/erased --user maya --event scope-erased',
  ],
  run: ({ options }) =>
    withWebhooks(options, async (store) => {
      const {
        url,
        tenant,
        user,
        agent = null,
        app = null,
        event,
        texts = false,
        description = null,
      } = options
      const tenants = tenant === undefined && user === undefined ? null : [tenant ?? 'default']
      const users = user === undefined ? null : [user]
      const whose = { tenants, users, agent, app }
      const made = await store.create({ ...whose, url, description, events: event, texts, key: null })
      return {
        data: { ...made.webhook, secret: made.secret },
        words: () => made.secret,
        aside: `${made.webhook.id} is told ${of(made.webhook)}. Keep the secret now: it cannot be shown again.`,
      }
    }),
})

const listCommand = defineCommand({
  name: 'list',
  description: 'Lists the webhooks: where each leads, of whom it is told, and whether it is.',
  takes: ['db', 'preset'],
  json: 'one JSON object a webhook, a line each',
  examples: ['keepsake webhooks list', 'keepsake webhooks list --json'],
  run: ({ options }) =>
    withWebhooks(options, async (store) => {
      const webhooks = await store.list()
      return {
        data: webhooks,
        words: ({ dim }) =>
          webhooks.length === 0
            ? dim('No webhooks yet. "keepsake webhooks create" makes one.')
            : table(['id', 'url', 'of', 'state'].map(dim), webhooks.map(row)),
      }
    }),
})

const disableCommand = defineCommand({
  name: 'disable',
  description: 'Posts nothing more to an address. What happens waits until it is enabled again.',
  takes: ['db', 'preset'],
  declare: (command) => command.argument('<id>', 'as "keepsake webhooks list" shows it'),
  examples: ['keepsake webhooks disable wh_5c0f1e7a9b3d2c48'],
  run: ({ options }, id) =>
    withWebhooks(options, async (store) => shown(await store.disable(id, 'asked'), id, 'Disabled')),
})

const enableCommand = defineCommand({
  name: 'enable',
  description: 'Posts to an address again, what happened meanwhile first. It is the operator’s from then on.',
  takes: ['db', 'preset'],
  declare: (command) => command.argument('<id>', 'as "keepsake webhooks list" shows it'),
  examples: ['keepsake webhooks enable wh_5c0f1e7a9b3d2c48'],
  run: ({ options }, id) =>
    withWebhooks(options, async (store) =>
      shown(await store.change(id, { state: 'enabled', reason: null, key: null }), id, 'Enabled'),
    ),
})

const secretCommand = defineCommand({
  name: 'secret',
  description:
    'Makes a new secret and prints it, this once. Messages carry a signature by the old one too for a while, so that receivers can change over.',
  takes: ['db', 'preset'],
  declare: (command) =>
    command
      .argument('<id>', 'as "keepsake webhooks list" shows it')
      .option(
        '--grace-hours <n>',
        'how long the old one goes on; 0 ends it now',
        wholeNumber(0, MOST_GRACE_HOURS),
        24,
      ),
  examples: ['keepsake webhooks secret wh_5c0f1e7a9b3d2c48 --grace-hours 1'],
  run: ({ options }, id) =>
    withWebhooks(options, async (store) => {
      const made = await store.rotate(id, options.graceHours * HOUR_MS)
      if (made === null) throw noWebhook(id)
      return { data: { ...made.webhook, secret: made.secret }, words: () => made.secret }
    }),
})

const failedCommand = defineCommand({
  name: 'failed',
  description:
    'Lists messages that were given up, at most a hundred: what happened when, and what the receiver answered. A running server sends them again: POST /v1/webhooks/{id}/failed/replay.',
  takes: ['db', 'preset'],
  declare: (command) => command.argument('<id>', 'as "keepsake webhooks list" shows it'),
  json: 'one JSON object a message, a line each',
  examples: ['keepsake webhooks failed wh_5c0f1e7a9b3d2c48'],
  run: ({ options }, id) =>
    withWebhooks(options, async (store) => {
      if ((await store.find(id)) === null) throw noWebhook(id)
      const failed = await store.failed(id, MOST_SHOWN)
      const cells = failed.map(({ id, event, at, attempts, reason }) => [
        id,
        event,
        formatMoment(at),
        formatCount(attempts, 'try', 'tries'),
        reason,
      ])
      return {
        data: failed,
        words: ({ dim }) =>
          failed.length === 0
            ? dim('Nothing was given up.')
            : table(['message', 'event', 'happened', 'tried', 'why'].map(dim), cells),
      }
    }),
})

const removeCommand = defineCommand({
  name: 'remove',
  description: 'Forgets a webhook, with all that waits for it.',
  takes: ['db', 'preset'],
  declare: (command) => command.argument('<id>', 'as "keepsake webhooks list" shows it'),
  examples: ['keepsake webhooks remove wh_5c0f1e7a9b3d2c48'],
  run: ({ options }, id) =>
    withWebhooks(options, async (store) => {
      if (!(await store.remove(id))) throw noWebhook(id)
      return { data: { id }, words: () => `Removed ${id}.` }
    }),
})

async function withWebhooks<Result>(
  options: Parameters<typeof withExisting>[0],
  work: (store: WebhookStore, keepsake: Keepsake) => Promise<Result>,
): Promise<Result> {
  const { WebhookStore } = await loadServer()
  return withExisting(options, (keepsake) => work(new WebhookStore(keepsake), keepsake))
}

function shown(webhook: Webhook | null, id: string, done: string) {
  if (webhook === null) throw noWebhook(id)
  return { data: webhook, words: () => `${done} ${webhook.id} (${printable(webhook.url)}).` }
}

function noWebhook(id: string) {
  return notFound(`There is no webhook with the id ${id}. "keepsake webhooks list" shows them.`)
}

function row(webhook: Webhook): string[] {
  const { id, url, state, reason } = webhook
  return [id, printable(url), of(webhook), reason === null ? state : `${state} (${reason})`]
}

/** `of acme / ana: memory-added, scope-erased`. */
function of({ tenants, users, agent, app, events, texts }: Webhook): string {
  const names = (some: readonly string[] | null, all: string): string =>
    some?.map(printable).join(', ') ?? all
  const whose =
    tenants === null && users === null
      ? 'everybody'
      : `${names(tenants, 'every tenant')} / ${names(users, 'every user')}`
  const within = [agent, app].flatMap((name) => (name === null ? [] : [printable(name)])).join(', ')
  const what = events.length === CHANGE_EVENTS.length ? 'everything' : events.join(', ')
  return `of ${whose}${within === '' ? '' : ` (${within})`}: ${what}${texts ? ', with words' : ''}`
}

function address(value: string): string {
  const url = URL.parse(value)
  if (url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '')
    return value
  throw new InvalidArgumentError('It must be an address such as https://app.example.com/hooks/memory.')
}
