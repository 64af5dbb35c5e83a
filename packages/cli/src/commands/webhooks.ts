import type { Webhook, WebhookStore } from '@keepsake/server'
import { InvalidArgumentError } from '@commander-js/extra-typings'
import { Command } from 'commander'
import type { CHANGE_EVENTS as EVENTS } from 'keepsake'
import { notFound } from '../cli-error.ts'
import { defineCommand, type MakeCommand } from '../define-command.ts'
import { loadServer } from '../load-package.ts'
import { withExisting } from '../open-database.ts'
import { formatCount, formatMoment } from '../output/format-quantity.ts'
import { showTable, type Shown } from '../output/print.ts'
import { nameUsers, printable } from '../output/style.ts'
import { oneOrMoreOf } from '../read-values.ts'

const DAY_MS = 86_400_000
const MAX_SHOWN = 100

type ChangeEvent = (typeof EVENTS)[number]
/** The engine's change events. They are repeated here so that a help text does not load the engine; the type keeps both lists equal. */
const CHANGE_EVENTS = Object.keys({
  'turns-recorded': true,
  'memory-added': true,
  'memory-modified': true,
  'memory-deleted': true,
  'memory-forgotten': true,
  'memory-restored': true,
  'scope-erased': true,
} satisfies Record<ChangeEvent, true>) as readonly ChangeEvent[]

/** `keepsake webhooks`: receivers of changes. */
export const webhooksCommand: MakeCommand = (io) =>
  new Command('webhooks')
    .summary('send events to other programs')
    .description(
      'Registers addresses to which "keepsake serve" posts memory events, and lists failed deliveries. A running server applies every change within a second.',
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
    'Registers an address and prints its signing secret once. Without --tenant and --user it receives events of all users.',
  sharedOptions: ['db', 'preset'],
  declare: (command) =>
    command
      .requiredOption('--url <url>', 'the address to post to', address)
      .option('--tenant <name>', 'only this tenant')
      .option('--user <name>', 'only this user')
      .option(
        '--event <list>',
        `events to send (default: all): ${CHANGE_EVENTS.join(', ')}`,
        oneOrMoreOf(CHANGE_EVENTS),
      )
      .option('--texts', 'include the text of memories'),
  examples: [
    'keepsake webhooks create --url https://app.example.com/hooks/memory',
    'keepsake webhooks create --url https://app.example.com/erased --user maya --event scope-erased',
  ],
  run: ({ options }) =>
    withWebhooks(options, async (store) => {
      const { url, tenant, user, event = CHANGE_EVENTS, texts = false } = options
      const created = await store.create({
        url,
        tenants: tenant === undefined && user === undefined ? null : [tenant ?? 'default'],
        users: user === undefined ? null : [user],
        agent: null,
        app: null,
        description: null,
        events: event,
        texts,
        key: null,
      })
      return {
        data: { ...created.webhook, secret: created.secret },
        formatText: () => created.secret,
        note: `${created.webhook.id} receives events ${describeEvents(created.webhook)}. Save the secret now: it cannot be shown again.`,
      }
    }),
})

const listCommand = defineCommand({
  name: 'list',
  description: 'Lists the webhooks: address, users and state of each.',
  sharedOptions: ['db', 'preset'],
  json: 'one JSON object per line',
  examples: ['keepsake webhooks list', 'keepsake webhooks list --json'],
  run: ({ options }) =>
    withWebhooks(options, async (store) => {
      const webhooks = await store.list()
      const emptyText = 'No webhooks yet. "keepsake webhooks create" creates one.'
      return showTable(webhooks, ['id', 'url', 'of', 'state'], webhooks.map(row), emptyText)
    }),
})

/** Defines a subcommand about one webhook. */
const webhookCommand = (
  run: (store: WebhookStore, id: string) => Promise<Shown>,
  declared: Pick<Parameters<typeof defineCommand>[0], 'name' | 'description' | 'json' | 'examples'>,
) =>
  defineCommand({
    ...declared,
    sharedOptions: ['db', 'preset'],
    declare: (command) => command.argument('<id>', 'as "keepsake webhooks list" shows it'),
    run: ({ options }, id) => withWebhooks(options, (store) => run(store, id)),
  })

const disableCommand = webhookCommand(
  async (store, id) => showChanged(await store.disable(id, 'asked'), id, 'Disabled'),
  {
    name: 'disable',
    description: 'Stops posting to an address. Events are queued until it is enabled again.',
    examples: ['keepsake webhooks disable wh_5c0f1e7a9b3d2c48'],
  },
)

const enableCommand = webhookCommand(
  async (store, id) =>
    showChanged(await store.change(id, { state: 'enabled', reason: null, key: null }), id, 'Enabled'),
  {
    name: 'enable',
    description: 'Posts to an address again, queued events first. From then on the operator owns it.',
    examples: ['keepsake webhooks enable wh_5c0f1e7a9b3d2c48'],
  },
)

const secretCommand = webhookCommand(
  async (store, id) => {
    const rotated = await store.rotate(id, DAY_MS)
    if (rotated === null) throw noWebhook(id)
    return { data: { ...rotated.webhook, secret: rotated.secret }, formatText: () => rotated.secret }
  },
  {
    name: 'secret',
    description:
      'Creates a new secret and prints it once. For a day, messages are also signed with the old secret, so that receivers can switch.',
    examples: ['keepsake webhooks secret wh_5c0f1e7a9b3d2c48'],
  },
)

const failedCommand = webhookCommand(
  async (store, id) => {
    if ((await store.find(id)) === null) throw noWebhook(id)
    const failed = await store.failed(id, MAX_SHOWN)
    const cells = failed.map(({ id, event, at, attempts, reason }) => {
      return [id, event, formatMoment(at), formatCount(attempts, 'try', 'tries'), reason]
    })
    const head = ['message', 'event', 'happened', 'tried', 'why']
    return showTable(failed, head, cells, 'There are no undelivered messages.')
  },
  {
    name: 'failed',
    description:
      'Lists up to 100 undelivered messages: event, time and the receiver’s answer. To send them again, call POST /v1/webhooks/{id}/failed/replay on a running server.',
    json: 'one JSON object per line',
    examples: ['keepsake webhooks failed wh_5c0f1e7a9b3d2c48'],
  },
)

const removeCommand = webhookCommand(
  async (store, id) => {
    if (!(await store.remove(id))) throw noWebhook(id)
    return { data: { id }, formatText: () => `Removed ${id}.` }
  },
  {
    name: 'remove',
    description: 'Removes a webhook and its queued messages.',
    examples: ['keepsake webhooks remove wh_5c0f1e7a9b3d2c48'],
  },
)

async function withWebhooks<Result>(
  options: Parameters<typeof withExisting>[0],
  work: (store: WebhookStore) => Promise<Result>,
): Promise<Result> {
  const { WebhookStore } = await loadServer()
  return withExisting(options, (keepsake) => work(new WebhookStore(keepsake)))
}

function showChanged(webhook: Webhook | null, id: string, done: string) {
  if (webhook === null) throw noWebhook(id)
  return { data: webhook, formatText: () => `${done} ${webhook.id} (${printable(webhook.url)}).` }
}

function noWebhook(id: string) {
  return notFound(`There is no webhook with the id ${id}. "keepsake webhooks list" lists them.`)
}

function row(webhook: Webhook): string[] {
  const { id, url, state, reason } = webhook
  return [id, printable(url), describeEvents(webhook), reason === null ? state : `${state} (${reason})`]
}

/** Describes whose events a webhook receives, and which: `of acme / ana: memory-added, scope-erased`. */
function describeEvents({ tenants, users, agent, app, events, texts }: Webhook): string {
  const whose = nameUsers(tenants, users, 'everybody')
  const agentAndApp = [agent, app].flatMap((name) => (name === null ? [] : [printable(name)])).join(', ')
  const what = events.length === CHANGE_EVENTS.length ? 'everything' : events.join(', ')
  return `of ${whose}${agentAndApp === '' ? '' : ` (${agentAndApp})`}: ${what}${texts ? ', with text' : ''}`
}

function address(value: string): string {
  const url = URL.parse(value)
  if (url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '')
    return value
  throw new InvalidArgumentError('It must be an address such as https://app.example.com/hooks/memory.')
}
